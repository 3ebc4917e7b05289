/** Ground truth of the sign faces in a picture: for oracles and metrics, never for what drives or decides. */
import type { FaceClass } from '../signs/face-catalogue.js';
import { type Atmosphere, contrastAt } from './atmosphere.js';
import type { DrawnFace } from './draw-sign.js';
import type { Raster } from './raster.js';

/** A face of fewer pixels in height tells nothing. */
export const legiblePx = 12;
/** less contrast than this is not seen (ICAO's and WMO's 5 % of the meteorological optical range) */
export const leastContrast = 0.05;
const leastPx = 2;

export interface SeenFace {
  readonly signId: string;
  readonly class: FaceClass;
  readonly value: number | null;
  readonly unit: string;
  readonly country: string;
  /** around the whole face, beyond the picture's frame too; pixels, v down */
  readonly bboxPx: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  /** from the camera to its middle */
  readonly distanceM: number;
  /** share of it that something nearer hides or that lies outside the frame, 0–1 */
  readonly occlusion: number;
  /** share of its own contrast that light, air and windscreen leave, 0–1 */
  readonly contrast: number;
  /** height of at least 12 px */
  readonly legible: boolean;
}

/** Faces of which something is seen, nearest first. `lightOn`: light on a face's sheeting, 0–1; `clear`: share of contrast that the windscreen leaves. */
export function seenFaces(
  raster: Raster,
  drawn: readonly DrawnFace[],
  air: Atmosphere,
  lightOn: (face: DrawnFace) => number,
  clear: number,
): readonly SeenFace[] {
  const seen: SeenFace[] = [];
  for (const one of drawn) {
    const { signId, face, group, distanceM, trace, isLamp } = one;
    const { left, top, right, bottom, drawnPx } = trace;
    if (bottom - top < leastPx || drawnPx === 0) continue;
    const visible = ownedPx(raster, trace, group);
    const contrast = contrastAt(air, distanceM) * (isLamp ? 1 : Math.min(1, lightOn(one))) * clear;
    if (visible === 0 || contrast < leastContrast) continue;
    const { class: meaning, value, unit, country } = face;
    seen.push({
      signId,
      class: meaning,
      value,
      unit,
      country,
      bboxPx: { left, top, right, bottom },
      distanceM,
      occlusion: 1 - Math.min(1, (visible / drawnPx) * insideShare(raster, trace)),
      contrast,
      legible: bottom - top >= legiblePx,
    });
  }
  return seen.sort((one, other) => one.distanceM - other.distanceM);
}

function ownedPx(
  { lens, owner }: Raster,
  { left, top, right, bottom }: DrawnFace['trace'],
  group: number,
): number {
  let count = 0;
  const endRow = Math.min(lens.heightPx, Math.ceil(bottom) + 1);
  const endColumn = Math.min(lens.widthPx, Math.ceil(right) + 1);
  for (let row = Math.max(0, Math.floor(top) - 1); row < endRow; row++)
    for (let column = Math.max(0, Math.floor(left) - 1); column < endColumn; column++)
      if (owner[row * lens.widthPx + column] === group) count++;
  return count;
}

/** Share of the frame around a face that lies in the picture. */
function insideShare({ lens }: Raster, { left, top, right, bottom }: DrawnFace['trace']): number {
  const across = (Math.min(right, lens.widthPx) - Math.max(left, 0)) / (right - left);
  const down = (Math.min(bottom, lens.heightPx) - Math.max(top, 0)) / (bottom - top);
  return Math.max(0, across) * Math.max(0, down);
}
