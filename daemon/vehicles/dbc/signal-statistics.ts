import { FRAME_ERROR, FRAME_REMOTE, type FrameBatch } from '../../core/can/frame-batch.js';
import { type DecodePlan, FRAME_LONG, FRAME_SHORT, MESSAGE_EXT } from './decode-plan.js';
import { FrameDecoder } from './frame-decoder.js';

export interface SignalSummary {
  /** MESSAGE.SIGNAL */
  readonly key: string;
  readonly unit: string;
  /** times it was in a payload */
  readonly count: number;
  /** null where no finite value was seen */
  readonly min: number | null;
  readonly max: number | null;
  readonly last: number | null;
  /** in frame order, float64 */
  readonly sum: number;
  /** values that were NaN or infinite: counted, but left out of the others */
  readonly nonFinite: number;
}

export interface MessageSummary {
  readonly name: string;
  readonly id: number;
  readonly isExtended: boolean;
  readonly frames: number;
  /** frames a second between the first and the last; null where there is no span of time */
  readonly rateHz: number | null;
}

/**
 * Counts over frames and, for each signal that was seen, count, least, greatest, sum and last value. Messages
 * of the same name share their entries, as they share the name.
 */
export class SignalStatistics {
  frames = 0;
  /** data frames with an identifier that the DBC has */
  known = 0;
  unknown = 0;
  /** known frames with fewer or more bytes than the DBC says */
  short = 0;
  long = 0;
  errors = 0;
  remote = 0;
  readonly #plan: DecodePlan;
  readonly #decoder: FrameDecoder;
  /** accumulator of each plan signal */
  readonly #slot: Uint32Array;
  readonly #keys: string[] = [];
  readonly #count: Float64Array;
  readonly #finite: Float64Array;
  readonly #min: Float64Array;
  readonly #max: Float64Array;
  readonly #sum: Float64Array;
  readonly #last: Float64Array;
  readonly #messageFrames: Float64Array;
  readonly #firstS: Float64Array;
  readonly #lastS: Float64Array;
  /** first identifiers without a message, for a hint */
  readonly unknownIds = new Set<number>();

  constructor(plan: DecodePlan) {
    this.#plan = plan;
    this.#decoder = new FrameDecoder(plan);
    this.#slot = new Uint32Array(plan.signalCount);
    this.#messageFrames = new Float64Array(plan.messageCount);
    this.#firstS = new Float64Array(plan.messageCount).fill(Number.POSITIVE_INFINITY);
    this.#lastS = new Float64Array(plan.messageCount).fill(Number.NEGATIVE_INFINITY);
    const slots = new Map<string, number>();
    for (let m = 0; m < plan.messageCount; m++) {
      for (const s of signalsInFileOrder(plan, m)) {
        const key = `${plan.messageName[m]}.${plan.signalName[s]}`;
        const slot = slots.get(key) ?? slots.size;
        if (slot === slots.size) {
          slots.set(key, slot);
          this.#keys.push(key);
        }
        this.#slot[s] = slot;
      }
    }
    this.#count = new Float64Array(slots.size);
    this.#finite = new Float64Array(slots.size);
    this.#min = new Float64Array(slots.size).fill(Number.POSITIVE_INFINITY);
    this.#max = new Float64Array(slots.size).fill(Number.NEGATIVE_INFINITY);
    this.#sum = new Float64Array(slots.size);
    this.#last = new Float64Array(slots.size);
  }

  consume(batch: FrameBatch): void {
    this.frames += batch.count;
    for (let i = 0; i < batch.count; i++) {
      const flags = batch.flags[i]!;
      if ((flags & FRAME_ERROR) !== 0) this.errors++;
      else if ((flags & FRAME_REMOTE) !== 0) this.remote++;
      else if (this.#decoder.decode(batch, i)) this.#add(batch.tS[i]!);
      else {
        this.unknown++;
        if (this.unknownIds.size < 8) this.unknownIds.add(batch.id[i]!);
      }
    }
  }

  #add(tS: number): void {
    const { message, findings, values, present } = this.#decoder;
    this.known++;
    this.#messageFrames[message]!++;
    if (tS < this.#firstS[message]!) this.#firstS[message] = tS;
    if (tS > this.#lastS[message]!) this.#lastS[message] = tS;
    if ((findings & FRAME_SHORT) !== 0) this.short++;
    if ((findings & FRAME_LONG) !== 0) this.long++;
    const first = this.#plan.messageFirstSignal[message]!;
    const end = this.#plan.messageFirstSignal[message + 1]!;
    for (let s = first; s < end; s++) {
      if (present[s - first] !== 1) continue;
      const slot = this.#slot[s]!;
      const value = values[s - first]!;
      this.#count[slot]!++;
      if (!Number.isFinite(value)) continue;
      this.#finite[slot]!++;
      if (value < this.#min[slot]!) this.#min[slot] = value;
      if (value > this.#max[slot]!) this.#max[slot] = value;
      this.#sum[slot]! += value;
      this.#last[slot] = value;
    }
  }

  /** The messages that were seen, in the order of their identifiers. */
  messages(): MessageSummary[] {
    const summaries: MessageSummary[] = [];
    for (let m = 0; m < this.#plan.messageCount; m++) {
      const frames = this.#messageFrames[m]!;
      if (frames === 0) continue;
      const spanS = this.#lastS[m]! - this.#firstS[m]!;
      const id = this.#plan.messageId[m]!;
      summaries.push({
        name: this.#plan.messageName[m]!,
        id,
        isExtended: (this.#plan.messageFlags[m]! & MESSAGE_EXT) !== 0,
        frames,
        rateHz: spanS > 0 ? (frames - 1) / spanS : null,
      });
    }
    return summaries.sort((a, b) => a.id - b.id);
  }

  /** The signals that were seen, in the order of the DBC. */
  signals(): SignalSummary[] {
    const units = new Map<number, string>();
    for (let s = this.#plan.signalCount - 1; s >= 0; s--)
      units.set(this.#slot[s]!, this.#plan.signalUnit[s]!);
    const summaries: SignalSummary[] = [];
    for (const [slot, key] of this.#keys.entries()) {
      const count = this.#count[slot]!;
      if (count === 0) continue;
      const hasFinite = this.#finite[slot]! > 0;
      summaries.push({
        key,
        unit: units.get(slot) ?? '',
        count,
        min: hasFinite ? this.#min[slot]! : null,
        max: hasFinite ? this.#max[slot]! : null,
        last: hasFinite ? this.#last[slot]! : null,
        sum: this.#sum[slot]!,
        nonFinite: count - this.#finite[slot]!,
      });
    }
    return summaries;
  }
}

/** Plan indices of the signals of a message in the order of the file. */
export function signalsInFileOrder(plan: DecodePlan, message: number): number[] {
  const first = plan.messageFirstSignal[message]!;
  const indices = Array.from({ length: plan.messageFirstSignal[message + 1]! - first }, (_, k) => first + k);
  return indices.sort((a, b) => plan.signalOrdinal[a]! - plan.signalOrdinal[b]!);
}
