/**
 * A vehicle that is driven by pedals and a steering wheel: the plant's longitudinal motion and tyre limit on a kinematic
 * bicycle. Steering is limited in rate; beyond the friction ellipse the plant gives less yaw than the wheels ask for.
 */
import type { VehicleControl } from '../../carla/wire/vehicle-control.js';
import {
  type Faults,
  type PlantState,
  restingPlant,
  soundFaults,
  stepPlant,
  type VehicleModel,
} from '../plant.js';
import type { VehicleActor } from './actor.js';

/** CARLA's full steering is 70° at the front wheels; ours turns there at 3 full strokes a second. */
export const fullSteerRad = (70 * Math.PI) / 180;
const steerRatePerS = 3;
const fastestReverseMps = 8;
const handBrakeShare = 0.6;

export interface Bicycle {
  readonly model: VehicleModel;
  readonly plant: PlantState;
  readonly faults: Faults;
  /** −1 … 1, right positive, as CARLA has it */
  steer: number;
  /** 1 forwards, −1 backwards: changes at standstill only */
  gear: 1 | -1;
}

export function parkedBicycle(model: VehicleModel, vMps: number): Bicycle {
  return {
    model,
    plant: restingPlant(0, Math.max(0, vMps)),
    faults: soundFaults(model),
    steer: 0,
    gear: 1,
  };
}

/** Advances one plant step; pose and speeds of the actor follow. */
export function stepBicycle(
  bicycle: Bicycle,
  actor: VehicleActor,
  control: VehicleControl,
  mu: number,
  dtS: number,
): void {
  const { plant, model } = bicycle;
  if (plant.vMps < 0.05) bicycle.gear = control.reverse ? -1 : 1;
  const turn = Math.max(-1, Math.min(1, control.steer)) - bicycle.steer;
  bicycle.steer += Math.max(-steerRatePerS * dtS, Math.min(steerRatePerS * dtS, turn));
  // A wish for the other direction brakes first; so does a reverse that is too fast.
  const isAgainst = (control.reverse ? -1 : 1) !== bicycle.gear;
  const isTooFast = bicycle.gear < 0 && plant.vMps > fastestReverseMps;
  const controls = {
    throttle: isAgainst || isTooFast ? 0 : control.throttle,
    brake: Math.max(isAgainst ? 0.5 : control.brake, control.handBrake ? handBrakeShare : 0),
    curvaturePerM: -Math.tan(bicycle.steer * fullSteerRad) / model.wheelbaseM,
  };
  const beforeM = plant.sM;
  stepPlant(plant, model, controls, bicycle.faults, mu, dtS);
  const { pose } = actor;
  const movedM = (plant.sM - beforeM) * bicycle.gear;
  const turnedRad = plant.yawRateRadps * bicycle.gear * dtS;
  const middleRad = pose.headingRad + turnedRad / 2;
  pose.x += movedM * Math.cos(middleRad);
  pose.y += movedM * Math.sin(middleRad);
  pose.headingRad += turnedRad;
  actor.vMps = plant.vMps * bicycle.gear;
  actor.axMps2 = plant.axMps2 * bicycle.gear;
  actor.yawRateRadps = plant.yawRateRadps * bicycle.gear;
}
