/**
 * The only place that reads clocks. Monotonic time serves all logic; wall time serves records and validity
 * dates and is never subtracted from a monotonic time.
 */
import type { Clock } from '../ports.js';

export const systemClock: Clock = {
  monoUs: () => Math.floor(performance.now() * 1000),
  wallMs: () => Date.now(),
  async sleepUntilUs(tUs, signal) {
    // A Node timer may fire a fraction of a millisecond early (measured: 0.3 ms at the median), hence the loop.
    for (let restUs = tUs - this.monoUs(); restUs > 0; restUs = tUs - this.monoUs()) {
      if (signal?.aborted) return;
      await sleep(restUs / 1000, signal);
    }
  },
};

/**
 * The kernel's monotonic clock − `systemClock.monoUs()`, µs: Node's begins with the process, the kernel's with the
 * machine. Read three times; the narrowest pair of readings around counts, so that a preemption is no part of it.
 */
export function kernelClockBaseUs(): number {
  let [baseUs, narrowestUs] = [0, Number.POSITIVE_INFINITY];
  for (let i = 0; i < 3; i++) {
    const beforeUs = systemClock.monoUs();
    const kernelUs = Number(process.hrtime.bigint() / 1000n);
    const widthUs = systemClock.monoUs() - beforeUs;
    if (widthUs >= narrowestUs) continue;
    narrowestUs = widthUs;
    baseUs = kernelUs - beforeUs - Math.floor(widthUs / 2);
  }
  return baseUs;
}

/** Node's timers take 31 bits of milliseconds; a longer wait is made of several. */
const timerMaxMs = 2 ** 30;

/** Resolves after `ms`, or as soon as the signal aborts; leaves neither timer nor listener behind. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(ms, timerMaxMs));
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** When drive time is due in wall-clock terms: `speed` drive seconds pass in one second of monotonic time. */
export class Pace {
  readonly #startUs: number;

  /**
   * @param speed a factor > 0, or `'max'`: as fast as it goes. There the drive's own speed (1) is the
   *   schedule against which lateness is measured: 0 means "never behind real time".
   */
  constructor(
    readonly clock: Clock,
    readonly speed: number | 'max',
  ) {
    this.#startUs = clock.monoUs();
  }

  /** Waits for the moment `tUs` of drive time is due and returns by how much it is late, µs ≥ 0. */
  async waitUntilDue(tUs: number, signal?: AbortSignal): Promise<number> {
    const dueUs = this.#startUs + tUs / (this.speed === 'max' ? 1 : this.speed);
    if (this.speed !== 'max' && dueUs > this.clock.monoUs()) await this.clock.sleepUntilUs(dueUs, signal);
    return Math.max(0, this.clock.monoUs() - dueUs);
  }
}
