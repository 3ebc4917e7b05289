import { bool, float, i32, struct, type ValueOf } from './codec.js';
import { vector3d } from './geometry.js';

/** Throttle and brake 0…1, steer −1…1 (right positive). Sticky: the last one before the tick holds. */
export const vehicleControl = struct('VehicleControl', {
  throttle: float,
  steer: float,
  brake: float,
  handBrake: bool,
  reverse: bool,
  manualGearShift: bool,
  gear: i32,
});
export type VehicleControl = ValueOf<typeof vehicleControl>;

export const noControl: VehicleControl = {
  throttle: 0,
  steer: 0,
  brake: 0,
  handBrake: false,
  reverse: false,
  manualGearShift: false,
  gear: 0,
};

/** Since 0.9.14. */
export const vehicleAckermannControl = struct('VehicleAckermannControl', {
  steerRad: float,
  steerSpeedRadps: float,
  speedMps: float,
  accelerationMps2: float,
  jerkMps3: float,
});

export const walkerControl = struct('WalkerControl', { direction: vector3d, speedMps: float, jump: bool });
export type WalkerControl = ValueOf<typeof walkerControl>;
