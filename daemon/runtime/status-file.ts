/**
 * What a running daemon says of itself: `status.json` in the state directory, replaced as a whole once a second, so that
 * anybody who may read the directory can look, without a connection and without disturbing a tick.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject, TickInputs, TickOutputs } from '../core/tick.js';
import { outcomeOf } from './run-tally.js';

export const statusPeriodMs = 1000;
/** An older one is told to be stale: the daemon hangs, or was killed. */
export const statusStaleMs = 5000;
const statusFormat = 1;

/** Parts that the loop does not know: asked for when a status is written. */
export interface StatusParts {
  readonly head: JsonObject;
  readonly store: () => JsonObject;
  readonly input: () => JsonObject;
  readonly decode: () => JsonObject;
  readonly experts: () => JsonObject[];
  /** the signal service; null = it is off */
  readonly signals: () => JsonObject | null;
  /** the gate of ACT, and the external monitor behind it */
  readonly act: () => JsonObject;
  /** what is said aloud, and what was left out */
  readonly speech: () => JsonObject;
  readonly tally: () => JsonObject;
  readonly wallMs: () => number;
  readonly monoUs: () => number;
  readonly notice: (text: string) => void;
}

export class StatusFile {
  readonly path: string;
  readonly #parts: StatusParts;
  #writtenUs = Number.NEGATIVE_INFINITY;
  #isWriting: Promise<void> | null = null;
  #hasFailed = false;
  #last: { inputs: TickInputs; mode: string; causes: readonly string[] } | null = null;
  #decision: JsonObject | null = null;

  constructor(stateDir: string, parts: StatusParts) {
    this.path = join(stateDir, 'status.json');
    this.#parts = parts;
  }

  /** To be shown every tick. */
  watch(inputs: TickInputs, outputs: TickOutputs): void {
    const { mode, utterance, decision, tick, tUs } = outputs;
    let causes = this.#last?.causes ?? [];
    for (const { kind, body } of outputs.audit) if (kind === 'mode') causes = causesOf(body);
    this.#last = { inputs, mode, causes };
    const outcome = outcomeOf(outputs);
    if (outcome !== 'none') {
      this.#decision = {
        tick,
        t_s: tUs / 1e6,
        decision: outcome,
        events: outputs.events.map((event) => event.type),
        l1: utterance?.l1 ?? null,
        held: decision.held,
      };
    }
    const nowUs = this.#parts.monoUs();
    if (nowUs - this.#writtenUs < statusPeriodMs * 1000 || this.#isWriting !== null) return;
    this.#writtenUs = nowUs;
    this.#isWriting = this.#write('running').finally(() => {
      this.#isWriting = null;
    });
  }

  /** The last word: it has ended, and how. */
  async close(endedBy: string): Promise<void> {
    await this.#isWriting;
    await this.#write(`ended: ${endedBy}`);
  }

  /** The status as it is now. */
  current(state = 'running'): JsonObject {
    const parts = this.#parts;
    const { inputs, mode, causes } = this.#last ?? { inputs: null, mode: null, causes: [] };
    return {
      format: statusFormat,
      ...parts.head,
      state,
      written_wall_ms: parts.wallMs(),
      mode,
      mode_causes: causes,
      tick: inputs?.tick ?? null,
      t_s: inputs === null ? null : inputs.tUs / 1e6,
      late_us: inputs?.lateUs ?? null,
      ...parts.tally(),
      sources: (inputs?.sources ?? []).map((source) => ({
        name: source.name,
        kind: source.kind,
        required: source.required,
        state: source.state,
        detail: source.detail ?? null,
      })),
      interfaces: [],
      ...parts.input(),
      decode: parts.decode(),
      experts: parts.experts(),
      store: parts.store(),
      signals: parts.signals(),
      act: parts.act(),
      speech: parts.speech(),
      last_decision: this.#decision,
    };
  }

  async #write(state: string): Promise<void> {
    const status = this.current(state);
    try {
      // Made anew, so that no link is followed and no FIFO waited for.
      await rm(`${this.path}.new`, { force: true });
      await writeFile(`${this.path}.new`, `${JSON.stringify(status)}\n`, { mode: 0o640, flag: 'wx' });
      await rename(`${this.path}.new`, this.path);
    } catch (error) {
      if (!this.#hasFailed) this.#parts.notice(`the status is not written: ${(error as Error).message}`);
      this.#hasFailed = true;
    }
  }
}

function causesOf(body: JsonObject): readonly string[] {
  const change = body['mode_change'] as { causes?: unknown } | undefined;
  return Array.isArray(change?.causes) ? change.causes.map(String) : [];
}

export type StatusRead =
  | { readonly kind: 'none' }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'status'; readonly status: JsonObject };

/** A larger file is not ours. */
const maxChars = 1_000_000;

export function readStatus(stateDir: string): StatusRead {
  let text: string;
  try {
    const path = join(stateDir, 'status.json');
    if (!lstatSync(path).isFile()) return { kind: 'damaged', reason: 'it is no regular file' };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'none' } : { kind: 'damaged', reason: message };
  }
  try {
    const value: unknown = text.length > maxChars ? null : JSON.parse(text);
    if (typeof value === 'object' && value !== null && (value as JsonObject)['format'] === statusFormat) {
      return { kind: 'status', status: value as JsonObject };
    }
  } catch {
    // Said below: whatever is wrong with it, it is no status.
  }
  return { kind: 'damaged', reason: 'it is no status of this version' };
}
