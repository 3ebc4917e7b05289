export interface RateLimitOptions {
  /** requests a second that a client may go on with; Infinity = no limit */
  readonly ratePerS: number;
  /** requests at once after a pause */
  readonly burstMaxCount: number;
  /** clients that are remembered; beyond it the one seen longest ago is forgotten */
  readonly clientsMaxCount: number;
}

/** Token buckets by client: each refills at the rate and holds the burst. Time is an argument. */
export class RateLimit {
  readonly #options: RateLimitOptions;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(options: RateLimitOptions) {
    this.#options = options;
  }

  /** 0 = go on; else the seconds after which one more is let through. */
  waitS(client: string, nowMs: number): number {
    const { ratePerS, burstMaxCount, clientsMaxCount } = this.#options;
    if (ratePerS === Number.POSITIVE_INFINITY) return 0;
    const known = this.#buckets.get(client);
    const sinceS = known === undefined ? 0 : Math.max(0, nowMs - known.atMs) / 1000;
    const tokens = Math.min(burstMaxCount, (known?.tokens ?? burstMaxCount) + sinceS * ratePerS);
    const isAllowed = tokens >= 1;
    // In the order of the last request, so that the first of the map is the one to forget.
    this.#buckets.delete(client);
    this.#buckets.set(client, { tokens: isAllowed ? tokens - 1 : tokens, atMs: nowMs });
    if (this.#buckets.size > clientsMaxCount) {
      for (const oldest of this.#buckets.keys()) {
        this.#buckets.delete(oldest);
        break;
      }
    }
    return isAllowed ? 0 : (1 - tokens) / ratePerS;
  }
}
