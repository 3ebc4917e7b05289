/** One picture of a scenario at a moment, without a server: the world is run there, then looked at. */

import type { Transform } from '../carla/wire/geometry.js';
import type { OpenDriveMap } from '../opendrive/map.js';
import type { WindscreenView } from './cabin/car-body.js';
import { carlaLabels } from './camera/label.js';
import { lensOf } from './camera/pinhole.js';
import { CameraRenderer, type CameraView } from './camera/render-camera.js';
import type { SeenFace } from './camera/seen-faces.js';
import { writeDepths, writeLabels } from './camera/truth-images.js';
import { colorPng } from './png/write-png.js';
import { attached, toPose, toTransform } from './server/carla-axes.js';
import { SignFaces } from './signs/sign-faces.js';
import { SimWorld } from './world/sim-world.js';
import type { WorldScenario } from './world/world-scenario.js';

export const stepS = 0.05;
const radians = Math.PI / 180;

export interface SnapshotOrder {
  readonly scenario: WorldScenario;
  readonly map: OpenDriveMap;
  /** of the world; the step at or before it */
  readonly atS: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fovDeg: number;
  /** in the ego's frame, CARLA's axes; in the world where `isInWorld` or where there is no ego */
  readonly transform: Transform;
  readonly isInWorld: boolean;
  readonly windscreen?: WindscreenView;
  readonly show: 'rgb' | 'depth' | 'labels';
}

export interface Snapshot {
  readonly png: Buffer;
  readonly tS: number;
  readonly frame: number;
  readonly hasEgo: boolean;
  /** of the colour picture */
  readonly faces: readonly SeenFace[];
}

export function takeSnapshot(order: SnapshotOrder): Snapshot {
  const { scenario, map, atS, widthPx, heightPx } = order;
  const world = new SimWorld(scenario, map);
  const frame = Math.floor(atS / stepS + 1e-6);
  for (let i = 0; i < frame; i++) world.step(stepS);
  const { ego } = world;
  const isOnEgo = ego !== null && !order.isInWorld;
  const transform = isOnEgo ? attached(toTransform(ego.pose), order.transform) : order.transform;
  const { pitchDeg, rollDeg } = transform.rotation;
  const view: CameraView = {
    world,
    pose: { ...toPose(transform), pitchRad: pitchDeg * radians, rollRad: rollDeg * radians },
    carrierId: isOnEgo ? ego.id : null,
    frame,
    ...(order.windscreen === undefined ? {} : { windscreen: order.windscreen }),
  };
  const camera = new CameraRenderer(
    lensOf(widthPx, heightPx, order.fovDeg),
    `${scenario.id}/${scenario.seed}`,
    SignFaces.load(),
  );
  const bgra = new Uint8Array(4 * widthPx * heightPx);
  const faces = camera.photograph(view, bgra);
  if (order.show !== 'rgb') {
    camera.draw(view, true);
    if (order.show === 'depth') writeDepths(camera.raster, bgra);
    else writeLabels(camera.raster, camera.groups, carlaLabels(true), bgra);
  }
  return { png: colorPng(bgra, widthPx, heightPx), tS: world.tS, frame, hasEgo: ego !== null, faces };
}
