/** The ego's controllers on their CAN bus: one encoder for a run in process and for the bridge to a wire. */
import type { DbcDatabase } from '../../../daemon/vehicles/dbc/database.js';
import { type CanOutput, createCanOutput, emitFrames } from '../../sim/can-output.js';
import { faultReading, readingPeriodUs, type TimedFrame } from '../../sim/fault-reading.js';
import type { FaultEvent } from '../../sim/scenario.js';
import { EgoCar, type EgoMoment } from './ego-car.js';

export interface EgoBusOptions {
  readonly database: DbcDatabase;
  readonly seed: string;
  readonly scripted: readonly FaultEvent[];
  readonly hasReadings: boolean;
}

export class EgoBus {
  readonly #can: CanOutput;
  readonly #car: EgoCar;
  /** the bus of this car begins with the drive, which may begin late: behind a lost connection */
  #startUs: number | null = null;
  readonly #hasReadings: boolean;
  readonly #readings: TimedFrame[] = [];
  #nextReadingUs = 0;

  /**
   * `seed` gives phases and jitter of the senders, and the noise of the inertial sensors. `scripted` faults are in the frames
   * alone, their times count from the first step. `hasReadings`: a unit of the car reads the others' trouble codes.
   */
  constructor({ database, seed, scripted, hasReadings }: EgoBusOptions) {
    this.#can = createCanOutput(database, seed);
    this.#car = new EgoCar(scripted);
    this.#hasReadings = hasReadings;
  }

  /** Sends every frame that is complete by the moment's time, in order; `data` is valid during the call only. */
  step(moment: EgoMoment, emit: (tUs: number, id: number, data: Uint8Array) => void): void {
    const { tUs } = moment;
    this.#startUs ??= tUs;
    const startUs = this.#startUs;
    const car = this.#car.step(moment, (tUs - startUs) / 1e6);
    if (this.#hasReadings && tUs >= this.#nextReadingUs) {
      this.#readings.push(...faultReading(car, tUs));
      this.#nextReadingUs = tUs + readingPeriodUs;
    }
    emitFrames(this.#can, car, tUs - startUs, (sinceUs, id, data) => {
      this.#emitReadings(startUs + sinceUs, emit);
      emit(startUs + sinceUs, id, data);
    });
    this.#emitReadings(tUs, emit);
  }

  /** Sends what of the exchanges of diagnostics was due by then. */
  #emitReadings(untilUs: number, emit: (tUs: number, id: number, data: Uint8Array) => void): void {
    for (
      let frame = this.#readings[0];
      frame !== undefined && frame.tUs <= untilUs;
      frame = this.#readings[0]
    ) {
      emit(frame.tUs, frame.id, frame.data);
      this.#readings.shift();
    }
  }
}
