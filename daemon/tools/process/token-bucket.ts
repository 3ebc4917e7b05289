/** So many at once, so many a second; the rest is counted. Time is an argument. */
export class TokenBucket {
  #tokens: number;
  #atMs: number | null = null;
  /** refused since `takeSuppressed` was last called */
  #suppressed = 0;

  constructor(
    readonly burstCount: number,
    readonly perSecond: number,
  ) {
    this.#tokens = burstCount;
  }

  take(nowMs: number): boolean {
    const elapsedMs = this.#atMs === null ? 0 : Math.max(0, nowMs - this.#atMs);
    this.#atMs = nowMs;
    this.#tokens = Math.min(this.burstCount, this.#tokens + (elapsedMs / 1000) * this.perSecond);
    if (this.#tokens < 1) {
      this.#suppressed++;
      return false;
    }
    this.#tokens--;
    return true;
  }

  takeSuppressed(): number {
    const count = this.#suppressed;
    this.#suppressed = 0;
    return count;
  }
}
