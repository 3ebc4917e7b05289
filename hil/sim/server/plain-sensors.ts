/** GNSS, IMU and collision of the simulated world. Without noise: CARLA's have none either unless asked. */
import { collisionEvent, gnssMeasurement, imuMeasurement } from '../../carla/stream/sensor-data.js';
import type { Actor } from '../../carla/wire/actor.js';
import { encode } from '../../carla/wire/codec.js';
import { gravityMps2 } from '../plant.js';
import type { WorldActor } from '../world/actor.js';
import { massKg } from '../world/collisions.js';
import type { SensorMoment } from './sensor-actor.js';

/** Metres of a degree of latitude on a sphere of 6 378 137 m; the map's origin lies at 0°, 0° as in CARLA's own maps. */
const metresPerDegree = (Math.PI / 180) * 6_378_137;

export function gnss({ transform }: SensorMoment): Buffer {
  const { x, y, z } = transform.location;
  return encode(gnssMeasurement, { latDeg: -y / metresPerDegree, lonDeg: x / metresPerDegree, altM: z });
}

export function imu({ parent, transform }: SensorMoment): Buffer {
  const aside = parent === null ? 0 : parent.vMps * parent.yawRateRadps;
  return encode(imuMeasurement, {
    accelerationMps2: { x: parent?.axMps2 ?? 0, y: -aside, z: gravityMps2 },
    gyroRadps: { x: 0, y: 0, z: -(parent?.yawRateRadps ?? 0) },
    // North is −y in CARLA; a heading of 0 looks east.
    compassRad: ((transform.rotation.yawDeg + 90 + 360) % 360) * (Math.PI / 180),
  });
}

/** `wire` gives an actor as the RPC does. */
export function collision(
  { world, parent }: SensorMoment,
  wire: (actor: WorldActor) => Actor,
): Buffer | null {
  const begun = world.collisions.find(({ one, other }) => one === parent || other === parent);
  if (begun === undefined || parent === null) return null;
  const other = begun.one === parent ? begun.other : begun.one;
  const impulse = (massKg(parent) * massKg(other) * begun.closingMps) / (massKg(parent) + massKg(other));
  const { headingRad } = parent.pose;
  return encode(collisionEvent, {
    self: wire(parent),
    other: wire(other),
    impulseNs: { x: -impulse * Math.cos(headingRad), y: impulse * Math.sin(headingRad), z: 0 },
  });
}
