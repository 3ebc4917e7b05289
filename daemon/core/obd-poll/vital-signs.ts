/** Whether the vehicle can afford to be asked: battery voltage and engine speed, as ECUs or the adapter told them. */
import { engineRunningRpm, vitalsUs, voltageMinV } from './poll-settings.js';

export const PID_ENGINE_SPEED = 0x0c;
export const PID_MODULE_VOLTAGE = 0x42;

export type VitalState = 'fit' | 'low_voltage' | 'unknown';

interface Reading {
  readonly tUs: number;
  readonly value: number;
}

export class VitalSigns {
  /** by ECU: the newest reading of each */
  readonly #voltageV = new Map<number, Reading>();
  readonly #engineRpm = new Map<number, Reading>();

  /** Takes `41 0C A B` and `41 42 A B`; other answers say nothing. False: one of the two, but too short to hold a value. */
  take(tUs: number, ecu: number, payload: Uint8Array): boolean {
    const [service, pid, high, low] = payload;
    if (service !== 0x41 || (pid !== PID_ENGINE_SPEED && pid !== PID_MODULE_VOLTAGE)) return true;
    if (high === undefined || low === undefined) return false;
    const raw = high * 256 + low;
    if (pid === PID_ENGINE_SPEED) this.#engineRpm.set(ecu, { tUs, value: raw / 4 });
    else this.#voltageV.set(ecu, { tUs, value: raw / 1000 });
    return true;
  }

  /** A voltage that the adapter measured itself. */
  takeVoltage(tUs: number, voltageV: number): void {
    this.#voltageV.set(-1, { tUs, value: voltageV });
  }

  /** True where a reading is due again. */
  isDue(tUs: number, pid: number): boolean {
    const readings = pid === PID_ENGINE_SPEED ? this.#engineRpm : this.#voltageV;
    for (const reading of readings.values()) if (tUs - reading.tUs < vitalsUs) return false;
    return true;
  }

  state(tUs: number): VitalState {
    const fresh = (readings: Map<number, Reading>): number[] =>
      [...readings.values()].filter((one) => tUs - one.tUs < 3 * vitalsUs).map((one) => one.value);
    const speeds = fresh(this.#engineRpm);
    const voltages = fresh(this.#voltageV);
    if (speeds.some((rpm) => rpm >= engineRunningRpm)) return 'fit';
    if (voltages.length === 0) return 'unknown';
    return voltages.some((volts) => volts >= voltageMinV) ? 'fit' : 'low_voltage';
  }
}
