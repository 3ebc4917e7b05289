/** Ackermann control: a wanted speed and steering angle become pedals and steering, until a pedal control comes. */
import { noControl, type VehicleControl } from '../../carla/wire/vehicle-control.js';
import { dragMps2, driveLimitMps2 } from '../plant.js';
import { type Bicycle, fullSteerRad } from './bicycle.js';

export interface AckermannTarget {
  /** right positive, as CARLA's steering */
  readonly steerRad: number;
  readonly speedMps: number;
  /** 0: as the vehicle can */
  readonly accelerationMps2: number;
}

const gainPerS = 1.5;
const ordinaryMps2 = 3;

export function ackermannControl(target: AckermannTarget, { model, plant, gear }: Bicycle): VehicleControl {
  const boundMps2 = Math.abs(target.accelerationMps2) > 0 ? Math.abs(target.accelerationMps2) : ordinaryMps2;
  const isReverse = target.speedMps < 0;
  const nowMps = plant.vMps * gear * (isReverse ? -1 : 1);
  const wanted = Math.max(-boundMps2, Math.min(boundMps2, gainPerS * (Math.abs(target.speedMps) - nowMps)));
  const pushed = wanted + dragMps2(model, plant.vMps);
  return {
    ...noControl,
    throttle: pushed > 0 ? Math.min(1, pushed / driveLimitMps2(model, plant.vMps)) : 0,
    brake: pushed < 0 ? Math.min(1, -pushed / model.peakBrakeMps2) : 0,
    steer: Math.max(-1, Math.min(1, target.steerRad / fullSteerRad)),
    reverse: isReverse,
  };
}
