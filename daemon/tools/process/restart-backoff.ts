/** How long to wait before a process that ended is started again: doubled each time, until it has lived for a while. */
const firstMs = 250;
const longestMs = 30_000;
/** Who lived this long did not die of being started. */
const settledMs = 10_000;

export class RestartBackoff {
  #failures = 0;

  /** @param livedMs from its start to its end */
  ended(livedMs: number): number {
    this.#failures = livedMs >= settledMs ? 1 : this.#failures + 1;
    return Math.min(longestMs, firstMs * 2 ** Math.min(16, this.#failures - 1));
  }
}
