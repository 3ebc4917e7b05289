/**
 * The transport of simulated control units (ISO 15765-2, normal addressing): takes frames, gives frames. Single frames and
 * first frames out, consecutive frames as the tester's flow control allows; requests come as single frames.
 */
import { answersTo, type EcuMessage } from './ecu-answers.js';
import type { EcuScript, ScriptedEcu } from './ecu-script.js';

export interface EcuFrame {
  readonly id: number;
  readonly ext: boolean;
  readonly data: Uint8Array;
}

export interface EcuWiring {
  send(frame: EcuFrame): void;
  after(ms: number, run: () => void): void;
}

const padding = 0xaa;

interface Sending {
  readonly message: EcuMessage;
  at: number;
  sequence: number;
}

export interface EcuCounters {
  requests: number;
  flow_controls: number;
  /** flow controls on a functional identifier: a tester must never send one */
  functional_flow_controls: number;
  /** requests that a read-only tester must never send */
  forbidden: number;
}

const readServices = new Set([0x01, 0x02, 0x03, 0x07, 0x09, 0x0a, 0x19, 0x22]);

export class EcuNodes {
  readonly counters: EcuCounters = {
    requests: 0,
    flow_controls: 0,
    functional_flow_controls: 0,
    forbidden: 0,
  };
  readonly #script: EcuScript;
  readonly #wiring: EcuWiring;
  readonly #turns = new Map<string, number>();
  /** by request identifier: the long answer that waits for a flow control or is under way */
  readonly #sending = new Map<number, Sending>();

  constructor(script: EcuScript, wiring: EcuWiring) {
    this.#script = script;
    this.#wiring = wiring;
  }

  receive(frame: EcuFrame): void {
    const isFunctional = frame.id === (frame.ext ? 0x18db33f1 : 0x7df);
    const asked = this.#script.ecus.filter(
      (ecu) => isExtended(ecu) === frame.ext && (isFunctional || requestIdOf(ecu) === frame.id),
    );
    const first = frame.data[0];
    if (asked.length === 0 || first === undefined) return;
    if (first >> 4 === 3) {
      this.counters.flow_controls++;
      if (isFunctional) this.counters.functional_flow_controls++;
      else this.#continue(frame);
      return;
    }
    if (first >> 4 !== 0 || first === 0 || frame.data.length <= first) return;
    const request = frame.data.slice(1, 1 + first);
    this.counters.requests++;
    if (!readServices.has(request[0] ?? -1)) this.counters.forbidden++;
    for (const ecu of asked) {
      const turn = this.#turns.get(ecu.answer) ?? 0;
      this.#turns.set(ecu.answer, turn + 1);
      for (const message of answersTo(ecu, request, turn))
        this.#wiring.after(message.afterMs, () => this.#begin(ecu, message));
    }
  }

  #begin(ecu: ScriptedEcu, message: EcuMessage): void {
    const { payload, answerId } = message;
    if (payload.length <= 7) {
      this.#send(answerId, isExtended(ecu), [payload.length, ...payload]);
      return;
    }
    this.#sending.set(requestIdOf(ecu), { message, at: 6, sequence: 1 });
    const head = [0x10 | (payload.length >> 8), payload.length & 255, ...payload.subarray(0, 6)];
    this.#send(answerId, isExtended(ecu), head);
  }

  /** A flow control: 30 goes on, 31 waits, 32 gives up; block size and separation time are kept. */
  #continue(frame: EcuFrame): void {
    const sending = this.#sending.get(frame.id);
    if (sending === undefined) return;
    const [status = 0, blockSize = 0, separation = 0] = frame.data;
    if (status === 0x31) return;
    if (status !== 0x30 || sending.message.damage === 'breaks_off') {
      this.#sending.delete(frame.id);
      return;
    }
    const gapMs = separation <= 0x7f ? separation : separation >= 0xf1 && separation <= 0xf9 ? 1 : 127;
    this.#consecutive(frame, sending, blockSize === 0 ? Number.POSITIVE_INFINITY : blockSize, gapMs);
  }

  #consecutive(frame: EcuFrame, sending: Sending, left: number, gapMs: number): void {
    const { payload, answerId, damage } = sending.message;
    if (this.#sending.get(frame.id) !== sending) return;
    if (damage === 'skips_a_frame' && sending.sequence === 1) {
      sending.at += 7;
      sending.sequence++;
    }
    const part = payload.subarray(sending.at, sending.at + 7);
    this.#send(answerId, frame.ext, [0x20 | (sending.sequence & 15), ...part]);
    sending.at += 7;
    sending.sequence++;
    if (sending.at >= payload.length) this.#sending.delete(frame.id);
    else if (left > 1) this.#wiring.after(gapMs, () => this.#consecutive(frame, sending, left - 1, gapMs));
  }

  #send(id: number, ext: boolean, bytes: readonly number[]): void {
    const data = new Uint8Array(8).fill(padding);
    data.set(bytes);
    this.#wiring.send({ id, ext, data });
  }
}

function isExtended(ecu: ScriptedEcu): boolean {
  return ecu.answer.length > 3;
}

function requestIdOf(ecu: ScriptedEcu): number {
  const id = Number.parseInt(ecu.answer, 16);
  if (isExtended(ecu)) return 0x18da00f1 + (id & 255) * 256;
  return id === 0x7bb ? 0x79b : id - 8;
}
