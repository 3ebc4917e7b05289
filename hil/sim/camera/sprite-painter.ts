import { material, paint, type Raster } from './raster.js';
import type { Sprite } from './tree-sprites.js';

/** A picture that stands upright and always turns to the camera: foot at a camera point. `light`: how bright, 1 as painted. */
export function drawSprite(
  raster: Raster,
  foot: Float64Array,
  widthM: number,
  heightM: number,
  levels: readonly Sprite[],
  group: number,
  light: number,
): void {
  const x = foot[0] as number;
  if (x < 0.5) return;
  const { lens, color, inverse: inverses, owner } = raster;
  const scale = lens.focalPx / x;
  const middle = lens.widthPx / 2 + scale * (foot[1] as number);
  const bottom = lens.heightPx / 2 - scale * (foot[2] as number);
  const wide = widthM * scale;
  const tall = heightM * scale;
  const sprite = levels.find(({ heightPx }) => heightPx <= tall * 1.5) ?? (levels.at(-1) as Sprite);
  const left = middle - wide / 2;
  const top = bottom - tall;
  const endColumn = Math.min(lens.widthPx, Math.round(left + wide));
  const endRow = Math.min(lens.heightPx, Math.round(bottom));
  const inverse = 1 / x;
  const lit = Math.round(256 * light);
  const across = sprite.widthPx / wide;
  const down = sprite.heightPx / tall;
  for (let row = Math.max(0, Math.round(top)); row < endRow; row++) {
    const from = Math.min(sprite.heightPx - 1, ((row + 0.5 - top) * down) | 0) * sprite.widthPx;
    for (let column = Math.max(0, Math.round(left)); column < endColumn; column++) {
      const own = sprite.colors[
        from + Math.min(sprite.widthPx - 1, ((column + 0.5 - left) * across) | 0)
      ] as number;
      const i = row * lens.widthPx + column;
      if (own === 0 || inverse < (inverses[i] as number)) continue;
      color[i] = dimmed(own, lit);
      inverses[i] = inverse;
      owner[i] = group;
    }
  }
}

/** `lit` of 256; a sprite is never brighter than it is painted. */
function dimmed(color: number, lit: number): number {
  const redBlue = (((color & 0xff_00_ff) * Math.min(256, lit)) >>> 8) & 0xff_00_ff;
  const green = (((color & 0x00_ff_00) * Math.min(256, lit)) >>> 8) & 0x00_ff_00;
  return (redBlue | green | matte) >>> 0;
}

const matte = paint(0, 0, 0, material.matte);
