/**
 * Fills convex polygons with one colour: clipped at the near plane, projected, tested against the depths that are there,
 * with smooth edges. Coverage is measured on four lines a pixel row, exactly along each of them. Where polygons of one
 * group meet, their shares of a pixel add up, so that nothing shines through a seam. Draw far things first: an edge blends
 * with what is behind it.
 */
import type { Raster } from './raster.js';

const linesPerRow = 4;
const nearM = 0.12;
const maxCorners = 24;
/** depths are kept as float32: what lies in one plane must not hide itself */
const rounding = 1 + 2 ** -20;

export class Painter {
  readonly raster: Raster;
  /** corners of the next polygon, x, y, z of the camera one after another */
  readonly corners = new Float64Array(3 * maxCorners);
  /** see `paint` */
  color = 0;
  group = 0;
  /** more than 1: wins against what lies in the same plane */
  lift = 1;
  /** 0–1: how much of what is below it hides */
  opacity = 1;
  readonly #clipped = new Float64Array(3 * (maxCorners + 1));
  readonly #u = new Float64Array(maxCorners + 1);
  readonly #v = new Float64Array(maxCorners + 1);
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  // Plane of the polygon: inverse depth = a·u + b·v + c.
  #a = 0;
  #b = 0;
  #c = 0;

  constructor(raster: Raster) {
    this.raster = raster;
    this.#left = new Float64Array(linesPerRow * raster.lens.heightPx);
    this.#right = new Float64Array(linesPerRow * raster.lens.heightPx);
  }

  /** Polygon of the first `count` corners; `isOneSided`: only when they go counter-clockwise as seen from the camera. */
  polygon(count: number, isOneSided = false): void {
    if (!this.#findPlane(count, isOneSided)) return;
    const clipped = this.#clip(count);
    if (clipped < 3) return;
    this.#scan(clipped);
  }

  /** Newell's normal n; with n·p = d on the plane, 1/x = (n · ray)/d for the ray (1, y/x, z/x) of a pixel. */
  #findPlane(count: number, isOneSided: boolean): boolean {
    const p = this.corners;
    let nx = 0;
    let ny = 0;
    let nz = 0;
    for (let i = 0, last = 3 * (count - 1); i < 3 * count; last = i, i += 3) {
      const ax = p[last] as number;
      const ay = p[last + 1] as number;
      const az = p[last + 2] as number;
      const bx = p[i] as number;
      const by = p[i + 1] as number;
      const bz = p[i + 2] as number;
      nx += (ay - by) * (az + bz);
      ny += (az - bz) * (ax + bx);
      nz += (ax - bx) * (ay + by);
    }
    const d = nx * (p[0] as number) + ny * (p[1] as number) + nz * (p[2] as number);
    const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(Math.abs(d) > 1e-7 * size)) return false;
    // Counter-clockwise in axes x forward, y right, z up: the normal points away from the camera.
    if (isOneSided && d < 0) return false;
    const { widthPx, heightPx, focalPx } = this.raster.lens;
    this.#a = ny / (focalPx * d);
    this.#b = -nz / (focalPx * d);
    this.#c = nx / d - this.#a * (widthPx / 2) - this.#b * (heightPx / 2);
    return true;
  }

  #clip(count: number): number {
    const from = this.corners;
    const to = this.#clipped;
    let kept = 0;
    let last = 3 * (count - 1);
    for (let i = 0; i < 3 * count; i += 3) {
      const x = from[i] as number;
      const lastX = from[last] as number;
      if (x >= nearM !== lastX >= nearM) {
        const share = (nearM - lastX) / (x - lastX);
        for (let k = 0; k < 3; k++)
          to[kept + k] =
            (from[last + k] as number) + share * ((from[i + k] as number) - (from[last + k] as number));
        kept += 3;
      }
      if (x >= nearM) {
        to[kept] = x;
        to[kept + 1] = from[i + 1] as number;
        to[kept + 2] = from[i + 2] as number;
        kept += 3;
      }
      last = i;
    }
    return kept / 3;
  }

  #scan(count: number): void {
    const { widthPx, heightPx, focalPx } = this.raster.lens;
    const [us, vs] = [this.#u, this.#v];
    let top = Number.POSITIVE_INFINITY;
    let bottom = Number.NEGATIVE_INFINITY;
    let leftmost = Number.POSITIVE_INFINITY;
    let rightmost = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < count; i++) {
      const x = this.#clipped[3 * i] as number;
      const u = widthPx / 2 + (focalPx * (this.#clipped[3 * i + 1] as number)) / x;
      const v = heightPx / 2 - (focalPx * (this.#clipped[3 * i + 2] as number)) / x;
      us[i] = u;
      vs[i] = v;
      if (v < top) top = v;
      if (v > bottom) bottom = v;
      if (u < leftmost) leftmost = u;
      if (u > rightmost) rightmost = u;
    }
    if (!(bottom > 0 && top < heightPx && rightmost > 0 && leftmost < widthPx)) return;
    const firstLine = Math.max(0, Math.ceil(top * linesPerRow - 0.5));
    const endLine = Math.min(linesPerRow * heightPx, Math.ceil(bottom * linesPerRow - 0.5));
    if (firstLine >= endLine) return;
    this.#traceEdges(count, firstLine, endLine);
    const endRow = Math.floor((endLine - 1) / linesPerRow);
    for (let row = Math.floor(firstLine / linesPerRow); row <= endRow; row++)
      this.#fillRow(row, firstLine, endLine);
  }

  /** Where each line enters and leaves the polygon. */
  #traceEdges(count: number, firstLine: number, endLine: number): void {
    const [us, vs, left, right] = [this.#u, this.#v, this.#left, this.#right];
    left.fill(Number.POSITIVE_INFINITY, firstLine, endLine);
    right.fill(Number.NEGATIVE_INFINITY, firstLine, endLine);
    for (let i = 0, last = count - 1; i < count; last = i++) {
      const isDown = (vs[last] as number) < (vs[i] as number);
      const from = isDown ? last : i;
      const to = isDown ? i : last;
      const u0 = us[from] as number;
      const v0 = vs[from] as number;
      const rise = (vs[to] as number) - v0;
      if (rise === 0) continue;
      const first = Math.max(firstLine, Math.ceil(v0 * linesPerRow - 0.5));
      const end = Math.min(endLine, Math.ceil((v0 + rise) * linesPerRow - 0.5));
      const slope = ((us[to] as number) - u0) / rise;
      const step = slope / linesPerRow;
      let u = u0 + ((first + 0.5) / linesPerRow - v0) * slope;
      for (let line = first; line < end; line++, u += step) {
        if (u < (left[line] as number)) left[line] = u;
        if (u > (right[line] as number)) right[line] = u;
      }
    }
  }

  #fillRow(row: number, firstLine: number, endLine: number): void {
    const { widthPx } = this.raster.lens;
    const [left, right] = [this.#left, this.#right];
    const from = Math.max(firstLine, row * linesPerRow);
    const end = Math.min(endLine, (row + 1) * linesPerRow);
    let outerLeft = Number.POSITIVE_INFINITY;
    let innerLeft = Number.NEGATIVE_INFINITY;
    let innerRight = Number.POSITIVE_INFINITY;
    let outerRight = Number.NEGATIVE_INFINITY;
    for (let line = from; line < end; line++) {
      const l = left[line] as number;
      const r = right[line] as number;
      if (l < outerLeft) outerLeft = l;
      if (l > innerLeft) innerLeft = l;
      if (r < innerRight) innerRight = r;
      if (r > outerRight) outerRight = r;
    }
    const first = Math.max(0, Math.floor(outerLeft));
    const last = Math.min(widthPx, Math.ceil(outerRight));
    if (first >= last) return;
    const isWhole = end - from === linesPerRow;
    const whole = isWhole ? Math.min(last, Math.max(first, Math.ceil(innerLeft))) : last;
    const wholeEnd = isWhole ? Math.max(whole, Math.min(last, Math.floor(innerRight))) : last;
    this.#fillEdge(row, first, whole, from, end);
    if (wholeEnd > whole) this.#fillWhole(row, whole, wholeEnd);
    this.#fillEdge(row, wholeEnd, last, from, end);
  }

  #fillWhole(row: number, from: number, end: number): void {
    if (this.opacity < 1) {
      for (let column = from; column < end; column++) this.#blend(row, column, 1);
      return;
    }
    const { raster, color, group } = this;
    const lift = this.lift * rounding;
    const { color: colors, inverse: inverses, owner: owners } = raster;
    const step = this.#a;
    let inverse = this.#a * (from + 0.5) + this.#b * (row + 0.5) + this.#c;
    const last = row * raster.lens.widthPx + end;
    for (let i = row * raster.lens.widthPx + from; i < last; i++, inverse += step) {
      if (inverse * lift < (inverses[i] as number)) continue;
      colors[i] = color;
      inverses[i] = inverse;
      owners[i] = group;
    }
  }

  #fillEdge(row: number, from: number, end: number, firstLine: number, endLine: number): void {
    const [left, right] = [this.#left, this.#right];
    for (let column = from; column < end; column++) {
      let covered = 0;
      for (let line = firstLine; line < endLine; line++) {
        const l = left[line] as number;
        const r = right[line] as number;
        const share = Math.min(r, column + 1) - Math.max(l, column);
        if (share > 0) covered += share;
      }
      if (covered > 0) this.#blend(row, column, covered / linesPerRow);
    }
  }

  #blend(row: number, column: number, covered: number): void {
    const { raster, color, group } = this;
    const i = row * raster.lens.widthPx + column;
    // The plane beyond the polygon's own pixels may cross the horizon: held within what a pixel's share can mean.
    const inverse = Math.max(1e-6, this.#a * (column + 0.5) + this.#b * (row + 0.5) + this.#c);
    if (inverse * this.lift * rounding < (raster.inverse[i] as number)) return;
    const met = raster.edge[i] as number;
    const had = met >>> 8 === group ? met & 255 : 0;
    const share = had > 0 ? (had >= 250 ? 1 : Math.min(1, (covered * 255) / (255 - had))) : covered;
    const has = Math.min(255, had + covered * 255);
    raster.edge[i] = (group << 8) | Math.round(has);
    const weight = Math.round(share * this.opacity * 256);
    const below = raster.color[i] as number;
    const mixed = mix(below, color, weight);
    if (has < 128 || this.opacity < 0.5) {
      raster.color[i] = ((mixed & 0xff_ff_ff) | (below & 0xff_00_00_00)) >>> 0;
      return;
    }
    raster.color[i] = ((mixed & 0xff_ff_ff) | (color & 0xff_00_00_00)) >>> 0;
    raster.inverse[i] = inverse;
    raster.owner[i] = group;
  }
}

/** `weight` of 256 of the colour `over`; the materials are left to the caller. */
export function mix(below: number, over: number, weight: number): number {
  const rest = 256 - weight;
  const redBlue = (((below & 0xff_00_ff) * rest + (over & 0xff_00_ff) * weight) >>> 8) & 0xff_00_ff;
  const green = (((below & 0x00_ff_00) * rest + (over & 0x00_ff_00) * weight) >>> 8) & 0x00_ff_00;
  return redBlue | green;
}
