/** Trees, houses, lamps, posts and rails along a road. */
import type { Atmosphere } from './atmosphere.js';
import { thingLabel } from './label.js';
import type { LampGlow } from './lamp-glow.js';
import { material, paint } from './raster.js';
import type { RoadsideThing } from './roadside.js';
import type { SceneGroups } from './scene-groups.js';
import type { Slab, SolidPainter } from './solid-painter.js';
import { drawSprite } from './sprite-painter.js';
import { treeSprites } from './tree-sprites.js';

const walls = [
  [196, 186, 168],
  [178, 158, 136],
  [206, 200, 190],
  [158, 104, 84],
  [186, 176, 150],
  [170, 172, 174],
] as const;
const roofs = [
  [122, 66, 52],
  [84, 80, 80],
  [104, 72, 58],
] as const;
const pane = paint(58, 66, 76, material.matte);
const litPane = paint(214, 170, 104, material.lamp);
const door = paint(84, 66, 54, material.matte);
const steel = paint(120, 124, 126, material.matte);
const railSteel = paint(164, 168, 170, material.matte);
const white = paint(224, 224, 220, material.matte);
const black = paint(36, 36, 38, material.matte);
const reflector = paint(255, 250, 236, material.sheeting);
const storeyM = 3;
/** A house has windows of its own where they are wider than a few pixels, farther away a band a storey, then nothing. */
const windowsPx = 7;
const bandsPx = 2.5;
const windowM = 1.2;
/** Of posts and rails: what is smaller is left out. */
const detailPx = 1.2;

export function drawRoadside(
  painter: SolidPainter,
  thing: RoadsideThing,
  groups: SceneGroups,
  air: Atmosphere,
  glow: LampGlow,
): void {
  const { pose, heightM } = thing;
  switch (thing.kind) {
    case 'tree': {
      const group = groups.take(thingLabel.tree);
      painter.stand(pose, group);
      const foot = new Float64Array(3);
      painter.see(0, 0, 0, foot, 0);
      const kind = treeSprites[thing.variant % treeSprites.length] ?? [];
      const light = 1 - 0.15 * ((thing.variant >> 4) / 16) - 0.1 * (1 - air.sunShare);
      drawSprite(painter.painter.raster, foot, heightM * 0.66, heightM, kind, group, light);
      return;
    }
    case 'house':
      house(painter, thing, groups, air);
      return;
    case 'lamp':
      lamp(painter, thing, groups, air, glow);
      return;
    case 'post': {
      painter.stand(pose, groups.take(thingLabel.pole));
      painter.solid({ below: slab(0.06, 0.06, 0), above: slab(0.05, 0.05, heightM), color: white });
      if (painter.pxPerM * 0.15 < detailPx) return;
      painter.solid({ below: slab(0.062, 0.062, 0.72), above: slab(0.058, 0.058, 0.92), color: black });
      painter.solid({ below: slab(0.066, 0.03, 0.76), above: slab(0.064, 0.03, 0.9), color: reflector });
      return;
    }
    case 'rail': {
      const half = thing.lengthM / 2;
      painter.stand(pose, groups.take(thingLabel.rail));
      painter.solid({ below: slab(half, 0.04, 0.44), above: slab(half, 0.04, 0.75), color: railSteel });
      if (painter.pxPerM * 0.1 < detailPx / 3) return;
      for (let along = 2 - half; along < half; along += 4)
        painter.solid({
          below: { ...slab(0.05, 0.03, 0), rear: along - 0.05, front: along + 0.05 },
          above: { ...slab(0.05, 0.03, 0.7), rear: along - 0.05, front: along + 0.05 },
          color: steel,
        });
    }
  }
}

const slab = (halfLength: number, halfWidth: number, z: number): Slab => ({
  rear: -halfLength,
  front: halfLength,
  right: -halfWidth,
  left: halfWidth,
  z,
});

function house(
  painter: SolidPainter,
  { pose, lengthM, widthM, heightM, variant }: RoadsideThing,
  groups: SceneGroups,
  air: Atmosphere,
): void {
  const [along, aside] = [lengthM / 2, widthM / 2];
  painter.stand(pose, groups.take(thingLabel.building));
  const wall = paint(...(walls[variant % walls.length] as readonly [number, number, number]), material.matte);
  painter.solid({ below: slab(along, aside, 0), above: slab(along, aside, heightM), color: wall });
  if (variant % 4 !== 0) {
    const roof = paint(
      ...(roofs[(variant >> 3) % roofs.length] as readonly [number, number, number]),
      material.matte,
    );
    const ridgeM = heightM + 1.6 + (variant % 5) * 0.3;
    painter.solid({
      below: slab(along + 0.25, aside + 0.25, heightM),
      above: slab(along + 0.1, 0.15, ridgeM),
      color: roof,
    });
  }
  const windowPx = windowM * painter.pxPerM;
  if (windowPx < bandsPx) return;
  painter.painter.lift = 1.004;
  const storeys = Math.floor(heightM / storeyM);
  const count = Math.floor(lengthM / 2.6);
  const isNear = windowPx > windowsPx;
  for (let storey = 0; storey < storeys; storey++) {
    const low = storey * storeyM + 0.95;
    for (const side of [-1, 1] as const) {
      if (!painter.isSideSeen(side)) continue;
      if (!isNear) {
        painter.painter.color = painter.shadeOf(pane, side);
        painter.sidePlate(side * (aside + 0.02), -along + 0.8, along - 0.8, low + 0.2, low + 1.1, side);
        continue;
      }
      for (let i = 0; i < count; i++) {
        const middle = -along + ((i + 0.5) * lengthM) / count;
        const isDoor = storey === 0 && i === variant % count;
        // Some are at home.
        const isLit = air.darkness > 0.5 && ((variant + 7 * storey + 13 * i) * 37) % 11 < 4;
        painter.painter.color = isDoor
          ? painter.shadeOf(door, side)
          : isLit
            ? litPane
            : painter.shadeOf(pane, side);
        const bottom = isDoor ? 0 : low;
        painter.sidePlate(side * (aside + 0.02), middle - 0.6, middle + 0.6, bottom, low + 1.35, side);
      }
    }
    if (!isNear) continue;
    for (const facing of [-1, 1] as const)
      for (let i = 0; i < 3 && painter.isSideSeen(facing === 1 ? 'front' : 'rear'); i++) {
        const middle = -aside + ((i + 0.5) * widthM) / 3;
        painter.painter.color = painter.shadeOf(pane, facing === 1 ? 'front' : 'rear');
        painter.plate(facing * (along + 0.02), middle - 0.55, middle + 0.55, low, low + 1.35, facing);
      }
  }
  painter.painter.lift = 1;
}

function lamp(
  painter: SolidPainter,
  { pose, heightM }: RoadsideThing,
  groups: SceneGroups,
  air: Atmosphere,
  glow: LampGlow,
): void {
  const group = groups.take(thingLabel.pole);
  painter.stand(pose, group);
  painter.solid({ below: slab(0.08, 0.08, 0), above: slab(0.05, 0.05, heightM), color: steel });
  const isOn = air.darkness > 0.4;
  painter.solid({
    below: slab(0.32, 0.16, heightM),
    above: slab(0.28, 0.12, heightM + 0.14),
    color: isOn ? paint(255, 232, 190, material.lamp) : steel,
  });
  if (!isOn) return;
  const point = new Float64Array(3);
  painter.see(0, 0, heightM, point, 0);
  glow.add(point, 0.3, [255, 214, 150], 0.8 * air.darkness, group);
}
