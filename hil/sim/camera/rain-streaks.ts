/** Falling rain before the camera: each drop is a short line, where it falls and the car drives into it while the shutter is open. */

import type { Atmosphere } from './atmosphere.js';
import { scaled } from './atmosphere.js';
import { scramble } from './grain.js';
import type { Lens } from './pinhole.js';

/** in a picture of 640 × 360, at 100 % */
const mostStreaks = 260;
const usualPx = 640 * 360;
const shutterS = 1 / 60;
/** mean fall of rain drops */
const fallMps = 7;
const nearestM = 1.2;
const depthM = 9;

/** `aheadMps`: how fast the camera goes along its axis; `lampShare`: light of its own lamps, 0–1. */
export function drawStreaks(
  lens: Lens,
  picture: Uint32Array,
  air: Atmosphere,
  aheadMps: number,
  lampShare: number,
  seed: number,
  frame: number,
): void {
  const { widthPx, heightPx, focalPx } = lens;
  const count = Math.round((mostStreaks * air.rain * widthPx * heightPx) / usualPx);
  const [red, green, blue] = scaled(air.haze, 1.08).map((level) => Math.min(255, level + 90 * lampShare)) as [
    number,
    number,
    number,
  ];
  for (let k = 0; k < count; k++) {
    const place = scramble(seed ^ Math.imul(frame, 0x27d4eb2f), k);
    const depth = nearestM + (depthM * (place & 1023)) / 1024;
    const u = (widthPx * ((place >>> 10) & 2047)) / 2048;
    const v = (heightPx * ((place >>> 21) & 2047)) / 2048;
    const later = Math.max(0.3, depth - aheadMps * shutterS);
    const endU = widthPx / 2 + ((u - widthPx / 2) * depth) / later;
    const endV = heightPx / 2 + ((v - heightPx / 2) * depth + focalPx * fallMps * shutterS) / later;
    line(lens, picture, u, v, endU, endV, 34 + 120 / depth, red, green, blue);
  }
}

/** A soft line; `strength` of 256 in its middle. */
function line(
  { widthPx, heightPx }: Lens,
  picture: Uint32Array,
  u: number,
  v: number,
  endU: number,
  endV: number,
  strength: number,
  red: number,
  green: number,
  blue: number,
): void {
  const steps = Math.min(90, Math.ceil(Math.max(Math.abs(endU - u), Math.abs(endV - v))));
  for (let i = 0; i <= steps; i++) {
    const at = u + ((endU - u) * i) / Math.max(1, steps) - 0.5;
    const row = Math.floor(v + ((endV - v) * i) / Math.max(1, steps));
    const column = Math.floor(at);
    if (row < 0 || row >= heightPx) continue;
    const fade = strength * (1 - Math.abs((2 * i) / Math.max(1, steps) - 1) * 0.7);
    for (let side = 0; side < 2; side++) {
      const x = column + side;
      if (x < 0 || x >= widthPx) continue;
      const weight = (fade * (side === 0 ? 1 - (at - column) : at - column)) | 0;
      const pixel = picture[row * widthPx + x] as number;
      const r = (pixel >>> 16) & 255;
      const g = (pixel >>> 8) & 255;
      const b = pixel & 255;
      picture[row * widthPx + x] =
        ((b + (((blue - b) * weight) >> 8)) |
          ((g + (((green - g) * weight) >> 8)) << 8) |
          ((r + (((red - r) * weight) >> 8)) << 16) |
          0xff_00_00_00) >>>
        0;
    }
  }
}
