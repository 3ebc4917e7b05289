/**
 * Motion while the shutter is open: every pixel is the mean of five places along the way of what it shows. With a = y/x,
 * b = z/x, w = 1/x, the camera's velocity (vx, vy, vz) against the thing and its yaw rate r:
 *   du/dt = f·(a·(vx·w + r·a) − vy·w + r),  dv/dt = −f·(b·(vx·w + r·a) − vz·w)
 */
import type { Raster } from './raster.js';
import type { SceneGroups } from './scene-groups.js';

/** of the attribute at 1; a shutter of half a turn at 25 pictures a second */
const longestShutterS = 1 / 50;
const taps = 5;
const farthestPx = 48;

/** Of the camera in its own axes: x forward, y right, z up, m/s; rad/s to the left. */
export interface CameraMotion {
  readonly vMps: readonly [x: number, y: number, z: number];
  readonly yawRateRadps: number;
}

export class MotionBlur {
  readonly #raster: Raster;
  readonly #before: Uint32Array;

  constructor(raster: Raster) {
    this.#raster = raster;
    this.#before = new Uint32Array(raster.color.length);
  }

  draw(
    picture: Uint32Array,
    groups: SceneGroups,
    { vMps, yawRateRadps }: CameraMotion,
    intensity: number,
  ): void {
    const { lens, inverse: inverses, owner } = this.#raster;
    const { widthPx, heightPx, focalPx } = lens;
    const before = this.#before;
    before.set(picture);
    const shutterS = longestShutterS * Math.min(1, intensity);
    const { velocities } = groups;
    for (let row = 0, i = 0; row < heightPx; row++) {
      const b = (heightPx / 2 - row - 0.5) / focalPx;
      for (let column = 0; column < widthPx; column++, i++) {
        const a = (column + 0.5 - widthPx / 2) / focalPx;
        const w = Math.abs(inverses[i] as number);
        const thing = 3 * (owner[i] as number);
        const vx = vMps[0] - (velocities[thing] as number);
        const vy = vMps[1] - (velocities[thing + 1] as number);
        const vz = vMps[2] - (velocities[thing + 2] as number);
        const ahead = vx * w + yawRateRadps * a;
        const du = within(focalPx * (a * ahead - vy * w + yawRateRadps) * shutterS);
        const dv = within(-focalPx * (b * ahead - vz * w) * shutterS);
        if (du * du + dv * dv < 0.5) continue;
        let red = 0;
        let green = 0;
        let blue = 0;
        for (let tap = 0; tap < taps; tap++) {
          const share = tap / (taps - 1) - 0.5;
          const u = Math.min(widthPx - 1, Math.max(0, (column + 0.5 + du * share) | 0));
          const v = Math.min(heightPx - 1, Math.max(0, (row + 0.5 + dv * share) | 0));
          const pixel = before[v * widthPx + u] as number;
          red += (pixel >>> 16) & 255;
          green += (pixel >>> 8) & 255;
          blue += pixel & 255;
        }
        picture[i] =
          ((blue / taps) | 0 | (((green / taps) | 0) << 8) | (((red / taps) | 0) << 16) | 0xff_00_00_00) >>>
          0;
      }
    }
  }
}

const within = (px: number): number => Math.min(farthestPx, Math.max(-farthestPx, px));
