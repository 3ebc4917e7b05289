import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

// A type, not an interface: it is a JSON object.
export type LatenessSummary = {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
};

/** Longest lateness told apart, µs: one hour. */
const highestUs = 3_600_000_000;

/** Distribution of tick lateness in constant memory (HDR histogram, three significant digits). */
export class Lateness {
  // The histogram holds integers from 1, so 0 is stored as 1 and everything comes back one less.
  readonly #histogram: RecordableHistogram = createHistogram({
    lowest: 1,
    highest: highestUs + 1,
    figures: 3,
  });
  #maxUs = 0;

  record(lateUs: number): void {
    const us = Math.min(Math.max(0, Math.round(lateUs)), highestUs);
    this.#maxUs = Math.max(this.#maxUs, us);
    this.#histogram.record(us + 1);
  }

  summary(): LatenessSummary {
    if (this.#histogram.count === 0) return { p50: 0, p99: 0, max: 0 };
    return {
      // A bucket is told by its upper end, which may lie above the largest value in it.
      p50: Math.min(this.#histogram.percentile(50) - 1, this.#maxUs),
      p99: Math.min(this.#histogram.percentile(99) - 1, this.#maxUs),
      max: this.#maxUs,
    };
  }
}
