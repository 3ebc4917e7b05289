/**
 * Where a sensor is and how it is turned, in OpenDRIVE's axes. Pitch is positive with the nose up, roll with the right
 * side down: CARLA's signs, so that only y and yaw change theirs.
 */
import type { WorldPose } from './actor.js';

export interface SensorPose extends Readonly<WorldPose> {
  readonly pitchRad: number;
  readonly rollRad: number;
}

export type Vector = readonly [x: number, y: number, z: number];

/** Unit vectors of the sensor in world axes: x forward, y right, z up of its own frame. */
export interface SensorAxes {
  readonly forward: Vector;
  readonly right: Vector;
  readonly up: Vector;
}

export function axesOf({ headingRad, pitchRad, rollRad }: SensorPose): SensorAxes {
  const [cosH, sinH] = [Math.cos(headingRad), Math.sin(headingRad)];
  const [cosP, sinP] = [Math.cos(pitchRad), Math.sin(pitchRad)];
  const [cosR, sinR] = [Math.cos(rollRad), Math.sin(rollRad)];
  return {
    forward: [cosP * cosH, cosP * sinH, sinP],
    right: [sinR * sinP * cosH + cosR * sinH, sinR * sinP * sinH - cosR * cosH, -sinR * cosP],
    up: [sinR * sinH - cosR * sinP * cosH, -sinR * cosH - cosR * sinP * sinH, cosR * cosP],
  };
}
