/**
 * Turns the times of an input into drive time: microseconds from the first frame that never run backwards.
 *
 * Logs of real cars hold frames of two channels slightly out of order, clocks that are set while recording
 * (an hour back at the end of summer time, fifty years forward when GPS time arrives) and pauses of days.
 * None of it may stop a drive or make it endless, and each is counted.
 */

/** Frames out of order by less than this are an effect of buffering; their time is held, not their order. */
const reorderMaxUs = 1_000_000;

/**
 * A longer silence is shortened to this. Every signal is stale by then (the longest time to live is 60 s), so
 * nothing is lost but idle ticks.
 */
const silenceMaxUs = 60_000_000;

export class DriveTime {
  #originS: number | null = null;
  #shiftUs = 0;
  #lastUs = 0;
  /** the clock was set back; drive time goes on from where it was */
  stepsBack = 0;
  /** frames out of order by less than a second, or without a readable time */
  outOfOrder = 0;
  /** silences or forward steps of the clock that were shortened */
  gapsShortened = 0;

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
    } else if (aheadUs > silenceMaxUs) {
      this.gapsShortened++;
      this.#shiftUs -= aheadUs - silenceMaxUs;
      this.#lastUs += silenceMaxUs;
    } else {
      this.#lastUs = tUs;
    }
    return this.#lastUs;
  }
}
