import type { Transform } from '../../carla/wire/geometry.js';
import type { BoxSize } from '../world/actor.js';

/** Shares of a vehicle's box between which its cabin lies: ahead of the middle, and above the ground. */
const cabin = { behind: -0.35, ahead: 0.3, lowest: 0.4 } as const;
/** Further to the side a camera looks out of another window. */
const widestDeg = 70;

/** Whether a camera with this mount looks through the windscreen of a vehicle of this size. CARLA's axes: x ahead, z up. */
export function isBehindWindscreen({ location, rotation }: Transform, size: BoxSize): boolean {
  const { x, y, z } = location;
  const yawDeg = Math.abs(((((rotation.yawDeg + 180) % 360) + 360) % 360) - 180);
  return (
    x >= cabin.behind * size.lengthM &&
    x <= cabin.ahead * size.lengthM &&
    Math.abs(y) <= size.widthM / 2 &&
    z >= cabin.lowest * size.heightM &&
    z <= size.heightM &&
    yawDeg <= widestDeg
  );
}
