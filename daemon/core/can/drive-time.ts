import { SilenceBudget } from './silence-budget.js';

/**
 * Turns the times of an input into drive time: microseconds from the first frame that never run backwards.
 *
 * Logs of real cars hold frames of two channels slightly out of order, clocks that are set while recording
 * (an hour back at the end of summer time, fifty years forward when GPS time arrives) and pauses of days.
 * None of it may stop a drive or make it endless, and each is counted.
 */

/** Frames out of order by less than this are an effect of buffering; their time is held, not their order. */
const reorderMaxUs = 1_000_000;

export class DriveTime {
  #originS: number | null = null;
  #shiftUs = 0;
  #lastUs = 0;
  readonly #silence = new SilenceBudget();
  /** the clock was set back; drive time goes on from where it was */
  stepsBack = 0;
  /** frames out of order by less than a second, or without a readable time */
  outOfOrder = 0;

  /** silences or forward steps of the clock that were shortened */
  get gapsShortened(): number {
    return this.#silence.gapsShortened;
  }

  /** of those, the ones shortened to one tick because there were too many (see `SilenceBudget`) */
  get gapsSqueezed(): number {
    return this.#silence.gapsSqueezed;
  }

  /** Time of the first frame as the input has it, seconds; null before it. */
  get originS(): number | null {
    return this.#originS;
  }

  /** Drive time, µs, of an input time in seconds. */
  at(tS: number): number {
    if (!Number.isFinite(tS)) {
      this.outOfOrder++;
      return this.#lastUs;
    }
    this.#originS ??= tS;
    const tUs = Math.round((tS - this.#originS) * 1e6) + this.#shiftUs;
    const aheadUs = tUs - this.#lastUs;
    if (aheadUs < -reorderMaxUs) {
      this.stepsBack++;
      this.#shiftUs -= aheadUs;
    } else if (aheadUs < 0) {
      this.outOfOrder++;
    } else {
      const playedUs = this.#silence.take(aheadUs);
      this.#shiftUs -= aheadUs - playedUs;
      this.#lastUs += playedUs;
    }
    return this.#lastUs;
  }
}
