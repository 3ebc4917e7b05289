/** OpenDRIVE's right-handed axes to CARLA's left-handed ones and back: y and yaw change their sign, radians become degrees. */
import type { Transform, Vector3d } from '../../carla/wire/geometry.js';
import type { WorldActor, WorldPose } from '../world/actor.js';

const degrees = 180 / Math.PI;

export function toTransform({ x, y, z, headingRad }: WorldPose): Transform {
  return {
    location: { x, y: -y, z },
    rotation: { pitchDeg: 0, yawDeg: wrapDeg(-headingRad * degrees), rollDeg: 0 },
  };
}

export function toPose({ location, rotation }: Transform): WorldPose {
  return { x: location.x, y: -location.y, z: location.z, headingRad: -rotation.yawDeg / degrees };
}

/** −180° … 180°. */
export function wrapDeg(angleDeg: number): number {
  return angleDeg - 360 * Math.floor((angleDeg + 180) / 360);
}

export function velocityOf(actor: WorldActor): Vector3d {
  if (actor.kind === 'walker')
    return { x: actor.direction.x * actor.vMps, y: -actor.direction.y * actor.vMps, z: 0 };
  const { headingRad } = actor.pose;
  return { x: actor.vMps * Math.cos(headingRad), y: -actor.vMps * Math.sin(headingRad), z: 0 };
}

/** World frame: along the heading, and v·ψ' to the left of it. */
export function accelerationOf(actor: WorldActor): Vector3d {
  const cos = Math.cos(actor.pose.headingRad);
  const sin = Math.sin(actor.pose.headingRad);
  const aside = actor.vMps * actor.yawRateRadps;
  return { x: actor.axMps2 * cos - aside * sin, y: -(actor.axMps2 * sin + aside * cos), z: 0 };
}

/** Where a sensor is: its pose relative to the parent (CARLA's axes) put onto the parent's. */
export function attached(parent: Transform, relative: Transform): Transform {
  const yaw = parent.rotation.yawDeg / degrees;
  const { x, y, z } = relative.location;
  return {
    location: {
      x: parent.location.x + x * Math.cos(yaw) - y * Math.sin(yaw),
      y: parent.location.y + x * Math.sin(yaw) + y * Math.cos(yaw),
      z: parent.location.z + z,
    },
    rotation: {
      pitchDeg: relative.rotation.pitchDeg,
      yawDeg: wrapDeg(parent.rotation.yawDeg + relative.rotation.yawDeg),
      rollDeg: relative.rotation.rollDeg,
    },
  };
}
