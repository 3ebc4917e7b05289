/** Six packed floats: x, y, z, pitch, yaw, roll. */
import type { Transform, Vector3d } from '../wire/geometry.js';

export function writePackedTransform(bytes: Buffer, at: number, { location, rotation }: Transform): void {
  writePackedVector(bytes, at, location);
  bytes.writeFloatLE(rotation.pitchDeg, at + 12);
  bytes.writeFloatLE(rotation.yawDeg, at + 16);
  bytes.writeFloatLE(rotation.rollDeg, at + 20);
}

export function readPackedTransform(bytes: Buffer, at: number): Transform {
  return {
    location: readPackedVector(bytes, at),
    rotation: {
      pitchDeg: bytes.readFloatLE(at + 12),
      yawDeg: bytes.readFloatLE(at + 16),
      rollDeg: bytes.readFloatLE(at + 20),
    },
  };
}

export function writePackedVector(bytes: Buffer, at: number, { x, y, z }: Vector3d): void {
  bytes.writeFloatLE(x, at);
  bytes.writeFloatLE(y, at + 4);
  bytes.writeFloatLE(z, at + 8);
}

export function readPackedVector(bytes: Buffer, at: number): Vector3d {
  return { x: bytes.readFloatLE(at), y: bytes.readFloatLE(at + 4), z: bytes.readFloatLE(at + 8) };
}
