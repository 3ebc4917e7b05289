/**
 * A simulated rotating LiDAR: every beam against the ground plane and the oriented boxes of all actors, the nearest hit
 * counts. Rain loses returns and blurs ranges; both laws are ours and stand for no product.
 */
import type { LidarScan } from '../../carla/stream/sensor-data.js';
import { referencePose } from '../../opendrive/road-line.js';
import type { Prng } from '../prng.js';
import { axesOf, type SensorPose } from '../world/sensor-pose.js';
import type { SimWorld } from '../world/sim-world.js';
import { boxesAround, hitBoxM } from './ray-box.js';

/** CARLA's attributes of `sensor.lidar.ray_cast`, with units. */
export interface LidarSettings {
  readonly channels: number;
  readonly rangeM: number;
  readonly pointsPerSecond: number;
  readonly rotationHz: number;
  readonly upperFovDeg: number;
  readonly lowerFovDeg: number;
  readonly horizontalFovDeg: number;
}

export interface LidarSensor {
  readonly pose: SensorPose;
  /** the actor that carries it and that it does not see */
  readonly parentId: number | null;
  /** where the sweep begins, from the left edge of the field of view, clockwise; 0 unless told */
  readonly fromRad?: number;
  /** time that the sweep takes; one rotation unless told */
  readonly sweepS?: number;
}

/** Share of the light that is lost a metre in clear air, as CARLA has it; intensity = exp(−a·d). */
const clearAttenuationPerM = 0.004;
const attenuationInRainPerM = 0.02; // more, at precipitation 100 %
const clearNoiseM = 0.01; // standard deviation
const noiseInRainM = 0.04; // more, at precipitation 100 %
const missedInClear = 0.002; // of the returns
const missedInRain = 0.35; // more, at precipitation 100 % and full range

/**
 * One sweep. Points are in the sensor's frame (x forward, y right, z up, metres), channel after channel from the uppermost
 * beam down. The draws of a beam do not depend on what it hits, so that one more actor never shifts the noise of another.
 */
export function scanLidar(
  world: SimWorld,
  sensor: LidarSensor,
  settings: LidarSettings,
  prng: Prng,
): LidarScan {
  const { pose, parentId, fromRad = 0, sweepS = 1 / settings.rotationHz } = sensor;
  const { channels, rangeM } = settings;
  const rain = Math.min(1, Math.max(0, world.weather.at(world.tS).weather.precipitation / 100));
  const perChannel = Math.max(0, Math.round((settings.pointsPerSecond * sweepS) / channels));
  const fieldRad = (settings.horizontalFovDeg * Math.PI) / 180;
  const sweptRad = fieldRad * settings.rotationHz * sweepS;
  const { forward, right, up } = axesOf(pose);
  const boxes = boxesAround(world.actors.values(), pose, rangeM, parentId);
  const groundZ = groundUnder(world, sensor);
  const points = new Float32Array(4 * channels * perChannel);
  const pointsPerChannel: number[] = [];
  let at = 0;
  for (let channel = 0; channel < channels; channel++) {
    const before = at;
    const elevationRad = beamRad(settings, channel);
    const cosE = Math.cos(elevationRad);
    const sinE = Math.sin(elevationRad);
    for (let i = 0; i < perChannel; i++) {
      const turnRad = ((fromRad + (sweptRad * i) / perChannel) % fieldRad) - fieldRad / 2;
      const [x, y, z] = [cosE * Math.cos(turnRad), cosE * Math.sin(turnRad), sinE];
      const dx = x * forward[0] + y * right[0] + z * up[0];
      const dy = x * forward[1] + y * right[1] + z * up[1];
      const dz = x * forward[2] + y * right[2] + z * up[2];
      const noiseM = (clearNoiseM + noiseInRainM * rain) * prng.normal();
      const luck = prng.uniform();
      // The plane is no underground: from below it nothing is seen of it.
      let hitM = dz < 0 && pose.z > groundZ ? (groundZ - pose.z) / dz : Number.POSITIVE_INFINITY;
      for (const box of boxes) hitM = Math.min(hitM, hitBoxM(box, dx, dy, dz));
      if (hitM > rangeM || luck < missedInClear + (missedInRain * rain * hitM) / rangeM) continue;
      const seenM = Math.max(0, hitM + noiseM);
      points[at] = x * seenM;
      points[at + 1] = y * seenM;
      points[at + 2] = z * seenM;
      points[at + 3] = Math.exp(-(clearAttenuationPerM + attenuationInRainPerM * rain) * hitM);
      at += 4;
    }
    pointsPerChannel.push((at - before) / 4);
  }
  return {
    horizontalRad: fieldRad === 0 ? 0 : (fromRad + sweptRad) % fieldRad,
    pointsPerChannel,
    points: points.subarray(0, at),
  };
}

/** Elevation of a channel's beam: evenly from the upper edge of the field to the lower one. */
export function beamRad({ channels, upperFovDeg, lowerFovDeg }: LidarSettings, channel: number): number {
  const stepDeg = channels < 2 ? 0 : (upperFovDeg - lowerFovDeg) / (channels - 1);
  return ((upperFovDeg - channel * stepDeg) * Math.PI) / 180;
}

/** Height of the plane: what the carrier stands on, else the road below, else 0. */
function groundUnder(world: SimWorld, { pose, parentId }: LidarSensor): number {
  const parent = parentId === null ? undefined : world.actors.get(parentId);
  if (parent !== undefined) return parent.pose.z;
  const found = world.index.locate(pose.x, pose.y);
  return found === null ? 0 : referencePose(found.road, found.sM).z;
}
