/**
 * A simulated camera: a software rasteriser of the world as it is now. A rendered stand-in with laws of its own, no model
 * of any real camera. The same world, seed and frame give the same bytes.
 */
import { recordAt, referencePose } from '../../opendrive/road-line.js';
import type { WindscreenView } from '../cabin/car-body.js';
import type { SignFaces } from '../signs/sign-faces.js';
import type { SensorPose } from '../world/sensor-pose.js';
import type { SimWorld } from '../world/sim-world.js';
import { type Atmosphere, atmosphereOf, type Rgb } from './atmosphere.js';
import { Backdrop } from './backdrop.js';
import { Darkroom } from './develop.js';
import type { DrawnFace } from './draw-sign.js';
import { drawThings } from './draw-things.js';
import { FacePainter } from './face-painter.js';
import { exposed, Headlights, sheetingGain } from './headlights.js';
import { LampGlow } from './lamp-glow.js';
import { sceneryOf } from './map-scenery.js';
import { Painter } from './painter.js';
import { Eye, type Lens } from './pinhole.js';
import { Raster } from './raster.js';
import { SceneGroups } from './scene-groups.js';
import { type SeenFace, seenFaces } from './seen-faces.js';
import { litLamps } from './vehicle-lamps.js';

const farthestM = 900;
/** what fades below this contrast is not drawn */
const faintest = 0.008;
const countryside: Rgb = [98, 112, 66];
const townGround: Rgb = [122, 120, 108];

export interface CameraView {
  readonly world: SimWorld;
  readonly pose: SensorPose;
  /** the actor that carries it and that it does not see */
  readonly carrierId: number | null;
  readonly frame: number;
  /** what it looks through; left out: nothing */
  readonly windscreen?: WindscreenView;
  /** lamps of its carrier; left out: lit by a sensor of dusk, as everybody's here */
  readonly ownLamps?: OwnLamps;
}

export interface OwnLamps {
  readonly isLit: boolean;
  readonly isHighBeam: boolean;
}

export class CameraRenderer {
  readonly raster: Raster;
  readonly groups = new SceneGroups();
  readonly #painter: Painter;
  readonly #facePainter: FacePainter;
  readonly #backdrop = new Backdrop();
  readonly #glow = new LampGlow();
  readonly #darkroom: Darkroom;
  readonly #faces: SignFaces;

  constructor(lens: Lens, seed: string, faces: SignFaces) {
    this.raster = new Raster(lens);
    this.#painter = new Painter(this.raster);
    this.#facePainter = new FacePainter(this.raster);
    this.#darkroom = new Darkroom(this.raster, seed);
    this.#faces = faces;
  }

  /** Draws what is seen, writes it as BGRA rows from the top, and tells which sign faces are in it. */
  photograph(view: CameraView, bgra: Uint8Array): readonly SeenFace[] {
    const { world, frame } = view;
    const { eye, air, groundZ, drawn } = this.draw(view);
    const headlights = headlightsOf(view, eye, air);
    this.#darkroom.develop({ air, eye, groundZ, headlights, frame, tS: world.tS });
    this.#glow.draw(this.raster, this.#darkroom.picture, air);
    const { buffer } = this.#darkroom.picture;
    bgra.set(new Uint8Array(buffer, 0, 4 * this.raster.color.length));
    const [, level] = air.level;
    return seenFaces(
      this.raster,
      drawn,
      air,
      ({ middle }: DrawnFace) =>
        level + (headlights === null ? 0 : exposed(headlights.at(...middle) * sheetingGain)),
      1,
    );
  }

  /** Colours, depths and owners of what is seen, before any light falls on it; `isThroughFog`: as far as in clean air. */
  draw(
    { world, pose, carrierId }: CameraView,
    isThroughFog = false,
  ): {
    readonly eye: Eye;
    readonly air: Atmosphere;
    readonly groundZ: number;
    readonly drawn: readonly DrawnFace[];
  } {
    const eye = new Eye(pose);
    const air = atmosphereOf(world.weather.at(world.tS).weather);
    const { groundZ, isTown } = groundAt(world, pose, carrierId);
    const fadedM = air.clearM + Math.log(1 / faintest) / air.extinctionPerM;
    const rangeM = isThroughFog ? farthestM : Math.min(farthestM, fadedM);
    const scenery = sceneryOf(world.map);
    this.raster.clear();
    this.groups.clear();
    this.#glow.clear();
    this.#backdrop.draw(this.raster, eye, groundZ, air, isTown ? townGround : countryside);
    scenery.roads.draw(this.#painter, eye, rangeM);
    const drawn = drawThings(
      { world, scenery, eye, air, rangeM, carrierId },
      {
        painter: this.#painter,
        facePainter: this.#facePainter,
        faces: this.#faces,
        groups: this.groups,
        glow: this.#glow,
      },
    );
    return { eye, air, groundZ, drawn };
  }
}

/** Height of the plane that stands for open ground: what the carrier stands on, else the road below, else 0. */
function groundAt(
  world: SimWorld,
  pose: SensorPose,
  carrierId: number | null,
): { readonly groundZ: number; readonly isTown: boolean } {
  const found = world.index.locate(pose.x, pose.y);
  const type = found === null ? undefined : recordAt(found.road.types, found.sM);
  const carrier = carrierId === null ? undefined : world.actors.get(carrierId);
  return {
    groundZ: carrier?.pose.z ?? (found === null ? 0 : referencePose(found.road, found.sM).z),
    isTown: type?.type === 'town' || type?.type === 'lowSpeed',
  };
}

/** By day they are on and light nothing. */
function headlightsOf(
  { world, pose, carrierId, ownLamps }: CameraView,
  eye: Eye,
  air: Atmosphere,
): Headlights | null {
  const carrier = carrierId === null ? undefined : world.actors.get(carrierId);
  if (carrier?.kind !== 'vehicle' || air.darkness < 0.05) return null;
  const { isLit, isHighBeam } = ownLamps ?? litLamps(carrier, air, world.tS);
  return isLit ? new Headlights(eye, carrier, air.darkness, isHighBeam, isLeftHand(world, pose)) : null;
}

function isLeftHand(world: SimWorld, { x, y }: SensorPose): boolean {
  return world.index.locate(x, y)?.road.isLeftHand ?? false;
}
