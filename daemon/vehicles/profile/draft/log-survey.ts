/** What a recording holds of a DBC: for every signal count, range and changes; for messages cycle and checks. */
import {
  FRAME_ERROR,
  FRAME_EXT,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../../../core/can/frame-batch.js';
import { decodeMessage } from '../../dbc/decode-message.js';
import { type DecodePlan, FRAME_SHORT, SIGNAL_FLOAT, SIGNAL_SIGNED } from '../../dbc/decode-plan.js';
import { readUnsigned } from '../../dbc/read-raw.js';
import { type ChecksumTest, checksumFieldFault, checksumTest } from '../frame-checks.js';
import { type ChecksumKind, checksumKinds } from '../profile-schema.js';

/** A check that has held on every frame so far. */
interface ChecksumTrial {
  readonly kind: ChecksumKind;
  readonly signal: number;
  readonly test: ChecksumTest;
  /** different checksums seen: a constant proves nothing */
  readonly seen: Set<number>;
}

interface CounterTrial {
  readonly signal: number;
  last: number;
  steps: number;
  /** steps from a value back to 0: the values it turned over at */
  readonly tops: Map<number, number>;
  total: number;
}

/** Fewer frames than this prove neither a counter nor a checksum. */
const minFramesForProof = 40;

export class LogSurvey {
  readonly frames: Uint32Array;
  readonly shortFrames: Uint32Array;
  readonly count: Uint32Array;
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
  readonly changes: Uint32Array;
  /** values whose raw bits are all ones: "not available" with most makers */
  readonly allOnes: Uint32Array;
  /** frames looked at, known or not */
  total = 0;
  readonly #firstS: Float64Array;
  readonly #lastS: Float64Array;
  readonly #last: Float64Array;
  readonly #onesValue: Float64Array;
  readonly #values: Float64Array;
  readonly #present: Uint8Array;
  readonly #checksums: ChecksumTrial[][];
  readonly #counters: CounterTrial[][];

  constructor(readonly plan: DecodePlan) {
    const { messageCount, signalCount } = plan;
    this.frames = new Uint32Array(messageCount);
    this.shortFrames = new Uint32Array(messageCount);
    this.#firstS = new Float64Array(messageCount);
    this.#lastS = new Float64Array(messageCount);
    this.count = new Uint32Array(signalCount);
    this.lowest = new Float64Array(signalCount).fill(Number.POSITIVE_INFINITY);
    this.highest = new Float64Array(signalCount).fill(Number.NEGATIVE_INFINITY);
    this.changes = new Uint32Array(signalCount);
    this.allOnes = new Uint32Array(signalCount);
    this.#last = new Float64Array(signalCount).fill(Number.NaN);
    this.#onesValue = Float64Array.from({ length: signalCount }, (_, s) => allOnesValue(plan, s));
    this.#values = new Float64Array(plan.maxSignalsPerMessage);
    this.#present = new Uint8Array(plan.maxSignalsPerMessage);
    this.#checksums = Array.from({ length: messageCount }, (_, m) => checksumTrials(plan, m));
    this.#counters = Array.from({ length: messageCount }, (_, m) => counterTrials(plan, m));
  }

  add(batch: FrameBatch): void {
    for (let i = 0; i < batch.count; i++) this.#frame(batch, i);
  }

  /** mean cycle time of a message in ms, or null */
  periodMs(message: number): number | null {
    const frames = this.frames[message]!;
    const spanS = this.#lastS[message]! - this.#firstS[message]!;
    return frames < 3 || spanS <= 0 ? null : (spanS / (frames - 1)) * 1000;
  }

  /** The checksum that held on every frame, if one did on enough of them. */
  checksum(message: number): { kind: ChecksumKind; signal: string } | null {
    if (this.frames[message]! < minFramesForProof) return null;
    const trial = this.#checksums[message]!.find(({ seen }) => seen.size >= 4);
    return trial ? { kind: trial.kind, signal: this.plan.signalName[trial.signal]! } : null;
  }

  /** The alive counter that went up by one from frame to frame, if there is one. */
  counter(message: number): { signal: string; modulo?: number } | null {
    for (const trial of this.#counters[message]!) {
      // Lost frames break single steps; a counter that misses more than 5 % of them is none.
      if (trial.total < minFramesForProof || trial.steps < 0.95 * trial.total) continue;
      const [top] = [...trial.tops].sort((a, b) => b[1] - a[1])[0] ?? [
        2 ** this.plan.signalBits[trial.signal]! - 1,
      ];
      const modulo = top + 1;
      const signal = this.plan.signalName[trial.signal]!;
      return modulo === 2 ** this.plan.signalBits[trial.signal]! ? { signal } : { signal, modulo };
    }
    return null;
  }

  #frame(batch: FrameBatch, i: number): void {
    this.total++;
    const flags = batch.flags[i]!;
    if ((flags & (FRAME_ERROR | FRAME_REMOTE)) !== 0) return;
    const m = this.plan.find(batch.id[i]!, (flags & FRAME_EXT) !== 0);
    if (m < 0) return;
    const t = batch.tS[i]!;
    if (this.frames[m] === 0) this.#firstS[m] = t;
    this.#lastS[m] = t;
    this.frames[m]!++;
    const start = i * FRAME_STRIDE;
    const length = batch.length[i]!;
    const found = decodeMessage(this.plan, m, batch.data, start, length, this.#values, this.#present);
    const base = this.plan.messageFirstSignal[m]!;
    for (let s = base; s < this.plan.messageFirstSignal[m + 1]!; s++) {
      if (this.#present[s - base] === 1) this.#value(s, this.#values[s - base]!);
    }
    if ((found & FRAME_SHORT) !== 0) {
      this.shortFrames[m]!++;
      return;
    }
    this.#checks(m, batch.data, start, length);
  }

  #value(s: number, value: number): void {
    this.count[s]!++;
    if (value < this.lowest[s]!) this.lowest[s] = value;
    if (value > this.highest[s]!) this.highest[s] = value;
    if (this.#last[s] !== value && this.count[s]! > 1) this.changes[s]!++;
    if (value === this.#onesValue[s]) this.allOnes[s]!++;
    this.#last[s] = value;
  }

  #checks(m: number, data: Uint8Array, start: number, length: number): void {
    const trials = this.#checksums[m]!;
    for (let k = trials.length - 1; k >= 0; k--) {
      const trial = trials[k]!;
      if (!trial.test(data, start, length)) trials.splice(k, 1);
      else if (trial.seen.size < 4) trial.seen.add(readUnsigned(this.plan, trial.signal, data, start));
    }
    for (const trial of this.#counters[m]!) {
      const value = readUnsigned(this.plan, trial.signal, data, start);
      if (trial.last >= 0) {
        trial.total++;
        if (value === trial.last + 1) trial.steps++;
        else if (value === 0 && trial.last > 0) {
          trial.steps++;
          trial.tops.set(trial.last, (trial.tops.get(trial.last) ?? 0) + 1);
        }
      }
      trial.last = value;
    }
  }
}

function allOnesValue(plan: DecodePlan, s: number): number {
  const flags = plan.signalFlags[s]!;
  const bits = plan.signalBits[s]!;
  // One or two bits all set, or −1, are ordinary values.
  if ((flags & (SIGNAL_FLOAT | SIGNAL_SIGNED)) !== 0 || bits < 3) return Number.NaN;
  return (2 ** bits - 1) * plan.signalScale[s]! + plan.signalOffset[s]!;
}

const checksumName = /check_?sum|chk_?sum|chksm|crc|(^|_)(cs|chk)(_|$)/i;
const counterName = /counter|(^|_)(cnt|bz)(_|$)|alive|msg_?count|(^|_)rc(_|$)/i;

function signalsNamed(plan: DecodePlan, m: number, pattern: RegExp): number[] {
  const signals: number[] = [];
  for (let s = plan.messageFirstSignal[m]!; s < plan.messageFirstSignal[m + 1]!; s++) {
    if (plan.signalLastByte[s] === 0xffff || (plan.signalFlags[s]! & SIGNAL_FLOAT) !== 0) continue;
    if (pattern.test(plan.signalName[s]!)) signals.push(s);
  }
  return signals;
}

function checksumTrials(plan: DecodePlan, m: number): ChecksumTrial[] {
  const trials: ChecksumTrial[] = [];
  for (const signal of signalsNamed(plan, m, checksumName)) {
    for (const kind of checksumKinds) {
      // Which fields a field sum covers cannot be seen from names.
      if (kind === 'field_sum8' || checksumFieldFault(kind, plan, signal) !== null) continue;
      trials.push({ kind, signal, test: checksumTest(kind, plan, signal, []), seen: new Set() });
    }
  }
  return trials;
}

function counterTrials(plan: DecodePlan, m: number): CounterTrial[] {
  return signalsNamed(plan, m, counterName)
    .filter((signal) => plan.signalBits[signal]! <= 16 && !checksumName.test(plan.signalName[signal]!))
    .map((signal) => ({ signal, last: -1, steps: 0, tops: new Map(), total: 0 }));
}
