import type { SignalSample, SourceState } from '../core/tick.js';

/** From the start, signals may take this long to appear before their absence means anything. */
const startGraceUs = 2_000_000;

/**
 * Age of the signals that the vehicle profile calls required, as health of the CAN source. What follows from
 * it (mode MONITOR) is the core's to decide.
 */
export class RequiredSignals {
  readonly #required: { path: string; maxAgeUs: number; seenUs: number | null }[];

  /** @param required VSS path → age in µs from which it counts as stale */
  constructor(required: ReadonlyMap<string, number>) {
    this.#required = [...required]
      .map(([path, maxAgeUs]) => ({ path, maxAgeUs, seenUs: null }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Takes the samples of a tick. One that is marked invalid is no sign of life. */
  see(signals: readonly SignalSample[]): void {
    for (const entry of this.#required) {
      for (const sample of signals) {
        if (sample.path === entry.path && sample.value !== null) entry.seenUs = sample.observedAtUs;
      }
    }
  }

  /** One source per required signal; `lost` = never seen. */
  states(tUs: number): SourceState[] {
    return this.#required.map(({ path, maxAgeUs, seenUs }) => {
      const isLate = seenUs === null ? tUs > startGraceUs : tUs - seenUs > maxAgeUs;
      const state = !isLate ? 'fresh' : seenUs === null ? 'lost' : 'stale';
      return { name: path, kind: 'can', required: true, state };
    });
  }
}
