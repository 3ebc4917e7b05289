/** Trees as small pictures, made at the start: leaves in clumps, lighter on top. Zero is where one sees through. */
import { createPrng } from '../prng.js';
import { material, paint } from './raster.js';

export interface Sprite {
  readonly widthPx: number;
  readonly heightPx: number;
  /** see `paint`; rows from the top */
  readonly colors: Uint32Array;
}

const widthPx = 96;
const heightPx = 144;
const kinds = 6;

/** By kind, each in halving sizes. */
export const treeSprites: readonly (readonly Sprite[])[] = Array.from({ length: kinds }, (_, kind) =>
  pyramid(tree(kind)),
);

function tree(kind: number): Sprite {
  const prng = createPrng('tree', String(kind));
  const colors = new Uint32Array(widthPx * heightPx);
  const isConifer = kind % 3 === 2;
  const trunk = paint(74, 58, 44, material.matte);
  for (let y = heightPx >> 1; y < heightPx; y++)
    for (let x = 44; x < 52; x++) colors[y * widthPx + x] = trunk;
  const hue = prng.uniform();
  for (let i = 0; i < (isConifer ? 420 : 380); i++) {
    const up = prng.uniform();
    const wide = isConifer ? 0.08 + 0.86 * (1 - up) : Math.sqrt(Math.max(0, 1 - (2 * up - 1) ** 2)) * 0.92;
    const y = heightPx * (0.82 - 0.74 * up);
    const x = widthPx / 2 + (widthPx / 2 - 7) * wide * (2 * prng.uniform() - 1);
    const light = 0.62 + 0.42 * up + 0.22 * (prng.uniform() - 0.5);
    const green = paint(
      (52 + 34 * hue) * light,
      (82 + 16 * hue) * light,
      (36 + 10 * hue) * light,
      material.matte,
    );
    blob(colors, x, y, (isConifer ? 2.5 : 3.5) + 4 * prng.uniform(), green);
  }
  return { widthPx, heightPx, colors };
}

function blob(colors: Uint32Array, x: number, y: number, radius: number, color: number): void {
  for (let row = Math.max(0, Math.floor(y - radius)); row < Math.min(heightPx, y + radius); row++)
    for (let column = Math.max(0, Math.floor(x - radius)); column < Math.min(widthPx, x + radius); column++)
      if ((column - x) ** 2 + (row - y) ** 2 < radius * radius) colors[row * widthPx + column] = color;
}

function pyramid(full: Sprite): readonly Sprite[] {
  const levels = [full];
  for (let last = full; last.heightPx > 6; levels.push(last)) last = halved(last);
  return levels;
}

/** A pixel is there where two or more of its four are; its colour is their mean. */
function halved({ widthPx: width, heightPx: height, colors }: Sprite): Sprite {
  const half = { widthPx: width >> 1, heightPx: height >> 1 };
  const mean = new Uint32Array(half.widthPx * half.heightPx);
  for (let y = 0; y < half.heightPx; y++)
    for (let x = 0; x < half.widthPx; x++) {
      const four = [0, 1, width, width + 1].map((k) => colors[2 * y * width + 2 * x + k] as number);
      const there = four.filter((color) => color !== 0);
      if (there.length < 2) continue;
      const channel = (shift: number): number =>
        there.reduce((sum, color) => sum + ((color >>> shift) & 255), 0) / there.length;
      mean[y * half.widthPx + x] = paint(channel(0), channel(8), channel(16), material.matte);
    }
  return { ...half, colors: mean };
}
