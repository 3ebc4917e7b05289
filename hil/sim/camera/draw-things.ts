/** Everything that stands on the ground, from the farthest to the nearest. */

import type { SignFaces } from '../signs/sign-faces.js';
import type { WorldActor } from '../world/actor.js';
import type { SimWorld } from '../world/sim-world.js';
import type { Atmosphere } from './atmosphere.js';
import { drawLight, drawPortal } from './draw-light.js';
import { drawRoadside } from './draw-roadside.js';
import { SignDrawing } from './draw-sign.js';
import { drawVehicle } from './draw-vehicle.js';
import { drawWalker } from './draw-walker.js';
import type { FacePainter } from './face-painter.js';
import { HouseCover } from './house-cover.js';
import { thingLabel } from './label.js';
import type { LampGlow } from './lamp-glow.js';
import type { MapScenery } from './map-scenery.js';
import type { Painter } from './painter.js';
import { type Eye, mayBeSeen } from './pinhole.js';
import { type RoadsideThing, roadsideOf } from './roadside.js';
import type { SceneGroups } from './scene-groups.js';
import type { Portal } from './sign-sites.js';
import { SolidPainter } from './solid-painter.js';

/** lower than this in the picture a thing is left out, pixels */
const lowestPx = 0.8;

/** farther away nothing is drawn of what is there for the eye alone */
const roadsideM = 450;

interface Thing {
  readonly distance2: number;
  readonly actor?: WorldActor;
  readonly portal?: Portal;
  readonly roadside?: RoadsideThing;
}

export interface ThingsView {
  readonly world: SimWorld;
  readonly scenery: MapScenery;
  readonly eye: Eye;
  readonly air: Atmosphere;
  readonly rangeM: number;
  readonly groundZ: number;
  /** the actor that carries the camera and that it does not see */
  readonly carrierId: number | null;
}

export interface Brushes {
  readonly painter: Painter;
  readonly facePainter: FacePainter;
  readonly faces: SignFaces;
  readonly groups: SceneGroups;
  readonly glow: LampGlow;
}

/** Draws them; the sign faces that were drawn from their front come back. */
export function drawThings(view: ThingsView, brushes: Brushes): SignDrawing['drawn'] {
  const { world, scenery, eye, air } = view;
  const { painter, groups, glow } = brushes;
  const solids = new SolidPainter(painter, eye, air);
  const signs = new SignDrawing(solids, brushes.facePainter, brushes.faces, groups);
  const displays = world.displays();
  for (const { actor, portal, roadside } of thingsInView(view, brushes)) {
    if (portal !== undefined) drawPortal(solids, portal, groups);
    if (roadside !== undefined) drawRoadside(solids, roadside, groups, air, glow);
    if (actor === undefined) continue;
    switch (actor.kind) {
      case 'vehicle': {
        const group = groups.take(actor.typeId.endsWith('.lorry') ? thingLabel.lorry : thingLabel.car);
        const { headingRad } = actor.pose;
        eye.turn(
          actor.vMps * Math.cos(headingRad),
          actor.vMps * Math.sin(headingRad),
          0,
          groups.velocities,
          3 * group,
        );
        drawVehicle(solids, actor, group, air, world.tS, glow);
        break;
      }
      case 'walker': {
        const group = groups.take(thingLabel.walker);
        const { direction, vMps } = actor;
        eye.turn(direction.x * vMps, direction.y * vMps, 0, groups.velocities, 3 * group);
        drawWalker(solids, actor, group);
        break;
      }
      case 'traffic-light':
        drawLight(solids, actor, scenery.sites.get(actor.signalId)?.groundZ ?? 0, groups, air, glow);
        break;
      case 'traffic-sign': {
        const site = scenery.sites.get(actor.signalId);
        if (site !== undefined) signs.draw(actor, site, displays.get(actor.signalId));
      }
    }
  }
  return signs.drawn;
}

function thingsInView(view: ThingsView, { painter }: Brushes): readonly Thing[] {
  const { world, scenery, eye, rangeM, carrierId } = view;
  const { lens } = painter.raster;
  const things: Thing[] = [];
  const place = new Float64Array(3);
  /** Squared distance, or null where it is out of sight. */
  const look = (x: number, y: number, z: number, radiusM: number, heightM: number): number | null => {
    eye.see(x, y, z, place, 0);
    const [px, py, pz] = place as unknown as [number, number, number];
    if (!mayBeSeen(lens, px, py, pz, radiusM, rangeM)) return null;
    const distance2 = px * px + py * py + pz * pz;
    const far = Math.sqrt(distance2) - radiusM;
    return far > 0 && heightM * lens.focalPx < lowestPx * far ? null : distance2;
  };
  for (const actor of world.actors.values()) {
    if (actor.id === carrierId) continue;
    const { pose, size } = actor;
    const isFixed = actor.kind === 'traffic-sign' || actor.kind === 'traffic-light';
    // Signs and lights are told with their posts.
    const lowM = isFixed ? pose.z - (scenery.sites.get(actor.signalId)?.groundZ ?? pose.z) : 0;
    const heightM = size.heightM + lowM;
    const radiusM = Math.hypot(size.lengthM, size.widthM, heightM) / 2 + 1;
    const distance2 = look(
      pose.x,
      pose.y,
      pose.z - lowM + heightM / 2,
      radiusM,
      isFixed ? size.heightM : heightM,
    );
    if (distance2 !== null) things.push({ distance2, actor });
  }
  for (const portal of scenery.portals) {
    const { pose, spanM, beamM } = portal;
    const distance2 = look(pose.x, pose.y, pose.z + beamM / 2, Math.hypot(spanM, beamM) / 2 + 1, beamM);
    // Its panels hang before it.
    if (distance2 !== null) things.push({ distance2: distance2 + 400, portal });
  }
  for (const side of scenery.roadsides) {
    if (look(side.x, side.y, side.z, side.radiusM + 60, 20) === null) continue;
    side.things ??= roadsideOf(side.road, world.index);
    for (const roadside of side.things) {
      const { pose, lengthM, widthM, heightM } = roadside;
      const radiusM = Math.hypot(lengthM, widthM, heightM) / 2 + 1;
      const distance2 = look(pose.x, pose.y, pose.z + heightM / 2, radiusM, heightM);
      if (distance2 !== null && distance2 < roadsideM * roadsideM) things.push({ distance2, roadside });
    }
  }
  things.sort((one, other) => other.distance2 - one.distance2);
  const cover = new HouseCover(lens, eye, view.groundZ);
  // From the nearest on: what houses hide is left out.
  for (let i = things.length - 1; i >= 0; i--) {
    const { roadside } = things[i] as Thing;
    if (roadside !== undefined && cover.hides(roadside)) things[i] = nothing;
  }
  return things;
}

const nothing: Thing = { distance2: 0 };
