/** The ego's controllers on their CAN bus: one encoder for a run in process and for the bridge to a wire. */
import type { DbcDatabase } from '../../../daemon/vehicles/dbc/database.js';
import { type CanOutput, createCanOutput, emitFrames } from '../../sim/can-output.js';
import type { WeatherState } from '../../sim/weather.js';
import type { VehicleControl } from '../wire/vehicle-control.js';
import { EgoCar, type EgoMotion } from './ego-motion.js';

export interface EgoMoment {
  /** end of the step, µs on the drive's clock, which never goes back */
  readonly tUs: number;
  readonly dtS: number;
  readonly motion: EgoMotion;
  readonly control: VehicleControl;
  readonly weather: WeatherState;
}

export class EgoBus {
  readonly #can: CanOutput;
  readonly #car = new EgoCar();
  /** the bus of this car begins with the drive, which may begin late: behind a lost connection */
  #startUs: number | null = null;

  /** `seed` gives phases and jitter of the senders, and the noise of the inertial sensors. */
  constructor(database: DbcDatabase, seed: string) {
    this.#can = createCanOutput(database, seed);
  }

  /** Sends every frame that is complete by the moment's time, in order; `data` is valid during the call only. */
  step(moment: EgoMoment, emit: (tUs: number, id: number, data: Uint8Array) => void): void {
    const { tUs, dtS, motion, control, weather } = moment;
    const car = this.#car.step(motion, control, weather, dtS);
    this.#startUs ??= tUs;
    const startUs = this.#startUs;
    emitFrames(this.#can, car, tUs - startUs, (sinceUs, id, data) => emit(startUs + sinceUs, id, data));
  }
}
