/**
 * Stops calling an expert that keeps failing. Time is an argument (the time of the tick that asks), so that a
 * recorded drive opens and closes it at the same ticks every time.
 */
export type BreakerState = 'closed' | 'open' | 'probing';

export class CircuitBreaker {
  #state: BreakerState = 'closed';
  #failures = 0;
  #openedAtUs = 0;
  /** how often it opened */
  opened = 0;

  constructor(
    readonly maxFailures: number,
    readonly openUs: number,
  ) {}

  get state(): BreakerState {
    return this.#state;
  }

  /** True: call. After the open time exactly one call is let through as a probe. */
  admit(nowUs: number): boolean {
    if (this.#state === 'closed') return true;
    if (this.#state === 'probing' || nowUs - this.#openedAtUs < this.openUs) return false;
    this.#state = 'probing';
    return true;
  }

  success(): void {
    this.#state = 'closed';
    this.#failures = 0;
  }

  failure(nowUs: number): void {
    this.#failures++;
    if (this.#state === 'open') return;
    if (this.#state === 'closed' && this.#failures < this.maxFailures) return;
    this.#state = 'open';
    this.#openedAtUs = nowUs;
    this.opened++;
  }

  /** A probe that was withdrawn proves nothing: the next request may probe again. */
  withdrawn(): void {
    if (this.#state === 'probing') this.#state = 'open';
  }
}
