/**
 * How well a DBC fits frames. Three questions, each a share from 0 to 1:
 *
 * - known: how many data frames have an identifier that the DBC defines;
 * - length: how many of those are as long as it says;
 * - plausible: how many decoded values lie in the range that it gives. Signals without a range, and those whose range is
 *   all that their bits can hold, cannot fail and do not count.
 *
 * The score is known · length · (3 + plausible) / 4: identifiers and lengths are hard evidence, while many DBC files
 * give careless ranges, so these can take a quarter of a score at most.
 */
import { FRAME_ERROR, FRAME_EXT, FRAME_REMOTE, type FrameBatch } from '../../core/can/frame-batch.js';
import { type DecodePlan, FRAME_LONG, FRAME_SHORT } from './decode-plan.js';
import { FrameDecoder } from './frame-decoder.js';

export interface MatchResult {
  readonly score: number;
  readonly frames: number;
  readonly known: number;
  /** null: nothing to judge */
  readonly knownRatio: number | null;
  readonly lengthRatio: number | null;
  readonly plausibleRatio: number | null;
  /** distinct identifiers of the frames, and how many the DBC defines */
  readonly ids: number;
  readonly idsKnown: number;
}

export class LogMatch {
  readonly #decoder: FrameDecoder;
  readonly #canFail: Uint8Array;
  readonly #ids = new Map<number, boolean>();
  #frames = 0;
  #known = 0;
  #rightLength = 0;
  #judged = 0;
  #inside = 0;

  constructor(readonly plan: DecodePlan) {
    this.#decoder = new FrameDecoder(plan);
    this.#canFail = Uint8Array.from({ length: plan.signalCount }, (_, signal) =>
      canFail(plan, signal) ? 1 : 0,
    );
  }

  consume(batch: FrameBatch): void {
    for (let i = 0; i < batch.count; i++) this.#frame(batch, i);
  }

  result(): MatchResult {
    const knownRatio = ratio(this.#known, this.#frames);
    const lengthRatio = ratio(this.#rightLength, this.#known);
    const plausibleRatio = ratio(this.#inside, this.#judged);
    let idsKnown = 0;
    for (const isKnown of this.#ids.values()) if (isKnown) idsKnown++;
    return {
      score: (knownRatio ?? 0) * (lengthRatio ?? 0) * ((3 + (plausibleRatio ?? 1)) / 4),
      frames: this.#frames,
      known: this.#known,
      knownRatio,
      lengthRatio,
      plausibleRatio,
      ids: this.#ids.size,
      idsKnown,
    };
  }

  #frame(batch: FrameBatch, i: number): void {
    const flags = batch.flags[i]!;
    if ((flags & (FRAME_ERROR | FRAME_REMOTE)) !== 0) return;
    this.#frames++;
    const decoder = this.#decoder;
    const isKnown = decoder.decode(batch, i);
    this.#ids.set(batch.id[i]! + ((flags & FRAME_EXT) !== 0 ? 0x20000000 : 0), isKnown);
    if (!isKnown) return;
    this.#known++;
    if ((decoder.findings & (FRAME_SHORT | FRAME_LONG)) === 0) this.#rightLength++;
    const { plan } = this;
    const first = plan.messageFirstSignal[decoder.message]!;
    const end = plan.messageFirstSignal[decoder.message + 1]!;
    for (let signal = first; signal < end; signal++) {
      if (decoder.present[signal - first] !== 1 || this.#canFail[signal] !== 1) continue;
      this.#judged++;
      const value = decoder.values[signal - first]!;
      if (value >= plan.signalMin[signal]! && value <= plan.signalMax[signal]!) this.#inside++;
    }
  }
}

/** DBC writers put [0|0] where they know no range. */
function canFail(plan: DecodePlan, signal: number): boolean {
  const min = plan.signalMin[signal] ?? null;
  const max = plan.signalMax[signal] ?? null;
  if (min === null || max === null || !(min < max)) return false;
  const steps = (max - min) / Math.abs(plan.signalScale[signal] ?? 1);
  return steps < 2 ** plan.signalBits[signal]! - 1;
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
