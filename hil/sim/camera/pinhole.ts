/**
 * A pinhole camera: f = w/(2·tan(fov/2)) in pixels, u = w/2 + f·y/x, v = h/2 − f·z/x for a point x forward, y right,
 * z up of the camera. Pixel (i, j) covers u from i to i + 1 and v from j to j + 1.
 */
import { axesOf, type SensorPose, type Vector } from '../world/sensor-pose.js';

export interface Lens {
  readonly widthPx: number;
  readonly heightPx: number;
  /** horizontal */
  readonly fovDeg: number;
  readonly focalPx: number;
}

export function lensOf(widthPx: number, heightPx: number, fovDeg: number): Lens {
  return { widthPx, heightPx, fovDeg, focalPx: widthPx / (2 * Math.tan((fovDeg * Math.PI) / 360)) };
}

/** Where the camera is and how it is turned: what makes world points points of the camera. */
export class Eye {
  readonly pose: SensorPose;
  readonly forward: Vector;
  readonly right: Vector;
  readonly up: Vector;

  constructor(pose: SensorPose) {
    this.pose = pose;
    const { forward, right, up } = axesOf(pose);
    this.forward = forward;
    this.right = right;
    this.up = up;
  }

  /** Writes the camera's x, y, z of a world point to `into` from `at` on. */
  see(x: number, y: number, z: number, into: Float64Array, at: number): void {
    this.turn(x - this.pose.x, y - this.pose.y, z - this.pose.z, into, at);
  }

  /** The same of a direction. */
  turn(dx: number, dy: number, dz: number, into: Float64Array | Float32Array, at: number): void {
    const { forward, right, up } = this;
    into[at] = dx * forward[0] + dy * forward[1] + dz * forward[2];
    into[at + 1] = dx * right[0] + dy * right[1] + dz * right[2];
    into[at + 2] = dx * up[0] + dy * up[1] + dz * up[2];
  }
}

/** Where a point of the camera is seen; null behind it. */
export function project(lens: Lens, x: number, y: number, z: number): readonly [u: number, v: number] | null {
  if (x <= 0) return null;
  return [lens.widthPx / 2 + (lens.focalPx * y) / x, lens.heightPx / 2 - (lens.focalPx * z) / x];
}

/** Whether a ball around a camera point may be in the picture, up to `rangeM` away. */
export function mayBeSeen(
  lens: Lens,
  x: number,
  y: number,
  z: number,
  radiusM: number,
  rangeM: number,
): boolean {
  if (x < -radiusM || x * x + y * y + z * z > (rangeM + radiusM) * (rangeM + radiusM)) return false;
  // Distance to the planes through the picture's edges: |y|·cos − x·sin with tan = half the width over f.
  const { focalPx } = lens;
  const halfW = lens.widthPx / 2;
  const halfH = lens.heightPx / 2;
  if (Math.abs(y) * focalPx - x * halfW > radiusM * Math.sqrt(focalPx * focalPx + halfW * halfW))
    return false;
  return Math.abs(z) * focalPx - x * halfH <= radiusM * Math.sqrt(focalPx * focalPx + halfH * halfH);
}
