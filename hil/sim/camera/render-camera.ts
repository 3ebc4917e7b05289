/**
 * A simulated camera: a software rasteriser of the world as it is now. A rendered stand-in with laws of its own, no model
 * of any real camera. The same world, seed and frame give the same bytes.
 */
import { recordAt, referencePose } from '../../opendrive/road-line.js';
import type { WindscreenView } from '../cabin/car-body.js';
import { createPrng } from '../prng.js';
import type { SignFaces } from '../signs/sign-faces.js';
import type { SensorPose } from '../world/sensor-pose.js';
import type { SimWorld } from '../world/sim-world.js';
import { type Atmosphere, atmosphereOf, type Rgb } from './atmosphere.js';
import { Backdrop } from './backdrop.js';
import { Darkroom } from './develop.js';
import type { DrawnFace } from './draw-sign.js';
import { drawThings } from './draw-things.js';
import { FacePainter } from './face-painter.js';
import { clearShare, Glass, glassOf } from './glass.js';
import { exposed, Headlights, sheetingGain } from './headlights.js';
import { LampGlow } from './lamp-glow.js';
import { sceneryOf } from './map-scenery.js';
import { type CameraMotion, MotionBlur } from './motion-blur.js';
import { Painter } from './painter.js';
import { Eye, type Lens } from './pinhole.js';
import { drawStreaks } from './rain-streaks.js';
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
  readonly #glass: Glass;
  readonly #blur: MotionBlur | null;
  readonly #blurIntensity: number;
  readonly #seed: number;
  readonly #faces: SignFaces;

  /** `blurIntensity`: CARLA's motion_blur_intensity, 0–1. */
  constructor(lens: Lens, seed: string, faces: SignFaces, blurIntensity = 0) {
    this.raster = new Raster(lens);
    this.#painter = new Painter(this.raster);
    this.#facePainter = new FacePainter(this.raster);
    this.#darkroom = new Darkroom(this.raster, seed);
    this.#seed = Math.floor(createPrng(seed, 'rain').uniform() * 2 ** 32);
    this.#glass = new Glass(lens, this.#seed);
    this.#blur = blurIntensity > 0 ? new MotionBlur(this.raster) : null;
    this.#blurIntensity = blurIntensity;
    this.#faces = faces;
  }

  /** Draws what is seen, writes it as BGRA rows from the top, and tells which sign faces are in it. */
  photograph(view: CameraView, bgra: Uint8Array): readonly SeenFace[] {
    const { world, frame } = view;
    const { eye, air, groundZ, drawn } = this.draw(view);
    const headlights = headlightsOf(view, eye, air);
    const { picture } = this.#darkroom;
    this.#darkroom.develop({ air, eye, groundZ, headlights, frame, tS: world.tS });
    const motion = motionOf(view, eye);
    this.#blur?.draw(picture, this.groups, motion, this.#blurIntensity);
    this.#glow.draw(this.raster, picture, air);
    const lampShare = headlights === null ? 0 : air.darkness;
    drawStreaks(this.raster.lens, picture, air, motion.vMps[0], lampShare, this.#seed, frame);
    const glass = glassOf(view.windscreen, air.rain);
    this.#glass.draw(picture, glass, world.tS);
    const { buffer } = picture;
    bgra.set(new Uint8Array(buffer, 0, 4 * this.raster.color.length));
    const [, level] = air.level;
    return seenFaces(
      this.raster,
      drawn,
      air,
      ({ middle }: DrawnFace) =>
        level + (headlights === null ? 0 : exposed(headlights.at(...middle) * sheetingGain)),
      clearShare(glass),
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
      { world, scenery, eye, air, rangeM, groundZ, carrierId },
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
  const carrier = carrierId === null ? undefined : world.actors.get(carrierId);
  const track = carrier?.kind === 'vehicle' ? carrier.track : null;
  const place = track ?? world.index.locate(pose.x, pose.y);
  const type = place === null ? undefined : recordAt(place.road.types, place.sM)?.type;
  return {
    groundZ: carrier?.pose.z ?? (place === null ? 0 : referencePose(place.road, place.sM).z),
    isTown: type === 'town' || type === 'lowSpeed',
  };
}

/** Of the camera with its carrier; one that stands alone does not move. */
function motionOf({ world, carrierId, pose }: CameraView, eye: Eye): CameraMotion {
  const carrier = carrierId === null ? undefined : world.actors.get(carrierId);
  if (carrier?.kind !== 'vehicle') return { vMps: [0, 0, 0], yawRateRadps: 0 };
  const { vMps, yawRateRadps } = carrier;
  const { headingRad, x, y } = carrier.pose;
  const turned = new Float64Array(3);
  // Beside the middle of the carrier it also goes round it.
  eye.turn(
    vMps * Math.cos(headingRad) - yawRateRadps * (pose.y - y),
    vMps * Math.sin(headingRad) + yawRateRadps * (pose.x - x),
    0,
    turned,
    0,
  );
  return { vMps: [turned[0] as number, turned[1] as number, turned[2] as number], yawRateRadps };
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
