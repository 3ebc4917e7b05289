/** Payloads of sensors, behind the header of 48 bytes. */
import { actor } from '../wire/actor.js';
import { decodeOne, double, encode, float, struct, type ValueOf } from '../wire/codec.js';
import { vector3d } from '../wire/geometry.js';
import { wireError } from '../wire/wire-error.js';

export interface CameraImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fovDeg: number;
  /** blue, green, red, alpha; rows from the top; alpha is undefined on the wire */
  readonly bgra: Uint8Array;
}

export const imageHeaderBytes = 12;

export function readImage(payload: Buffer): CameraImage {
  if (payload.length < imageHeaderBytes) throw wireError('Image', `${payload.length} bytes`);
  const widthPx = payload.readUInt32LE(0);
  const heightPx = payload.readUInt32LE(4);
  if (payload.length - imageHeaderBytes !== 4 * widthPx * heightPx)
    throw wireError('Image', `${payload.length} bytes are no ${widthPx}×${heightPx} pixels`);
  return { widthPx, heightPx, fovDeg: payload.readFloatLE(8), bgra: payload.subarray(imageHeaderBytes) };
}

/** The first bytes of an image's payload; its rows follow. */
export function writeImageHeader(payload: Buffer, image: Omit<CameraImage, 'bgra'>): void {
  payload.writeUInt32LE(image.widthPx, 0);
  payload.writeUInt32LE(image.heightPx, 4);
  payload.writeFloatLE(image.fovDeg, 8);
}

export function writeImage(image: CameraImage): Buffer {
  const header = Buffer.alloc(imageHeaderBytes);
  writeImageHeader(header, image);
  return Buffer.concat([header, image.bgra]);
}

/** x forward, y right, z up in the sensor's frame, metres; `points` holds x, y, z, intensity one after another. */
export interface LidarScan {
  readonly horizontalRad: number;
  readonly pointsPerChannel: readonly number[];
  readonly points: Float32Array;
}

/** `floatsPerPoint` 4 from 0.9.10 on, 3 before (no intensity: read as 1). */
export function readLidar(payload: Buffer, floatsPerPoint: 3 | 4 = 4): LidarScan {
  if (payload.length < 8) throw wireError('Lidar', `${payload.length} bytes`);
  const channels = payload.readUInt32LE(4);
  const pointsAt = 8 + 4 * channels;
  if (pointsAt > payload.length || (payload.length - pointsAt) % (4 * floatsPerPoint) !== 0)
    throw wireError('Lidar', `${payload.length} bytes fit no scan of ${channels} channels`);
  const pointsPerChannel = Array.from({ length: channels }, (_, i) => payload.readUInt32LE(8 + 4 * i));
  const count = (payload.length - pointsAt) / (4 * floatsPerPoint);
  if (pointsPerChannel.reduce((sum, n) => sum + n, 0) !== count)
    throw wireError('Lidar', `${count} points, but the channels have ${pointsPerChannel.join(' + ')}`);
  const points = new Float32Array(4 * count);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 4; k++)
      points[4 * i + k] =
        k < floatsPerPoint ? payload.readFloatLE(pointsAt + 4 * (i * floatsPerPoint + k)) : 1;
  return { horizontalRad: payload.readFloatLE(0), pointsPerChannel, points };
}

/** The way back: with `floatsPerPoint` 3 the intensity is left out. */
export function writeLidar(scan: LidarScan, floatsPerPoint: 3 | 4 = 4): Buffer {
  const header = Buffer.alloc(8 + 4 * scan.pointsPerChannel.length);
  header.writeFloatLE(scan.horizontalRad, 0);
  header.writeUInt32LE(scan.pointsPerChannel.length, 4);
  for (const [i, count] of scan.pointsPerChannel.entries()) header.writeUInt32LE(count, 8 + 4 * i);
  const points = floatsPerPoint === 4 ? scan.points : scan.points.filter((_, i) => i % 4 !== 3);
  const { buffer, byteOffset, byteLength } = points;
  return Buffer.concat([header, Buffer.from(buffer, byteOffset, byteLength)]);
}

/** `impulse` in N·s. */
export const collisionEvent = struct('CollisionEvent', { self: actor, other: actor, impulseNs: vector3d });
export const gnssMeasurement = struct('GnssMeasurement', { latDeg: double, lonDeg: double, altM: double });
/** `compassRad` 0 = north. */
export const imuMeasurement = struct('IMUMeasurement', {
  accelerationMps2: vector3d,
  gyroRadps: vector3d,
  compassRad: float,
});

export const readCollision = (payload: Buffer): ValueOf<typeof collisionEvent> =>
  decodeOne(collisionEvent, payload);
export const writeCollision = (event: ValueOf<typeof collisionEvent>): Buffer =>
  encode(collisionEvent, event);
