/** Upright solids: a rectangle below, a rectangle above, six flat sides; and flat pieces on them. In the frame of an actor. */
import type { WorldPose } from '../world/actor.js';
import type { Atmosphere } from './atmosphere.js';
import type { Painter } from './painter.js';
import type { Eye } from './pinhole.js';
import { shaded } from './raster.js';

/** From `rear` to `front` and `right` to `left` at height `z`; metres in the frame of the actor. */
export interface Slab {
  readonly rear: number;
  readonly front: number;
  readonly right: number;
  readonly left: number;
  readonly z: number;
}

export interface Solid {
  readonly below: Slab;
  readonly above: Slab;
  readonly color: number;
  /** its sides, where they have another colour */
  readonly sides?: number;
}

const sides = [
  [0, 1, 5, 4], // rear
  [1, 2, 6, 5], // right
  [2, 3, 7, 6], // front
  [3, 0, 4, 7], // left
  [4, 5, 6, 7], // top
  [3, 2, 1, 0], // bottom
] as const;
const top = 4;
const discCorners = 12;

export class SolidPainter {
  readonly #painter: Painter;
  readonly #eye: Eye;
  readonly #air: Atmosphere;
  #pose: WorldPose = { x: 0, y: 0, z: 0, headingRad: 0 };
  #cos = 1;
  #sin = 0;
  readonly #points = new Float64Array(24);
  /** how the light falls on each of the sides */
  readonly #light = new Float64Array(6);

  constructor(painter: Painter, eye: Eye, air: Atmosphere) {
    this.#painter = painter;
    this.#eye = eye;
    this.#air = air;
  }

  get painter(): Painter {
    return this.#painter;
  }

  get eye(): Eye {
    return this.#eye;
  }

  /** Pixels to a metre, about, where what follows stands. */
  pxPerM = 0;

  /** What follows is in this frame and of this group. */
  stand(pose: WorldPose, group: number): void {
    const { x, y, z } = this.#eye.pose;
    const awayM = Math.hypot(pose.x - x, pose.y - y, pose.z - z);
    this.pxPerM = this.#painter.raster.lens.focalPx / Math.max(0.5, awayM);
    this.#pose = pose;
    this.#cos = Math.cos(pose.headingRad);
    this.#sin = Math.sin(pose.headingRad);
    this.#painter.group = group;
    const { sun, sunShare } = this.#air;
    const along = sun[0] * this.#cos + sun[1] * this.#sin;
    const aside = sun[1] * this.#cos - sun[0] * this.#sin;
    for (const [k, toSun] of [-along, -aside, along, aside, sun[2], -sun[2]].entries()) {
      const sky = k === top ? 1 : k === top + 1 ? 0.35 : 0.72;
      this.#light[k] = sky * (1 - sunShare) + sunShare * Math.max(0.12, toSun) * 1.25;
    }
  }

  /** Camera point of a point of the frame. */
  see(ahead: number, left: number, z: number, into: Float64Array, at: number): void {
    const { x, y, z: ground } = this.#pose;
    this.#eye.see(
      x + ahead * this.#cos - left * this.#sin,
      y + ahead * this.#sin + left * this.#cos,
      ground + z,
      into,
      at,
    );
  }

  solid({ below, above, color, sides: sideColor = color }: Solid): void {
    this.#slab(below, 0);
    this.#slab(above, 12);
    const { corners } = this.#painter;
    for (const [k, indices] of sides.entries()) {
      for (let i = 0; i < 4; i++)
        for (let axis = 0; axis < 3; axis++)
          corners[3 * i + axis] = this.#points[3 * (indices[i] as number) + axis] as number;
      this.#painter.color = shaded(k < top ? sideColor : color, this.#light[k] as number);
      this.#painter.polygon(4, true);
    }
  }

  /** A flat upright piece facing along the frame: `facing` 1 forwards, −1 backwards. Its light is the caller's. */
  plate(ahead: number, right: number, left: number, low: number, high: number, facing: 1 | -1): void {
    // Counter-clockwise from the lower left, as seen by who looks at it.
    const [one, other] = facing === 1 ? [right, left] : [left, right];
    const { corners } = this.#painter;
    this.see(ahead, one, low, corners, 0);
    this.see(ahead, other, low, corners, 3);
    this.see(ahead, other, high, corners, 6);
    this.see(ahead, one, high, corners, 9);
    this.#painter.polygon(4, true);
  }

  /** The same on the left (`side` 1) or right (−1) of the frame. */
  sidePlate(aside: number, rear: number, front: number, low: number, high: number, side: 1 | -1): void {
    // From the left the front is on the left hand.
    const [one, other] = side === 1 ? [front, rear] : [rear, front];
    const { corners } = this.#painter;
    this.see(one, aside, low, corners, 0);
    this.see(other, aside, low, corners, 3);
    this.see(other, aside, high, corners, 6);
    this.see(one, aside, high, corners, 9);
    this.#painter.polygon(4, true);
  }

  /** Whether what looks that way from the middle of the frame may be seen: the camera is not on the other side. */
  isSideSeen(side: 1 | -1 | 'front' | 'rear'): boolean {
    const { x, y } = this.#eye.pose;
    const dx = x - this.#pose.x;
    const dy = y - this.#pose.y;
    const ahead = dx * this.#cos + dy * this.#sin;
    if (side === 'front') return ahead > 0;
    if (side === 'rear') return ahead < 0;
    return (dy * this.#cos - dx * this.#sin) * side > 0;
  }

  /** A colour in the light that falls on that side of the frame: 1 left, −1 right. */
  shadeOf(color: number, side: 1 | -1 | 'front' | 'rear'): number {
    const index = side === 1 ? 3 : side === -1 ? 1 : side === 'front' ? 2 : 0;
    return shaded(color, this.#light[index] as number);
  }

  /** A disc that stands upright along the frame, as a wheel does; seen from the side that it is on. */
  disc(ahead: number, aside: number, z: number, radiusM: number): void {
    const { corners } = this.#painter;
    const turn = aside > 0 ? -1 : 1;
    for (let i = 0; i < discCorners; i++) {
      const angle = (turn * 2 * Math.PI * i) / discCorners;
      this.see(ahead + radiusM * Math.cos(angle), aside, z + radiusM * Math.sin(angle), corners, 3 * i);
    }
    this.#painter.polygon(discCorners, true);
  }

  /** A round lamp that looks along the frame. */
  lens(ahead: number, aside: number, z: number, radiusM: number): void {
    const { corners } = this.#painter;
    for (let i = 0; i < discCorners; i++) {
      const angle = (2 * Math.PI * i) / discCorners;
      this.see(ahead, aside + radiusM * Math.cos(angle), z + radiusM * Math.sin(angle), corners, 3 * i);
    }
    this.#painter.polygon(discCorners, true);
  }

  /** Whether the camera is before a point of the frame, in its direction. */
  isSeenFromFront(ahead: number, aside: number, z: number): boolean {
    this.see(ahead, aside, z, this.#points, 0);
    this.see(ahead + 1, aside, z, this.#points, 3);
    let towards = 0;
    for (let k = 0; k < 3; k++)
      towards -=
        ((this.#points[3 + k] as number) - (this.#points[k] as number)) * (this.#points[k] as number);
    return towards > 0;
  }

  #slab({ rear, front, right, left, z }: Slab, at: number): void {
    this.see(rear, left, z, this.#points, at);
    this.see(rear, right, z, this.#points, at + 3);
    this.see(front, right, z, this.#points, at + 6);
    this.see(front, left, z, this.#points, at + 9);
  }
}
