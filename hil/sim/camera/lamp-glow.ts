/** Lamps that shine: remembered while things are drawn, laid over the finished picture as halos that fog makes wider. */
import { type Atmosphere, contrastAt, type Rgb } from './atmosphere.js';
import type { Lens } from './pinhole.js';
import type { Raster } from './raster.js';

const maxLamps = 256;
const fields = 9;

export class LampGlow {
  readonly #lamps = new Float64Array(fields * maxLamps);
  #count = 0;

  clear(): void {
    this.#count = 0;
  }

  /** A lamp at a camera point that belongs to `group`; `strength` 1 adds its colour in full at its middle. */
  add(point: Float64Array, radiusM: number, color: Rgb, strength: number, group: number): void {
    if (this.#count >= maxLamps || (point[0] as number) < 0.3) return;
    const at = fields * this.#count++;
    this.#lamps[at] = point[0] as number;
    this.#lamps[at + 1] = point[1] as number;
    this.#lamps[at + 2] = point[2] as number;
    this.#lamps[at + 3] = radiusM;
    this.#lamps.set(color, at + 4);
    this.#lamps[at + 7] = strength;
    this.#lamps[at + 8] = group;
  }

  /** Over the developed picture (blue, green, red, alpha as one number). */
  draw(raster: Raster, picture: Uint32Array, air: Atmosphere): void {
    const { lens } = raster;
    for (let i = 0; i < this.#count; i++) {
      const at = fields * i;
      const x = this.#lamps[at] as number;
      const y = this.#lamps[at + 1] as number;
      const z = this.#lamps[at + 2] as number;
      const u = lens.widthPx / 2 + (lens.focalPx * y) / x;
      const v = lens.heightPx / 2 - (lens.focalPx * z) / x;
      if (!this.#isVisible(raster, u, v, x, this.#lamps[at + 8] as number)) continue;
      const distanceM = Math.sqrt(x * x + y * y + z * z);
      const strength = (this.#lamps[at + 7] as number) * contrastAt(air, distanceM);
      const ownPx = (lens.focalPx * (this.#lamps[at + 3] as number)) / x;
      const radiusPx = Math.min(lens.heightPx / 3, 1.2 + 3.2 * ownPx * (1 + 25 * air.extinctionPerM));
      spread(lens, picture, u, v, radiusPx, strength, this.#lamps, at + 4);
    }
  }

  #isVisible({ lens, owner, inverse }: Raster, u: number, v: number, x: number, group: number): boolean {
    const column = Math.floor(u);
    const row = Math.floor(v);
    if (column < 0 || row < 0 || column >= lens.widthPx || row >= lens.heightPx) return false;
    const i = row * lens.widthPx + column;
    return owner[i] === group || (inverse[i] as number) * x < 1.02;
  }
}

/** Adds light that falls off as (1 − r²)² from the middle. */
function spread(
  { widthPx, heightPx }: Lens,
  picture: Uint32Array,
  u: number,
  v: number,
  radiusPx: number,
  strength: number,
  color: Float64Array,
  at: number,
): void {
  const red = strength * (color[at] as number);
  const green = strength * (color[at + 1] as number);
  const blue = strength * (color[at + 2] as number);
  const endRow = Math.min(heightPx, Math.ceil(v + radiusPx));
  const endColumn = Math.min(widthPx, Math.ceil(u + radiusPx));
  for (let row = Math.max(0, Math.floor(v - radiusPx)); row < endRow; row++) {
    const dv = (row + 0.5 - v) / radiusPx;
    for (let column = Math.max(0, Math.floor(u - radiusPx)); column < endColumn; column++) {
      const du = (column + 0.5 - u) / radiusPx;
      const left = 1 - du * du - dv * dv;
      if (left <= 0) continue;
      const weight = left * left;
      const i = row * widthPx + column;
      const pixel = picture[i] as number;
      const r = Math.min(255, ((pixel >>> 16) & 255) + red * weight) | 0;
      const g = Math.min(255, ((pixel >>> 8) & 255) + green * weight) | 0;
      const b = Math.min(255, (pixel & 255) + blue * weight) | 0;
      picture[i] = (b | (g << 8) | (r << 16) | 0xff_00_00_00) >>> 0;
    }
  }
}
