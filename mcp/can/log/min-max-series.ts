/** Some consecutive samples of a signal in one: their extremes stay, with their times. */
export interface SeriesBucket {
  count: number;
  fromS: number;
  toS: number;
  min: number;
  minAtS: number;
  max: number;
  maxAtS: number;
  sum: number;
}

/**
 * A signal over any number of samples in a bounded number of buckets. Each holds equally many consecutive samples (the last
 * may hold fewer); when there are too many buckets, neighbours become one. So no extreme is ever lost, whatever the times
 * of the samples do.
 */
export class MinMaxSeries {
  /** samples that were no finite number, left out of the buckets */
  nonFinite = 0;
  samples = 0;
  #buckets: SeriesBucket[] = [];
  #perBucket = 1;
  readonly #maxBuckets: number;

  /** @param maxBuckets at least 2 */
  constructor(maxBuckets: number) {
    this.#maxBuckets = Math.max(2, maxBuckets);
  }

  add(tS: number, value: number): void {
    if (!Number.isFinite(value)) {
      this.nonFinite++;
      return;
    }
    this.samples++;
    if (this.#buckets.length === this.#maxBuckets && !this.#hasRoom()) this.#merge();
    const last = this.#buckets.at(-1);
    if (last === undefined || !this.#hasRoom()) {
      const once = { fromS: tS, toS: tS, min: value, minAtS: tS, max: value, maxAtS: tS };
      this.#buckets.push({ count: 1, sum: value, ...once });
      return;
    }
    last.count++;
    last.toS = tS;
    last.sum += value;
    if (value < last.min) [last.min, last.minAtS] = [value, tS];
    if (value > last.max) [last.max, last.maxAtS] = [value, tS];
  }

  /** True where the newest bucket takes one more sample. */
  #hasRoom(): boolean {
    const last = this.#buckets.at(-1);
    return last !== undefined && last.count < this.#perBucket;
  }

  buckets(): readonly SeriesBucket[] {
    return this.#buckets;
  }

  #merge(): void {
    const merged: SeriesBucket[] = [];
    for (let i = 0; i < this.#buckets.length; i += 2) {
      const [first, second] = [this.#buckets[i]!, this.#buckets[i + 1]];
      merged.push(second === undefined ? first : joined(first, second));
    }
    this.#buckets = merged;
    this.#perBucket *= 2;
  }
}

function joined(a: SeriesBucket, b: SeriesBucket): SeriesBucket {
  const lower = b.min < a.min ? b : a;
  const higher = b.max > a.max ? b : a;
  return {
    count: a.count + b.count,
    fromS: a.fromS,
    toS: b.toS,
    min: lower.min,
    minAtS: lower.minAtS,
    max: higher.max,
    maxAtS: higher.maxAtS,
    sum: a.sum + b.sum,
  };
}
