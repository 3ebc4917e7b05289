/** Clouds: a sheet high above the world that drifts. */
import { type Atmosphere, ramp } from './atmosphere.js';
import { smoothTile, tileSize } from './grain.js';
import type { Eye } from './pinhole.js';

const tile = smoothTile('clouds', 32);
const mask = tileSize - 1;
/** Clouds are soft: looked up every few pixels, in between on a line. */
const stride = 16;

/** Share of cloud along a row of pixels, of 256 each. */
export function fillClouds(
  shares: Int32Array,
  { forward, right, up }: Eye,
  rise: number,
  step: number,
  { clouds, darkness }: Atmosphere,
  tS: number,
): void {
  const count = shares.length;
  const thinness = 0.85 * (1 - 0.5 * darkness);
  const at = (column: number): number => {
    const aside = (column + 0.5 - count / 2) * step;
    const z = forward[2] + rise * up[2] + aside * right[2];
    if (z < 0.03 || clouds < 0.02) return 0;
    const scale = 26 / (z + 0.04);
    const x = (forward[0] + rise * up[0] + aside * right[0]) * scale + tS * 0.15;
    const y = (forward[1] + rise * up[1] + aside * right[1]) * scale;
    const thick = (tile[((y & mask) << 8) | (x & mask)] as number) / 255;
    return 256 * thinness * ramp(thick, 0.78 - 0.62 * clouds, 1.02 - 0.45 * clouds) * ramp(z, 0.03, 0.22);
  };
  let next = at(0);
  for (let from = 0; from < count; from += stride) {
    const here = next;
    next = at(from + stride);
    const end = Math.min(count, from + stride);
    for (let column = from; column < end; column++)
      shares[column] = here + ((next - here) * (column - from)) / stride;
  }
}
