/**
 * How long to wait before a process that ended is started again: four times as long each time, until it has lived for a
 * while. One death is soon made good; a start costs half a second of a processor, so a loop of them must get slow at once.
 */
const firstMs = 250;
const longestMs = 30_000;
/** Who lived this long did not die of being started. */
const settledMs = 10_000;

export class RestartBackoff {
  #failures = 0;

  /** @param livedMs from its start to its end */
  ended(livedMs: number): number {
    this.#failures = livedMs >= settledMs ? 1 : this.#failures + 1;
    return Math.min(longestMs, firstMs * 4 ** Math.min(8, this.#failures - 1));
  }
}
