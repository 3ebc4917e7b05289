/**
 * What the camera looks through: drops that show the world upside down and small, and a film of fog that takes contrast and
 * detail. Fog of 1 is as good as white.
 */
import type { WindscreenView } from '../cabin/car-body.js';
import { ramp } from './atmosphere.js';
import { scramble } from './grain.js';
import type { Lens } from './pinhole.js';

/** on a glass that is covered all over */
const mostDrops = 420;
const smallestShare = 0.006; // of the picture's width
const largestShare = 0.022;
/** a drop stays about this long, then it runs away and another one is there */
const stayS = 2.4;
const cellPx = 16;
/** Drops on a lens without a windscreen, at rain of 100 %. */
const onLens = 0.16;
/** share of the veil that still follows the picture behind it */
const translucence = 0.4;

/** Without a windscreen rain falls on the lens itself. */
export function glassOf(windscreen: WindscreenView | undefined, rain: number): WindscreenView {
  return windscreen ?? { fog: 0, drops: onLens * rain };
}

/** Share of the contrast that the glass leaves to what is behind it: a drop hides what it covers. */
export function clearShare({ fog, drops }: WindscreenView): number {
  return (1 - within(fog)) * (1 - 0.5 * within(drops));
}

export class Glass {
  readonly #lens: Lens;
  readonly #seed: number;
  readonly #before: Uint32Array;
  readonly #columns: number;
  readonly #rows: number;
  /** blue, green, red of each cell */
  readonly #cells: Float64Array;

  constructor(lens: Lens, seed: number) {
    this.#lens = lens;
    this.#seed = seed;
    this.#before = new Uint32Array(lens.widthPx * lens.heightPx);
    this.#columns = Math.ceil(lens.widthPx / cellPx);
    this.#rows = Math.ceil(lens.heightPx / cellPx);
    this.#cells = new Float64Array(3 * this.#columns * this.#rows);
  }

  /** Over the developed picture. */
  draw(picture: Uint32Array, { fog, drops }: WindscreenView, tS: number): void {
    const count = Math.round(mostDrops * within(drops));
    if (count > 0) {
      this.#before.set(picture);
      for (let k = 0; k < count; k++) this.#drop(picture, k, tS);
    }
    if (within(fog) > 0.004) this.#veil(picture, within(fog));
  }

  #drop(picture: Uint32Array, k: number, tS: number): void {
    const { widthPx, heightPx } = this.#lens;
    const own = scramble(this.#seed, k);
    const age = tS / (stayS * (0.6 + (own & 255) / 256)) + (own >>> 8) / 2 ** 24;
    const place = scramble(own, Math.floor(age));
    const size = ((place & 255) / 255) ** 2;
    const radius = widthPx * (smallestShare + (largestShare - smallestShare) * size);
    const u = widthPx * (((place >>> 8) & 4095) / 4096);
    const v = heightPx * ((place >>> 20) / 4096);
    const endRow = Math.min(heightPx, Math.ceil(v + radius));
    const endColumn = Math.min(widthPx, Math.ceil(u + radius));
    for (let row = Math.max(0, Math.floor(v - radius)); row < endRow; row++) {
      for (let column = Math.max(0, Math.floor(u - radius)); column < endColumn; column++) {
        const dx = column + 0.5 - u;
        const dy = row + 0.5 - v;
        const off = Math.sqrt(dx * dx + dy * dy) / radius;
        if (off >= 1) continue;
        const weight = (210 * (1 - ramp(off, 0.7, 1))) | 0;
        // A ball of water shows what is around it upside down, the more of it the nearer to its rim.
        const bend = -2.2 - 3.5 * off * off;
        const from = this.#behind(u + bend * dx, v + bend * dy, u + bend * dx + radius * 0.7, v + bend * dy);
        const rim = 256 - ((60 * ramp(off, 0.55, 0.95)) | 0);
        const i = row * widthPx + column;
        picture[i] = over(picture[i] as number, from, rim, weight);
      }
    }
  }

  /** Mean of two places of the picture without drops, held within the frame. */
  #behind(u: number, v: number, otherU: number, otherV: number): number {
    const one = this.#at(u, v);
    const other = this.#at(otherU, otherV);
    return (((one >>> 1) & 0x7f7f7f) + ((other >>> 1) & 0x7f7f7f)) >>> 0;
  }

  #at(u: number, v: number): number {
    const { widthPx, heightPx } = this.#lens;
    const column = Math.min(widthPx - 1, Math.max(0, u | 0));
    const row = Math.min(heightPx - 1, Math.max(0, v | 0));
    return this.#before[row * widthPx + column] as number;
  }

  /** out = picture·(1 − fog) + veil·fog, the veil being a coarse picture of itself around its own mean. */
  #veil(picture: Uint32Array, fog: number): void {
    const { widthPx, heightPx } = this.#lens;
    this.#gatherCells(picture);
    const cells = this.#cells;
    const columns = this.#columns;
    const keep = Math.round(256 * (1 - fog));
    for (let row = 0; row < heightPx; row++) {
      const y = Math.min(this.#rows - 1, Math.max(0, (row + 0.5) / cellPx - 0.5));
      const top = Math.floor(y);
      const bottom = Math.min(this.#rows - 1, top + 1);
      for (let column = 0; column < widthPx; column++) {
        const x = Math.min(columns - 1, Math.max(0, (column + 0.5) / cellPx - 0.5));
        const left = Math.floor(x);
        const right = Math.min(columns - 1, left + 1);
        const i = row * widthPx + column;
        const pixel = picture[i] as number;
        let out = 0;
        for (let k = 0; k < 3; k++) {
          const upper =
            (cells[3 * (top * columns + left) + k] as number) * (1 - x + left) +
            (cells[3 * (top * columns + right) + k] as number) * (x - left);
          const lower =
            (cells[3 * (bottom * columns + left) + k] as number) * (1 - x + left) +
            (cells[3 * (bottom * columns + right) + k] as number) * (x - left);
          const veil = upper * (1 - y + top) + lower * (y - top);
          const own = (pixel >>> (8 * k)) & 255;
          out |= ((own * keep + veil * (256 - keep)) >> 8) << (8 * k);
        }
        picture[i] = (out | 0xff_00_00_00) >>> 0;
      }
    }
  }

  /** Means of the cells, drawn towards the mean of all. */
  #gatherCells(picture: Uint32Array): void {
    const { widthPx, heightPx } = this.#lens;
    const cells = this.#cells;
    const mean = [0, 0, 0];
    for (let row = 0; row < this.#rows; row++)
      for (let column = 0; column < this.#columns; column++) {
        const at = 3 * (row * this.#columns + column);
        const endV = Math.min(heightPx, (row + 1) * cellPx);
        const endU = Math.min(widthPx, (column + 1) * cellPx);
        let count = 0;
        for (let k = 0; k < 3; k++) cells[at + k] = 0;
        // Every second row and column is enough for a mean.
        for (let v = row * cellPx; v < endV; v += 2)
          for (let u = column * cellPx; u < endU; u += 2, count++)
            for (let k = 0; k < 3; k++)
              cells[at + k] =
                (cells[at + k] as number) + (((picture[v * widthPx + u] as number) >>> (8 * k)) & 255);
        for (let k = 0; k < 3; k++) {
          cells[at + k] = (cells[at + k] as number) / count;
          mean[k] = (mean[k] as number) + (cells[at + k] as number);
        }
      }
    const count = cells.length / 3;
    for (let i = 0; i < cells.length; i++) {
      const all = (mean[i % 3] as number) / count;
      cells[i] = Math.min(255, all + translucence * ((cells[i] as number) - all));
    }
  }
}

/** `from` times `rim`/256 over `below`, `weight` of 256. */
function over(below: number, from: number, rim: number, weight: number): number {
  let out = 0;
  for (let k = 0; k < 24; k += 8) {
    const own = (below >>> k) & 255;
    const seen = (((from >>> k) & 255) * rim) >> 8;
    out |= (own + (((seen - own) * weight) >> 8)) << k;
  }
  return (out | 0xff_00_00_00) >>> 0;
}

const within = (share: number): number => (Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0);
