/** A ray against an upright box that is turned about its vertical axis. */
import type { WorldActor } from '../world/actor.js';

/** A box as seen from the origin of the rays: its middle relative to it. */
export interface RayBox {
  readonly cx: number;
  readonly cy: number;
  readonly cz: number;
  readonly cos: number;
  readonly sin: number;
  readonly halfLengthM: number;
  readonly halfWidthM: number;
  readonly halfHeightM: number;
  /** squared radius of the sphere around it */
  readonly reach2: number;
}

interface Origin {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Boxes of the actors that a ray of `rangeM` from the origin can meet, without the one that carries it. */
export function boxesAround(
  actors: Iterable<Pick<WorldActor, 'id' | 'pose' | 'size'>>,
  origin: Origin,
  rangeM: number,
  without: number | null,
): readonly RayBox[] {
  const boxes: RayBox[] = [];
  for (const { id, pose, size } of actors) {
    if (id === without) continue;
    const halfLengthM = size.lengthM / 2;
    const halfWidthM = size.widthM / 2;
    const halfHeightM = size.heightM / 2;
    const cx = pose.x - origin.x;
    const cy = pose.y - origin.y;
    const cz = pose.z + halfHeightM - origin.z;
    const reachM = Math.hypot(halfLengthM, halfWidthM, halfHeightM);
    if (Math.hypot(cx, cy, cz) - reachM > rangeM) continue;
    const cos = Math.cos(pose.headingRad);
    const sin = Math.sin(pose.headingRad);
    boxes.push({ cx, cy, cz, cos, sin, halfLengthM, halfWidthM, halfHeightM, reach2: reachM * reachM });
  }
  return boxes;
}

/**
 * Distance along the unit direction to the box (slab method); infinite when it is missed. From inside, the wall that the
 * ray leaves through.
 */
export function hitBoxM(box: RayBox, dx: number, dy: number, dz: number): number {
  const { cx, cy, cz, cos, sin } = box;
  const nearest = cx * dx + cy * dy + cz * dz;
  if (cx * cx + cy * cy + cz * cz - nearest * nearest > box.reach2) return Number.POSITIVE_INFINITY;
  const along = slab(cx * cos + cy * sin, dx * cos + dy * sin, box.halfLengthM);
  const aside = slab(cy * cos - cx * sin, dy * cos - dx * sin, box.halfWidthM);
  const upright = slab(cz, dz, box.halfHeightM);
  const enter = Math.max(along[0], aside[0], upright[0]);
  const leave = Math.min(along[1], aside[1], upright[1]);
  if (enter > leave || leave < 0) return Number.POSITIVE_INFINITY;
  return enter > 0 ? enter : leave;
}

/** Where a line from 0 with slope `direction` is within `half` of `middle`. */
function slab(middle: number, direction: number, half: number): readonly [number, number] {
  if (direction === 0)
    return Math.abs(middle) <= half
      ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const one = (middle - half) / direction;
  const other = (middle + half) / direction;
  return one < other ? [one, other] : [other, one];
}
