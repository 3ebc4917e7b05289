/** The ego's motion as its own controllers would measure it, from the state a simulator streams. */

import type { ActorDynamicState } from '../stream/episode-state.js';
import { wireError } from '../wire/wire-error.js';

const radians = Math.PI / 180;

/** In map axes (OpenDRIVE): y and headings have the other sign in CARLA. */
export interface EgoMotion {
  readonly x: number;
  readonly y: number;
  readonly headingRad: number;
  readonly vMps: number;
  readonly axMps2: number;
  readonly yawRateRadps: number;
}

/** @throws DriveMcpError CARLA_WIRE where a number is none: an actor that is half destroyed */
export function motionOf({
  id,
  transform,
  velocityMps,
  accelerationMps2,
  angularVelocityDegps,
}: ActorDynamicState): EgoMotion {
  const yaw = transform.rotation.yawDeg * radians;
  const cos = Math.cos(yaw);
  const sin = Math.sin(yaw);
  const motion = {
    x: transform.location.x,
    y: -transform.location.y,
    headingRad: -yaw,
    vMps: velocityMps.x * cos + velocityMps.y * sin,
    axMps2: accelerationMps2.x * cos + accelerationMps2.y * sin,
    yawRateRadps: -angularVelocityDegps.z * radians,
  };
  for (const [name, value] of Object.entries(motion))
    if (!Number.isFinite(value)) throw wireError(`actor ${id}`, `${name} is ${value}`);
  return motion;
}
