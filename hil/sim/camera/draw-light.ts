/** A traffic light: pole, housing, three lenses of which its state lights one; and portals over a carriageway. */
import type { LightActor } from '../world/actor.js';
import { greenState, redState, yellowState } from '../world/traffic-lights.js';
import type { Atmosphere, Rgb } from './atmosphere.js';
import { thingLabel } from './label.js';
import type { LampGlow } from './lamp-glow.js';
import { material, paint } from './raster.js';
import type { SceneGroups } from './scene-groups.js';
import type { Portal } from './sign-sites.js';
import type { SolidPainter } from './solid-painter.js';

const steel = paint(122, 126, 130, material.matte);
const housing = paint(36, 38, 40, material.matte);
const rim = paint(206, 206, 202, material.matte);
const lenses: readonly { readonly state: number; readonly on: Rgb; readonly off: Rgb }[] = [
  { state: redState, on: [255, 46, 36], off: [64, 18, 16] },
  { state: yellowState, on: [255, 190, 40], off: [66, 50, 18] },
  { state: greenState, on: [50, 240, 150], off: [16, 56, 38] },
];
const halfWidthM = 0.17;
const poleM = 0.06;

export function drawLight(
  painter: SolidPainter,
  { pose, size, state }: LightActor,
  groundZ: number,
  groups: SceneGroups,
  air: Atmosphere,
  glow: LampGlow,
): void {
  painter.stand({ ...pose, z: groundZ }, groups.take(thingLabel.pole));
  const belowM = pose.z - groundZ;
  const square = { rear: -poleM - 0.12, front: poleM - 0.12, right: -poleM, left: poleM };
  painter.solid({
    below: { ...square, z: 0 },
    above: { ...square, z: belowM + size.heightM * 0.9 },
    color: steel,
  });
  const group = groups.take(thingLabel.light);
  painter.stand(pose, group);
  const board = { rear: -0.12, front: -0.1, right: -halfWidthM - 0.09, left: halfWidthM + 0.09 };
  painter.solid({ below: { ...board, z: -0.08 }, above: { ...board, z: size.heightM + 0.08 }, color: rim });
  const box = { rear: -0.1, front: 0.1, right: -halfWidthM, left: halfWidthM };
  painter.solid({ below: { ...box, z: 0 }, above: { ...box, z: size.heightM }, color: housing });
  const brush = painter.painter;
  const radiusM = Math.min(0.13, size.heightM / 7);
  const point = new Float64Array(3);
  brush.lift = 1.01;
  for (const [i, { state: own, on, off }] of lenses.entries()) {
    const z = size.heightM * (1 - (i + 0.5) / 3);
    const isOn = state === own;
    brush.color = paint(...(isOn ? on : off), isOn ? material.lamp : material.matte);
    painter.lens(0.11, 0, z, radiusM);
    if (!isOn) continue;
    painter.see(0.12, 0, z, point, 0);
    if (painter.isSeenFromFront(0.11, 0, z)) glow.add(point, radiusM, on, 0.35 + 0.5 * air.darkness, group);
  }
  brush.lift = 1;
}

export function drawPortal(painter: SolidPainter, { pose, spanM, beamM }: Portal, groups: SceneGroups): void {
  painter.stand(pose, groups.take(thingLabel.pole));
  const half = spanM / 2;
  const beam = { rear: -0.75, front: -0.3, right: -half, left: half };
  for (const side of [-1, 1]) {
    const leg = { rear: -0.72, front: -0.33, right: side * half - 0.2, left: side * half + 0.2 };
    painter.solid({ below: { ...leg, z: 0 }, above: { ...leg, z: beamM + 0.35 }, color: steel });
  }
  painter.solid({ below: { ...beam, z: beamM - 0.35 }, above: { ...beam, z: beamM + 0.35 }, color: steel });
}
