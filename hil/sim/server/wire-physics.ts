/**
 * A vehicle's physics as CARLA describes it. The plant has no gears or torque curves; what it has (mass, tyre friction,
 * brakes, steering) is filled in and taken back, the rest is plausible and read over.
 */

import { zero } from '../../carla/wire/geometry.js';
import type { VehiclePhysics } from '../../carla/wire/vehicle-physics.js';
import type { VehicleModel } from '../plant.js';

/** CARLA's default (0.9.13); friction of the road is on top of it. */
export const ordinaryTireFriction = 3.5;
const massKg = 1500;
const wheelRadiusM = 0.33;

export function physicsOf(model: VehicleModel, frictionFactor: number): VehiclePhysics {
  const halfM = model.wheelbaseM / 2;
  const torqueNm = (model.peakBrakeMps2 * massKg * wheelRadiusM) / 4;
  const wheel = (x: number, y: number, isFront: boolean): VehiclePhysics['wheels'][number] => ({
    tireFriction: ordinaryTireFriction * frictionFactor,
    dampingRate: 0.25,
    maxSteerDeg: isFront ? 70 : 0,
    radiusCm: wheelRadiusM * 100,
    maxBrakeTorqueNm: torqueNm,
    maxHandbrakeTorqueNm: isFront ? 0 : torqueNm,
    lateralStiffnessMaxLoad: 2,
    lateralStiffness: 17,
    longitudinalStiffness: 1000,
    position: { x: x * 100, y: y * 100, z: wheelRadiusM * 100 },
  });
  return {
    torqueCurve: [
      { x: 0, y: 400 },
      { x: 5000, y: 400 },
    ],
    maxRpm: 5000,
    momentOfInertia: 1,
    dampingFullThrottle: 0.15,
    dampingZeroThrottleEngaged: 2,
    dampingZeroThrottleDisengaged: 0.35,
    useGearAutobox: true,
    gearSwitchTimeS: 0.5,
    clutchStrength: 10,
    finalRatio: 4,
    forwardGears: [],
    massKg,
    dragCoefficient: 0.3,
    centerOfMass: zero,
    steeringCurve: [{ x: 0, y: 1 }],
    wheels: [
      wheel(halfM, -model.trackM / 2, true),
      wheel(halfM, model.trackM / 2, true),
      wheel(-halfM, -model.trackM / 2, false),
      wheel(-halfM, model.trackM / 2, false),
    ],
    useSweepWheelCollision: false,
  };
}

/** What a client's physics say about grip: their mean tyre friction against the ordinary one. */
export function frictionFactorOf({ wheels }: Pick<VehiclePhysics, 'wheels'>): number | null {
  if (wheels.length === 0) return null;
  const mean = wheels.reduce((sum, { tireFriction }) => sum + tireFriction, 0) / wheels.length;
  return Number.isFinite(mean) && mean >= 0 ? mean / ordinaryTireFriction : null;
}
