import type { Decision } from '../../daemon/core/tick.js';
import type { Sink } from '../../daemon/ports.js';
import type { Intervention } from './intervention.js';

/**
 * ACT inside one process: intents go to the simulated car, or to the CARLA session, that the process itself drives. There is no
 * way from here to a vehicle. `toCarUs` turns the daemon's time of ticks into the time of that car.
 */
export class SimulatorSink implements Sink {
  readonly #intervention: Intervention;
  readonly #nowUs: () => number;
  readonly #toCarUs: (tUs: number) => number;

  constructor(
    readonly name: 'sim' | 'carla',
    intervention: Intervention,
    nowUs: () => number,
    toCarUs: (tUs: number) => number = (tUs) => tUs,
  ) {
    this.#intervention = intervention;
    this.#nowUs = nowUs;
    this.#toCarUs = toCarUs;
  }

  /** What is said is heard elsewhere. */
  speak(): void {}

  act(_tick: number, { intent }: Decision): void {
    if (intent === null) return;
    this.#intervention.held.hold(
      { ...intent, expiresAtUs: this.#toCarUs(intent.expiresAtUs) },
      this.#nowUs(),
    );
  }

  release(): void {
    this.#intervention.held.release();
  }
}
