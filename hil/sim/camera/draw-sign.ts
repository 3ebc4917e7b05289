/** Signs: the face on its post or on its panel, grey from behind; what is seen of each face is kept for the ground truth. */
import type { MapSignal } from '../../opendrive/map.js';
import type { SignFace } from '../signs/face-catalogue.js';
import { fixedFace, variableFaces } from '../signs/face-catalogue.js';
import type { SignFaces } from '../signs/sign-faces.js';
import type { SignActor } from '../world/actor.js';
import type { SignDisplay } from '../world/sign-displays.js';
import type { FacePainter, FaceTrace } from './face-painter.js';
import { thingLabel } from './label.js';
import { material, paint } from './raster.js';
import type { SceneGroups } from './scene-groups.js';
import type { SignSite } from './sign-sites.js';
import type { SolidPainter } from './solid-painter.js';

const steel = paint(128, 131, 134, material.matte);
const back = paint(122, 125, 128, material.matte);
const housing = paint(30, 31, 33, material.matte);
const postHalfM = 0.035;
/** of a face before the middle of its post */
const beforePostM = 0.05;
const housingM = 0.3;
const rimM = 0.16;

/** A face that was drawn from its front. */
export interface DrawnFace {
  readonly signId: string;
  readonly face: SignFace;
  readonly group: number;
  readonly distanceM: number;
  /** camera point of its middle */
  readonly middle: readonly [x: number, y: number, z: number];
  readonly trace: Readonly<FaceTrace>;
  readonly isLamp: boolean;
}

export class SignDrawing {
  readonly #solids: SolidPainter;
  readonly #facePainter: FacePainter;
  readonly #faces: SignFaces;
  readonly #groups: SceneGroups;
  readonly #place = { corner: new Float64Array(3), across: new Float64Array(3), down: new Float64Array(3) };
  /** of the present picture */
  readonly drawn: DrawnFace[] = [];

  constructor(solids: SolidPainter, facePainter: FacePainter, faces: SignFaces, groups: SceneGroups) {
    this.#solids = solids;
    this.#facePainter = facePainter;
    this.#faces = faces;
    this.#groups = groups;
  }

  draw(actor: SignActor, { signal, groundZ, isOverhead }: SignSite, display: SignDisplay | undefined): void {
    const belowM = actor.pose.z - groundZ;
    if (!isOverhead) this.#post(actor, groundZ, belowM + signal.heightM);
    if (!signal.isDynamic) {
      this.#face(actor, signal, fixedFace(signal, this.#has), beforePostM, 0, signal.widthM, signal.heightM);
      return;
    }
    const { panel, plate } = variableFaces(signal, display, this.#has);
    this.#box(actor, signal.widthM, -rimM, signal.heightM + rimM);
    this.#face(actor, signal, panel, housingM / 2 + 0.01, 0, signal.widthM, signal.heightM);
    if (plate === null) return;
    const plateM = signal.widthM / 2;
    this.#box(actor, signal.widthM, -rimM - plateM - 0.08, -rimM);
    this.#face(actor, signal, plate, housingM / 2 + 0.01, -rimM - plateM - 0.04, signal.widthM, plateM);
  }

  readonly #has = (drawing: string): boolean => this.#faces.has(drawing);

  #post(actor: SignActor, groundZ: number, toM: number): void {
    this.#solids.stand({ ...actor.pose, z: groundZ }, this.#groups.take(thingLabel.pole));
    const square = { rear: -postHalfM, front: postHalfM, right: -postHalfM, left: postHalfM };
    this.#solids.solid({ below: { ...square, z: 0 }, above: { ...square, z: toM }, color: steel });
  }

  #box(actor: SignActor, widthM: number, fromM: number, toM: number): void {
    this.#solids.stand(actor.pose, this.#groups.take(thingLabel.sign));
    const half = widthM / 2 + rimM;
    const slab = { rear: -housingM / 2, front: housingM / 2, right: -half, left: half };
    this.#solids.solid({ below: { ...slab, z: fromM }, above: { ...slab, z: toM }, color: housing });
  }

  /** `aheadM` before the sign's own place, its lower edge `lowM` above it. */
  #face(
    actor: SignActor,
    signal: MapSignal,
    face: SignFace,
    aheadM: number,
    lowM: number,
    widthM: number,
    heightM: number,
  ): void {
    const group = this.#groups.take(thingLabel.sign);
    const solids = this.#solids;
    solids.stand(actor.pose, group);
    const { corner, across, down } = this.#place;
    const half = widthM / 2;
    // Who looks at it sees its frame's right side on the left.
    solids.see(aheadM, -half, lowM + heightM, corner, 0);
    solids.see(aheadM, half, lowM + heightM, across, 0);
    solids.see(aheadM, -half, lowM, down, 0);
    for (let k = 0; k < 3; k++) {
      across[k] = (across[k] as number) - (corner[k] as number);
      down[k] = (down[k] as number) - (corner[k] as number);
    }
    const levels = this.#faces.levels(face.drawing);
    const trace: FaceTrace = { left: 0, top: 0, right: 0, bottom: 0, drawnPx: 0 };
    const isLamp = signal.isDynamic;
    if (!isFront(corner, across, down)) {
      if (!isLamp) this.#facePainter.draw(this.#place, levels, material.matte, group, trace, back);
      return;
    }
    const kind = isLamp ? material.lamp : material.sheeting;
    if (!this.#facePainter.draw(this.#place, levels, kind, group, trace)) return;
    const middle = [0, 1, 2].map(
      (k) => (corner[k] as number) + ((across[k] as number) + (down[k] as number)) / 2,
    ) as [number, number, number];
    this.drawn.push({
      signId: signal.id,
      face,
      group,
      distanceM: Math.hypot(...middle),
      middle,
      trace,
      isLamp,
    });
  }
}

/** Whether the camera is on the side that shows the face: across × down looks away from it in these axes. */
function isFront(corner: Float64Array, across: Float64Array, down: Float64Array): boolean {
  const [ax, ay, az] = across as unknown as [number, number, number];
  const [dx, dy, dz] = down as unknown as [number, number, number];
  const [x, y, z] = corner as unknown as [number, number, number];
  return (ay * dz - az * dy) * x + (az * dx - ax * dz) * y + (ax * dy - ay * dx) * z < 0;
}
