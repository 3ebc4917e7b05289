/** Tables of random numbers that pictures are made from: made once, read in every pixel. */
import { createPrng } from '../prng.js';

export const tileSize = 256;

/** Smooth noise that repeats, 0–255: two octaves over a lattice of `step` texels. */
export function smoothTile(seed: string, step: number): Uint8Array {
  const tile = new Uint8Array(tileSize * tileSize);
  const octaves = [
    { step, weight: 0.65 },
    { step: Math.max(1, step >> 2), weight: 0.35 },
  ].map(({ step: cell, weight }) => ({
    cell,
    weight,
    lattice: latticeOf(`${seed} ${cell}`, tileSize / cell),
  }));
  for (let y = 0; y < tileSize; y++)
    for (let x = 0; x < tileSize; x++) {
      let sum = 0;
      for (const { cell, weight, lattice } of octaves)
        sum += weight * between(lattice, tileSize / cell, x / cell, y / cell);
      tile[y * tileSize + x] = Math.round(255 * sum);
    }
  return tile;
}

function latticeOf(seed: string, size: number): Float64Array {
  const prng = createPrng('camera', seed);
  return Float64Array.from({ length: size * size }, () => prng.uniform());
}

function between(lattice: Float64Array, size: number, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const at = (dx: number, dy: number): number =>
    lattice[((row + dy) % size) * size + ((column + dx) % size)] as number;
  const [s, t] = [x - column, y - row].map((share) => share * share * (3 - 2 * share)) as [number, number];
  return (at(0, 0) * (1 - s) + at(1, 0) * s) * (1 - t) + (at(0, 1) * (1 - s) + at(1, 1) * s) * t;
}

export const noiseCount = 65_536;
/** standard deviation of the table's numbers */
export const noiseUnit = 32;

/** Normally distributed numbers for the sensor's noise: `noiseCount` of them, the first `more` once again behind them. */
export function noiseTable(seed: string, more: number): Int8Array {
  const prng = createPrng(seed, 'camera noise');
  const table = new Int8Array(noiseCount + more);
  for (let i = 0; i < noiseCount; i++)
    table[i] = Math.max(-127, Math.min(127, Math.round(noiseUnit * prng.normal())));
  table.copyWithin(noiseCount, 0, more);
  return table;
}

/** 32 bits out of two numbers, so that every row of every frame has its own (finaliser of MurmurHash3). */
export function scramble(one: number, other: number): number {
  let h = Math.imul(one | 0, 0x9e3779b1) ^ (other | 0);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
