/** What distance does to a colour, as a table of whole numbers (256 stands for 1): made once a picture, read in every pixel. */
import { type Atmosphere, contrastAt } from './atmosphere.js';

const nearSteps = 512;
const nearStepM = 0.5;
const farSteps = 128;
const farStepM = 64;
const nearM = nearSteps * nearStepM;
const nearPerM = 1 / nearStepM;
const farPerM = 1 / farStepM;
const one = 256;
/** how much lighter and darker spots of the ground are */
const grassGrain = 0.7;
const roadGrain = 0.22;

/** Fields of a row of the table: haze that is added (red, green, blue), then these. */
export const tone = {
  light: 3,
  /** share of the contrast that is left */
  contrast: 6,
  grassGrain: 7,
  roadGrain: 8,
  /** of a road's own colour, where the rest is a mirror */
  roadShare: 9,
  /** what is mirrored by a wet road, faded as far as its distance says */
  sheen: 10,
  whole: 11,
  none: 12,
} as const;

const fields = 13;
export const toneCount = fields * (nearSteps + farSteps);

/** First field of the row for a distance. */
export function slotOf(distanceM: number): number {
  return Math.imul(
    fields,
    distanceM < nearM
      ? (distanceM * nearPerM) | 0
      : nearSteps + Math.min(farSteps - 1, ((distanceM - nearM) * farPerM) | 0),
  );
}

/** `aboveM`: of the camera over the ground. */
export function fillTones(tones: Int32Array, air: Atmosphere, aboveM: number): void {
  for (let i = 0; i < nearSteps + farSteps; i++) {
    const distanceM = i < nearSteps ? (i + 0.5) * nearStepM : nearM + (i - nearSteps + 0.5) * farStepM;
    const through = contrastAt(air, distanceM);
    const at = fields * i;
    for (let k = 0; k < 3; k++) {
      tones[at + k] = Math.round(one * (air.haze[k] as number) * (1 - through));
      tones[at + tone.light + k] = Math.round(one * (air.level[k] as number) * through);
    }
    // A mirror the more, the flatter one looks at it; the power stands for the roughness of the water.
    const flat = Math.max(0, 1 - aboveM / distanceM);
    const sheen = air.wet * (0.05 + 0.62 * flat ** 6);
    const grains = one / (1 + distanceM * 0.02);
    tones[at + tone.contrast] = Math.round(one * through);
    tones[at + tone.grassGrain] = Math.round(grassGrain * grains);
    tones[at + tone.roadGrain] = Math.round(roadGrain * grains * (1 - sheen));
    tones[at + tone.roadShare] = Math.round(one * (1 - 0.3 * air.wet) * (1 - sheen));
    tones[at + tone.sheen] = Math.round(one * sheen * through);
    tones[at + tone.whole] = one;
    tones[at + tone.none] = 0;
  }
}
