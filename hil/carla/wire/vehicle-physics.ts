/** VehiclePhysicsControl of the 0.9 line, read and written to change the tyres' friction. The UE5 line is built otherwise. */
import { bool, float, list, struct, type ValueOf } from './codec.js';
import { vector2d, vector3d } from './geometry.js';

const gear = struct('GearPhysicsControl', { ratio: float, downRatio: float, upRatio: float });

/** From 0.9.12 on, with three values of tyre stiffness. */
export const wheel = struct('WheelPhysicsControl', {
  tireFriction: float,
  dampingRate: float,
  maxSteerDeg: float,
  radiusCm: float,
  maxBrakeTorqueNm: float,
  maxHandbrakeTorqueNm: float,
  lateralStiffnessMaxLoad: float,
  lateralStiffness: float,
  longitudinalStiffness: float,
  position: vector3d,
});

export const olderWheel = struct('WheelPhysicsControl (≤ 0.9.11)', {
  tireFriction: float,
  dampingRate: float,
  maxSteerDeg: float,
  radiusCm: float,
  maxBrakeTorqueNm: float,
  maxHandbrakeTorqueNm: float,
  position: vector3d,
});

const physicsFields = {
  torqueCurve: list(vector2d),
  maxRpm: float,
  momentOfInertia: float,
  dampingFullThrottle: float,
  dampingZeroThrottleEngaged: float,
  dampingZeroThrottleDisengaged: float,
  useGearAutobox: bool,
  gearSwitchTimeS: float,
  clutchStrength: float,
  finalRatio: float,
  forwardGears: list(gear),
  massKg: float,
  dragCoefficient: float,
  centerOfMass: vector3d,
  steeringCurve: list(vector2d),
};

export const vehiclePhysics = struct('VehiclePhysicsControl', {
  ...physicsFields,
  wheels: list(wheel),
  useSweepWheelCollision: bool,
});
export type VehiclePhysics = ValueOf<typeof vehiclePhysics>;

/** `hasSweep`: 0.9.11, which has the older wheels and the newer last field. */
export const olderVehiclePhysicsCodec = (hasSweep: boolean) =>
  struct(
    'VehiclePhysicsControl (≤ 0.9.11)',
    { ...physicsFields, wheels: list(olderWheel), useSweepWheelCollision: bool },
    hasSweep ? 17 : 16,
  );

export type OlderVehiclePhysics = ValueOf<ReturnType<typeof olderVehiclePhysicsCodec>>;

/** The same physics with every wheel's friction multiplied; everything else as it came. */
export function scaleFriction<P extends VehiclePhysics | OlderVehiclePhysics>(physics: P, factor: number): P {
  const wheels = physics.wheels.map((wheel) => ({ ...wheel, tireFriction: wheel.tireFriction * factor }));
  return { ...physics, wheels };
}
