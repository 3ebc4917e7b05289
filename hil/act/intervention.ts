/** Carries a held intent out on top of a driver's control: the one place in simulators where an intervention acts. */
import type { BrakeCurve } from '../../daemon/core/act/brake-curve.js';
import {
  type DriverControl,
  type MergeState,
  type MergeStatus,
  mergeControl,
  noIntervention,
} from '../../daemon/core/act/merge-control.js';
import { HeldIntent } from './held-intent.js';

// A type, not an interface: it is printed as a JSON object.
export type InterventionCounters = {
  /** interventions that braked */
  interventions: number;
  /** control steps in which one braked */
  braking_steps: number;
  ended_by_driver: number;
  /** intents that were not said again in time */
  lapsed: number;
};

export class Intervention {
  readonly held = new HeldIntent();
  readonly #brakes: BrakeCurve;
  #state: MergeState = noIntervention;
  #status: MergeStatus = 'none';
  #interventions = 0;
  #brakingSteps = 0;
  #endedByDriver = 0;
  #counted: number | null = null;

  constructor(brakes: BrakeCurve) {
    this.#brakes = brakes;
  }

  /** deceleration asked on top of the driver now, m/s² */
  get commandMps2(): number {
    return this.#state.commandMps2;
  }

  get status(): MergeStatus {
    return this.#status;
  }

  /** The control that the car gets for the next `dtS`; the driver's own where nothing is in force. */
  over<C extends DriverControl>(driver: C, tUs: number, dtS: number): C {
    const merged = mergeControl(driver, this.held.at(tUs), this.#state, { tUs, dtS, brakes: this.#brakes });
    this.#state = merged.state;
    this.#status = merged.status;
    if (merged.status === 'driver') this.#endedByDriver++;
    if (merged.state.commandMps2 > 0) {
      this.#brakingSteps++;
      if (this.#counted !== merged.state.expiresAtUs) this.#interventions++;
      this.#counted = merged.state.expiresAtUs;
    }
    return merged.control;
  }

  counters(): InterventionCounters {
    return {
      interventions: this.#interventions,
      braking_steps: this.#brakingSteps,
      ended_by_driver: this.#endedByDriver,
      lapsed: this.held.lapsed,
    };
  }
}
