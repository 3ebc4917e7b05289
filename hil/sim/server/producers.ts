/** The sensors with pictures in them: what a served world can carry beside GNSS, IMU and collisions. */
import { writeLidar } from '../../carla/stream/sensor-data.js';
import { scanLidar } from '../lidar/scan-lidar.js';
import { createPrng, type Prng } from '../prng.js';
import { bounded } from './bounded.js';
import { cameraProducers, type FacesSeen } from './camera-producers.js';
import type { SensorActor, SensorProducer } from './sensor-actor.js';
import { sensorPose } from './sensor-transform.js';

/** By type id, for one server; each sensor has a stream of random numbers of its own. */
export function sensorProducers(
  seed: string,
  facesSeen: FacesSeen = () => {},
): ReadonlyMap<string, SensorProducer> {
  return new Map([['sensor.lidar.ray_cast', lidarProducer(seed)], ...cameraProducers(seed, facesSeen)]);
}

/** Where a turning LiDAR looks, and when it last did. */
interface Turning {
  readonly prng: Prng;
  fromRad: number;
  lastS: number | null;
}

/** A message holds what was swept since the one before, as in CARLA: half a turn at 10 Hz and steps of 50 ms. */
function lidarProducer(seed: string): SensorProducer {
  const turning = new WeakMap<SensorActor, Turning>();
  return (moment) => {
    const { world, sensor, attribute, profile } = moment;
    const state = turning.get(sensor) ?? {
      prng: createPrng(seed, `lidar ${sensor.id}`),
      fromRad: 0,
      lastS: null,
    };
    turning.set(sensor, state);
    const settings = {
      channels: bounded(attribute('channels'), 1, 128),
      rangeM: bounded(attribute('range'), 1, 300),
      pointsPerSecond: bounded(attribute('points_per_second'), 1, 2_000_000),
      rotationHz: bounded(attribute('rotation_frequency'), 0.1, 100),
      upperFovDeg: bounded(attribute('upper_fov'), -90, 90),
      lowerFovDeg: bounded(attribute('lower_fov'), -90, 90),
      horizontalFovDeg: bounded(attribute('horizontal_fov'), 1, 360),
    };
    const turnS = 1 / settings.rotationHz;
    // The first message, and one behind a pause in which nobody read, hold a whole turn.
    const sweepS = state.lastS === null ? turnS : Math.min(turnS, Math.max(0, world.tS - state.lastS));
    const scan = scanLidar(
      world,
      {
        pose: sensorPose(moment),
        parentId: sensor.parentId === 0 ? null : sensor.parentId,
        fromRad: state.fromRad,
        sweepS,
      },
      settings,
      state.prng,
    );
    state.lastS = world.tS;
    state.fromRad = scan.horizontalRad;
    return writeLidar(scan, profile.lidarFloats);
  };
}
