/**
 * Draws a face of the atlas on a rectangle in space: perspective-correct, bilinear between texels, four samples a pixel
 * where the face is lower than 40 px. Its transparent corners let what is behind it through.
 */
import type { FaceLevel } from '../signs/sign-faces.js';
import type { Material, Raster } from './raster.js';

const nearM = 0.12;
const fewPx = 40;
/** wins against the plate that it is fixed to */
const lift = 1.004;

/** A face on its way into the picture: camera points of its corner at the upper left, and the ways right and down. */
export interface FacePlace {
  readonly corner: Float64Array;
  readonly across: Float64Array;
  readonly down: Float64Array;
}

/** What of it came into the picture; pixels, edges as they are without the picture's frame. */
export interface FaceTrace {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** pixels that are mostly its own if nothing stands before it */
  drawnPx: number;
}

export class FacePainter {
  readonly #raster: Raster;
  readonly #sample = new Float64Array(4);
  // Rows of the matrix that takes a pixel's ray to s·w, t·w, w; the last one over its determinant is 1/x.
  readonly #s = new Float64Array(3);
  readonly #t = new Float64Array(3);
  readonly #w = new Float64Array(3);

  constructor(raster: Raster) {
    this.#raster = raster;
  }

  /**
   * Fills `trace` and says whether any part of the rectangle lies before the camera and within the frame. `plain`: a
   * colour instead of the drawing's own, in its outline; see `paint`.
   */
  draw(
    place: FacePlace,
    levels: readonly FaceLevel[],
    kind: Material,
    group: number,
    trace: FaceTrace,
    plain: number | null = null,
  ): boolean {
    if (!this.#bound(place, trace)) return false;
    const { widthPx, heightPx, focalPx } = this.#raster.lens;
    const { corner, across, down } = place;
    cross(down, corner, this.#s);
    cross(corner, across, this.#t);
    cross(across, down, this.#w);
    const determinant = dot(this.#w, corner);
    if (Math.abs(determinant) < 1e-12) return false;
    const height = trace.bottom - trace.top;
    const samples = height < fewPx ? 2 : 1;
    const level = levelFor(levels, Math.min(height, (trace.right - trace.left) / aspect(levels)) * samples);
    const first = {
      column: Math.max(0, Math.floor(trace.left) - 1),
      row: Math.max(0, Math.floor(trace.top) - 1),
    };
    const end = {
      column: Math.min(widthPx, Math.ceil(trace.right) + 1),
      row: Math.min(heightPx, Math.ceil(trace.bottom) + 1),
    };
    if (first.column >= end.column || first.row >= end.row) return false;
    for (let row = first.row; row < end.row; row++) {
      for (let column = first.column; column < end.column; column++) {
        const inverse =
          ray(this.#w, (column + 0.5 - widthPx / 2) / focalPx, (heightPx / 2 - row - 0.5) / focalPx) /
          determinant;
        if (!(inverse > 0)) continue;
        this.#gather(level, column, row, samples);
        if ((this.#sample[3] as number) > 0.5)
          this.#put(row * widthPx + column, inverse, kind, group, trace, plain);
      }
    }
    return true;
  }

  /** Mean of the samples in the pixel: red, green, blue times alpha, alpha. */
  #gather(level: FaceLevel, column: number, row: number, samples: number): void {
    const { widthPx, heightPx, focalPx } = this.#raster.lens;
    const sum = this.#sample;
    sum.fill(0);
    for (let k = 0; k < samples * samples; k++) {
      const u = column + ((k % samples) + 0.5) / samples;
      const v = row + (Math.floor(k / samples) + 0.5) / samples;
      const y = (u - widthPx / 2) / focalPx;
      const z = (heightPx / 2 - v) / focalPx;
      const w = ray(this.#w, y, z);
      if (w !== 0) texel(level, ray(this.#s, y, z) / w, ray(this.#t, y, z) / w, sum);
    }
    const share = 1 / (samples * samples);
    for (let k = 0; k < 4; k++) sum[k] = (sum[k] as number) * share;
  }

  #put(
    i: number,
    inverse: number,
    kind: Material,
    group: number,
    trace: FaceTrace,
    plain: number | null,
  ): void {
    const raster = this.#raster;
    const alpha = this.#sample[3] as number;
    if (alpha >= 128) trace.drawnPx++;
    if (inverse * lift < (raster.inverse[i] as number)) return;
    const below = raster.color[i] as number;
    const rest = 1 - alpha / 255;
    let color = 0;
    for (let k = 0; k < 3; k++) {
      const own = plain === null ? (this.#sample[k] as number) : (((plain >>> (8 * k)) & 255) * alpha) / 255;
      color |= Math.min(255, (((below >>> (8 * k)) & 255) * rest + own) | 0) << (8 * k);
    }
    if (alpha < 128) {
      raster.color[i] = (color | (below & 0xff_00_00_00)) >>> 0;
      return;
    }
    raster.color[i] = (color | (kind << 24)) >>> 0;
    raster.inverse[i] = inverse;
    raster.owner[i] = group;
  }

  /** The frame around its corners; false where one of them is not before the camera. */
  #bound({ corner, across, down }: FacePlace, trace: FaceTrace): boolean {
    const { widthPx, heightPx, focalPx } = this.#raster.lens;
    trace.left = Number.POSITIVE_INFINITY;
    trace.top = Number.POSITIVE_INFINITY;
    trace.right = Number.NEGATIVE_INFINITY;
    trace.bottom = Number.NEGATIVE_INFINITY;
    trace.drawnPx = 0;
    for (let k = 0; k < 4; k++) {
      const s = k & 1;
      const t = k >> 1;
      const x = (corner[0] as number) + s * (across[0] as number) + t * (down[0] as number);
      if (x < nearM) return false;
      const y = (corner[1] as number) + s * (across[1] as number) + t * (down[1] as number);
      const z = (corner[2] as number) + s * (across[2] as number) + t * (down[2] as number);
      const u = widthPx / 2 + (focalPx * y) / x;
      const v = heightPx / 2 - (focalPx * z) / x;
      trace.left = Math.min(trace.left, u);
      trace.right = Math.max(trace.right, u);
      trace.top = Math.min(trace.top, v);
      trace.bottom = Math.max(trace.bottom, v);
    }
    return true;
  }
}

/** Adds the texel at s, t (0–1 from the upper left) to `sum`; nothing outside. */
function texel({ widthPx, heightPx, rgba }: FaceLevel, s: number, t: number, sum: Float64Array): void {
  const x = s * widthPx - 0.5;
  const y = t * heightPx - 0.5;
  const left = Math.floor(x);
  const top = Math.floor(y);
  for (let dy = 0; dy < 2; dy++) {
    const row = top + dy;
    if (row < 0 || row >= heightPx) continue;
    const tall = dy === 0 ? 1 - (y - top) : y - top;
    for (let dx = 0; dx < 2; dx++) {
      const column = left + dx;
      if (column < 0 || column >= widthPx) continue;
      const weight = tall * (dx === 0 ? 1 - (x - left) : x - left);
      const from = 4 * (row * widthPx + column);
      for (let k = 0; k < 4; k++) sum[k] = (sum[k] as number) + weight * (rgba[from + k] as number);
    }
  }
}

/** The largest level that is not higher than `heightPx` by more than a third: finer ones would flicker. */
function levelFor(levels: readonly FaceLevel[], heightPx: number): FaceLevel {
  const fitting = levels.find((level) => level.heightPx <= heightPx * 1.34);
  return fitting ?? (levels[levels.length - 1] as FaceLevel);
}

const aspect = ([full]: readonly FaceLevel[]): number =>
  full === undefined ? 1 : full.widthPx / full.heightPx;

const ray = (row: Float64Array, y: number, z: number): number =>
  (row[0] as number) + (row[1] as number) * y + (row[2] as number) * z;

const dot = (a: Float64Array, b: Float64Array): number =>
  (a[0] as number) * (b[0] as number) +
  (a[1] as number) * (b[1] as number) +
  (a[2] as number) * (b[2] as number);

function cross(a: Float64Array, b: Float64Array, into: Float64Array): void {
  const [ax, ay, az] = [a[0] as number, a[1] as number, a[2] as number];
  const [bx, by, bz] = [b[0] as number, b[1] as number, b[2] as number];
  into[0] = ay * bz - az * by;
  into[1] = az * bx - ax * bz;
  into[2] = ax * by - ay * bx;
}
