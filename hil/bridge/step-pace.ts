import { pause } from '../carla/session/open-patiently.js';

/** Steps that are later than this are not caught up: a wire would get them all at once. */
const longestDebtMs = 250;

/** Due times of steps on an absolute grid of the wall clock, so that a late step does not make all later ones late. */
export class StepPace {
  readonly #periodMs: number;
  readonly #nowMs: () => number;
  #dueMs: number | null = null;
  /** steps that began more than a period late */
  late = 0;

  constructor(periodMs: number, nowMs: () => number) {
    this.#periodMs = periodMs;
    this.#nowMs = nowMs;
  }

  /** Resolves when the next step is due, or early when the signal aborts. */
  async next(signal: AbortSignal): Promise<void> {
    const nowMs = this.#nowMs();
    this.#dueMs ??= nowMs;
    const waitMs = this.#dueMs - nowMs;
    if (waitMs > 0) await pause(waitMs, signal);
    else if (waitMs < -this.#periodMs) this.late++;
    this.#dueMs = Math.max(this.#dueMs, nowMs - longestDebtMs) + this.#periodMs;
  }
}
