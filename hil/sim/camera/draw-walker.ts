/** A person on foot: legs that swing with the way gone, trunk, arms, head. */
import type { WalkerActor } from '../world/actor.js';
import type { Rgb } from './atmosphere.js';
import { material, paint } from './raster.js';
import type { Slab, SolidPainter } from './solid-painter.js';

const coats: readonly Rgb[] = [
  [168, 52, 44],
  [52, 76, 120],
  [196, 168, 60],
  [60, 104, 72],
  [88, 84, 92],
];
const trousers: readonly Rgb[] = [
  [44, 50, 66],
  [62, 58, 54],
  [34, 34, 38],
];
const skins: readonly Rgb[] = [
  [214, 172, 144],
  [150, 106, 80],
  [236, 196, 166],
];
const stepM = 1.4;

export function drawWalker(
  painter: SolidPainter,
  { id, pose, size, direction, vMps }: WalkerActor,
  group: number,
): void {
  const pick = (colors: readonly Rgb[]): number =>
    paint(...(colors[id % colors.length] as Rgb), material.matte);
  const { heightM } = size;
  painter.stand(pose, group);
  const goneM = pose.x * direction.x + pose.y * direction.y;
  const swing = vMps > 0.05 ? 0.28 * Math.sin((2 * Math.PI * goneM) / stepM) : 0.02;
  const slab = (rear: number, front: number, right: number, left: number, z: number): Slab => ({
    rear,
    front,
    right,
    left,
    z: z * heightM,
  });
  for (const side of [-1, 1]) {
    const reach = side * swing;
    const [right, left] = side < 0 ? [-0.17, -0.02] : [0.02, 0.17];
    painter.solid({
      below: slab(reach - 0.08, reach + 0.1, right, left, 0),
      above: slab(-0.09, 0.09, right, left, 0.49),
      color: pick(trousers),
    });
    const [armRight, armLeft] = side < 0 ? [-0.29, -0.2] : [0.2, 0.29];
    painter.solid({
      below: slab(-reach * 0.8 - 0.06, -reach * 0.8 + 0.06, armRight, armLeft, 0.45),
      above: slab(-0.07, 0.07, armRight, armLeft, 0.82),
      color: pick(coats),
    });
  }
  painter.solid({
    below: slab(-0.12, 0.12, -0.19, 0.19, 0.46),
    above: slab(-0.12, 0.12, -0.22, 0.22, 0.84),
    color: pick(coats),
  });
  painter.solid({
    below: slab(-0.09, 0.1, -0.08, 0.08, 0.83),
    above: slab(-0.1, 0.09, -0.085, 0.085, 1),
    color: pick(skins),
  });
}
