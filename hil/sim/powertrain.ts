/** Engine, gearbox and the slow quantities of the car that CAN reports: temperatures, oil pressure, voltage. */
import type { PlantState } from './plant.js';

/** rpm per m/s in each gear: gear · final drive over wheel radius 0.32 m. */
const rpmPerMps = [0, 420, 236, 155, 113, 88, 70] as const;
const idleRpm = 780;
const upshiftRpm = 2900;
const downshiftRpm = 1350;

export interface PowertrainState {
  gear: number;
  engineRpm: number;
  coolantC: number;
  oilC: number;
  oilKpa: number;
  batteryV: number;
  fuelPercent: number;
}

/** An engine that has been running for a while, in the gear for this speed. */
export function warmPowertrain(vMps: number): PowertrainState {
  let gear = 1;
  while (gear < 6 && vMps * (rpmPerMps[gear] ?? 0) > upshiftRpm) gear++;
  return { gear, engineRpm: idleRpm, coolantC: 84, oilC: 88, oilKpa: 200, batteryV: 14.2, fuelPercent: 62 };
}

export function stepPowertrain(state: PowertrainState, plant: PlantState, dtS: number): void {
  const rpmIn = (gear: number): number => plant.vMps * (rpmPerMps[gear] ?? 0);
  if (state.gear < 6 && rpmIn(state.gear) > upshiftRpm) state.gear++;
  else if (state.gear > 1 && rpmIn(state.gear) < downshiftRpm) state.gear--;

  const approach = (value: number, target: number, tauS: number): number =>
    value + ((target - value) * dtS) / tauS;
  state.engineRpm = approach(state.engineRpm, Math.max(idleRpm, rpmIn(state.gear)), 0.15);
  state.coolantC = approach(state.coolantC, 88 + 4 * plant.throttle, 60);
  state.oilC = approach(state.oilC, 92 + 12 * plant.throttle, 120);
  state.oilKpa = approach(state.oilKpa, 140 + Math.min(320, state.engineRpm * 0.1), 0.4);
  state.batteryV = approach(state.batteryV, 14.3 - 0.15 * plant.throttle, 2);
  state.fuelPercent = Math.max(0, state.fuelPercent - (0.0008 + 0.006 * plant.throttle) * dtS);
}
