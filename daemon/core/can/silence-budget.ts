/**
 * How much silence of an input is played. A tick costs the same whether anything happens in it or not, so an input
 * of a few kilobytes whose times jump about could ask for years of idle ticks. Silence is therefore played up to a
 * length each and up to a total; the rest is left out and counted.
 */

/** Shorter steps are the rhythm of a slow sender (a poll of OBD every few seconds) and are left alone. */
const silenceMinUs = 5_000_000;

/**
 * A longer silence is shortened to this. Every signal is stale by then (the longest time to live is 60 s), so
 * nothing is lost but idle ticks.
 */
const silenceMaxUs = 60_000_000;

/** Silence of all gaps together, half an hour: more than a drive stands still with its buses asleep. */
const totalMaxUs = 1_800_000_000;

/** What is left of a gap when the total is used up: one tick of the default period. */
const squeezedUs = 50_000;

export class SilenceBudget {
  #restUs = totalMaxUs;
  /** silences or forward steps of the clock that were shortened */
  gapsShortened = 0;
  /** of those, the ones shortened to one tick because the total of silence was used up */
  gapsSqueezed = 0;

  isSilence(gapUs: number): boolean {
    return gapUs > silenceMinUs;
  }

  /** The longest silence that would be played now, µs. */
  get longestUs(): number {
    return this.#restUs > 0 ? silenceMaxUs : squeezedUs;
  }

  /** Takes note of a gap in the input, µs; returns what of it is played. */
  take(gapUs: number): number {
    if (!this.isSilence(gapUs)) return gapUs;
    const playedUs = Math.min(gapUs, this.longestUs);
    if (playedUs < gapUs) {
      this.gapsShortened++;
      if (this.#restUs <= 0) this.gapsSqueezed++;
    }
    this.#restUs -= playedUs;
    return playedUs;
  }
}
