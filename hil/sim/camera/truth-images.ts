/** Depths and labels of what was drawn, as CARLA encodes them in pictures. Without weather, noise or light. */
import { skyLabel } from './label.js';
import { material, type Raster } from './raster.js';
import type { SceneGroups } from './scene-groups.js';

const farthestM = 1000;
const largest = 2 ** 24 - 1;
/** label of open ground, of which nobody is the owner */
const terrain = 4;

/** Depth along the camera's axis: metres = 1000·(R + 256·G + 65536·B)/(2²⁴ − 1); the sky is at 1000 m. */
export function writeDepths({ inverse }: Raster, bgra: Uint8Array): void {
  for (let i = 0; i < inverse.length; i++) {
    const value = Math.abs(inverse[i] as number);
    const depthM = value * farthestM <= 1 ? farthestM : 1 / value;
    const coded = Math.round((depthM / farthestM) * largest);
    bgra[4 * i] = coded >>> 16;
    bgra[4 * i + 1] = (coded >>> 8) & 255;
    bgra[4 * i + 2] = coded & 255;
    bgra[4 * i + 3] = 255;
  }
}

/** CARLA's label in the red channel; `codes` by our own label. */
export function writeLabels(
  { color, owner }: Raster,
  { labels }: SceneGroups,
  codes: Uint8Array,
  bgra: Uint8Array,
): void {
  bgra.fill(0);
  for (let i = 0; i < owner.length; i++) {
    const group = owner[i] as number;
    const isSky = group === 0 && (color[i] as number) >>> 24 === material.sky;
    const label = group !== 0 ? (labels[group] as number) : isSky ? skyLabel : terrain;
    bgra[4 * i + 2] = codes[label] as number;
    bgra[4 * i + 3] = 255;
  }
}
