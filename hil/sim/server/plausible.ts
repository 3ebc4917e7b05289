/**
 * Numbers of clients, before they come into the world: one NaN or 1e38 in a state would be everybody's. What cannot be is
 * refused by name; what CARLA cuts to its range (pedals, steering) is cut.
 */
import { RefusedCall } from '../../carla/rpc/rpc-server.js';
import type { ActorDescription } from '../../carla/wire/actor.js';
import type { Transform, Vector3d } from '../../carla/wire/geometry.js';
import type { VehicleControl } from '../../carla/wire/vehicle-control.js';

/** A thousand kilometres: further than any map. */
const farthestM = 1e6;
/** 720 km/h */
const fastestMps = 200;
/** Attributes are words and numbers; what is spawned with one is told to whoever asks. */
const longestAttribute = 1000;

function bounded(name: string, value: number, bound: number): void {
  if (!(Math.abs(value) <= bound))
    throw new RefusedCall(`${name} is ${value}; at most ${bound} either way can be simulated`);
}

export function plausiblePlace({ x, y, z }: Vector3d): void {
  for (const [name, value] of [
    ['location.x', x],
    ['location.y', y],
    ['location.z', z],
  ] as const)
    bounded(name, value, farthestM);
}

export function plausibleTransform({ location, rotation }: Transform): void {
  plausiblePlace(location);
  for (const [name, value] of Object.entries(rotation)) bounded(`rotation.${name}`, value, 36_000);
}

export function plausibleSpeed(name: string, mps: number): void {
  bounded(name, mps, fastestMps);
}

export function plausibleVelocity({ x, y, z }: Vector3d): void {
  for (const [name, value] of Object.entries({ x, y, z })) bounded(`velocity.${name}`, value, fastestMps);
}

export function plausibleDescription({ attributes }: ActorDescription): void {
  for (const { id, value } of attributes)
    if (value.length > longestAttribute)
      throw new RefusedCall(
        `attribute ${id.slice(0, 80)} has ${value.length} characters; at most ${longestAttribute} are taken`,
      );
}

/** Within the ranges of CARLA's vehicles; refuses what is no number. */
export function cutControl(control: VehicleControl): VehicleControl {
  for (const [field, number] of Object.entries(control))
    if (typeof number === 'number' && !Number.isFinite(number))
      throw new RefusedCall(`control: ${field} is ${number}`);
  const within = (value: number, low: number): number => Math.min(1, Math.max(low, value));
  return {
    ...control,
    throttle: within(control.throttle, 0),
    brake: within(control.brake, 0),
    steer: within(control.steer, -1),
  };
}
