/**
 * What stands wholly behind houses need not be drawn: most of a town. Per column of the picture, the height up to which
 * houses hide everything behind them. Only for a level camera, in whose picture upright lines stay in their columns, and on
 * level ground; whatever is in doubt is drawn.
 */
import type { Eye, Lens } from './pinhole.js';
import type { RoadsideThing } from './roadside.js';

const nearM = 0.5;
/** Ground that differs by less counts as level. */
const levelM = 0.3;
/** roofs and crowns reach higher than the size that a thing is placed by */
const roofM = 4;

export class HouseCover {
  readonly #lens: Lens;
  readonly #eye: Eye;
  readonly #groundZ: number;
  readonly #isLevel: boolean;
  /** row up to which a column is hidden, from below the horizon up; Infinity: not at all */
  readonly #tops: Float64Array;
  /** depth behind which that holds */
  readonly #depths: Float64Array;
  readonly #corner = new Float64Array(3);

  constructor(lens: Lens, eye: Eye, groundZ: number) {
    this.#lens = lens;
    this.#eye = eye;
    this.#groundZ = groundZ;
    this.#isLevel = Math.abs(eye.forward[2]) < 1e-9 && Math.abs(eye.right[2]) < 1e-9;
    this.#tops = new Float64Array(lens.widthPx).fill(Number.POSITIVE_INFINITY);
    this.#depths = new Float64Array(lens.widthPx);
  }

  /** To be asked from the nearest thing to the farthest: whether houses that were asked for before hide it all. */
  hides(thing: RoadsideThing): boolean {
    if (!this.#isLevel || Math.abs(thing.pose.z - this.#groundZ) > levelM) return false;
    if (this.#isHidden(thing)) return true;
    if (thing.kind === 'house') this.#cover(thing);
    return false;
  }

  #isHidden({ pose, lengthM, widthM, heightM }: RoadsideThing): boolean {
    const { widthPx, heightPx, focalPx } = this.#lens;
    const [x, y] = this.#see(pose.x, pose.y, pose.z);
    const radiusM = Math.hypot(lengthM, widthM) / 2 + 1;
    const near = x - radiusM;
    if (near < nearM) return false;
    const [left, right] = [y - radiusM, y + radiusM];
    const from = widthPx / 2 + (focalPx * left) / (left < 0 ? near : x + radiusM);
    const to = widthPx / 2 + (focalPx * right) / (right > 0 ? near : x + radiusM);
    const top = heightPx / 2 - (focalPx * (pose.z + heightM + roofM - this.#eye.pose.z)) / near;
    const end = Math.min(widthPx, Math.ceil(to));
    for (let column = Math.max(0, Math.floor(from)); column < end; column++)
      if ((this.#tops[column] as number) > top || (this.#depths[column] as number) > near) return false;
    return true;
  }

  /** Its four walls: hidden is what lies behind the farthest corner, below the lowest upper edge. */
  #cover({ pose, lengthM, widthM, heightM }: RoadsideThing): void {
    const { widthPx, heightPx, focalPx } = this.#lens;
    const [cos, sin] = [Math.cos(pose.headingRad), Math.sin(pose.headingRad)];
    let [from, to, farthest, lowest] = [widthPx, 0, 0, 0];
    for (let k = 0; k < 4; k++) {
      const along = (lengthM / 2) * (k < 2 ? 1 : -1);
      const aside = (widthM / 2) * (k % 2 === 0 ? 1 : -1);
      const [x, y] = this.#see(
        pose.x + along * cos - aside * sin,
        pose.y + along * sin + aside * cos,
        pose.z,
      );
      if (x < nearM) return;
      const u = widthPx / 2 + (focalPx * y) / x;
      from = Math.min(from, u);
      to = Math.max(to, u);
      farthest = Math.max(farthest, x);
      lowest = Math.max(lowest, heightPx / 2 - (focalPx * (pose.z + heightM - this.#eye.pose.z)) / x);
    }
    const end = Math.min(widthPx, Math.floor(to));
    for (let column = Math.max(0, Math.ceil(from)); column < end; column++) {
      if (lowest >= (this.#tops[column] as number)) continue;
      this.#tops[column] = lowest;
      this.#depths[column] = Math.max(farthest, this.#depths[column] as number);
    }
  }

  #see(x: number, y: number, z: number): readonly [x: number, y: number] {
    this.#eye.see(x, y, z, this.#corner, 0);
    return [this.#corner[0] as number, this.#corner[1] as number];
  }
}
