/** Reads diagnostics out of frames, for health. */
import type { FrameBatch } from '../../core/can/frame-batch.js';
import { defaultPairs, fixedRole, functionalId, type IdPair } from '../diagnostics/diagnostic-id.js';
import { DiagnosticListener } from '../diagnostics/diagnostic-listener.js';
import type { DiagnosticMessage } from '../diagnostics/diagnostic-message.js';
import { pgnOf } from '../diagnostics/j1939-id.js';
import { pgnConnection, pgnData } from '../diagnostics/j1939-transport.js';
import { type DiagnosticNews, DiagnosticNewsDesk } from './diagnostic-news.js';

/** Reads diagnostics out of frames. */
export interface DiagnosticReader {
  /** Takes the frames `from` … `to` − 1, the last of them at `tUs`. */
  consume(batch: FrameBatch, from: number, to: number, tUs: number): void;
  /** ends waiting for what is incomplete */
  finish(tUs: number): void;
  drain(): DiagnosticNews;
}

export class HeardDiagnostics implements DiagnosticReader {
  readonly #desk = new DiagnosticNewsDesk();
  readonly #listener: DiagnosticListener;
  #tUs = 0;

  /** @param pairs identifiers of requests and answers beside the usual ones */
  constructor(pairs: readonly IdPair[]) {
    this.#listener = new DiagnosticListener(pairs, (message) => this.#heard(message));
  }

  get answers(): number {
    return this.#desk.answers;
  }

  /** true as soon as some unit has listed its codes, were it none */
  get areCodesRead(): boolean {
    return this.#desk.areCodesRead;
  }

  get incompleteAnswers(): number {
    return this.#desk.incompleteAnswers;
  }

  consume(batch: FrameBatch, from: number, to: number, tUs: number): void {
    this.#tUs = tUs;
    this.#listener.consume(batch, from, to);
  }

  finish(tUs: number): void {
    this.#tUs = tUs;
    this.#listener.finish();
  }

  drain(): DiagnosticNews {
    return this.#desk.drain();
  }

  #heard(message: DiagnosticMessage): void {
    const { ecu, isRequest, error, dtcs, lamps, faultMessage } = message;
    if (ecu === null || isRequest) return;
    if (error !== undefined) {
      // Flow control in the wrong place and stray frames are no answer that somebody waits for.
      if (error !== 'flow_control_ignored' && error !== 'unexpected') this.#desk.incomplete(ecu);
      return;
    }
    if (faultMessage === 'DM1' || faultMessage === 'DM2') {
      if (dtcs !== null && dtcs !== undefined && lamps !== undefined) {
        this.#desk.broadcast(ecu, faultMessage, dtcs, lamps, this.#tUs);
      }
    } else if (message.pgn === undefined) {
      const { dtcs: listed, error: _none, ...content } = message;
      this.#desk.answered(ecu, { ...content, ...(listed == null ? {} : { dtcs: listed }) }, this.#tUs);
    }
  }
}

const pairIds: ReadonlySet<number> = new Set(
  defaultPairs.flatMap(({ request, response }) => [request.id, response.id]),
);

/**
 * Identifiers of question and answer, which come when somebody asks and are no cyclic messages: those of OBD and
 * UDS, and the transport of J1939.
 */
export function isDiagnosticId(id: number, isExtended: boolean): boolean {
  if (!isExtended) return id === functionalId || pairIds.has(id);
  const pgn = pgnOf(id);
  return fixedRole(id) !== null || pgn === pgnConnection || pgn === pgnData;
}
