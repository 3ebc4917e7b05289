/**
 * Light of the carrier's own headlamps on what the camera sees. The shape of the low beam follows what UN R112 asks for: a
 * cut-off a little below the horizon that rises by 15° on the side of the verge; strengths are ours.
 */
import type { VehicleActor } from '../world/actor.js';
import type { Eye } from './pinhole.js';

const lampHeightM = 0.66;
/** illuminance at a distance r on the axis: 900/r², 1 at 30 m */
const intensity = 900;
const cutOff = -0.012;
const kink = 0.268; // tan 15°
const highestKink = 0.03;
/** share of the light that goes above the cut-off */
const stray = 0.02;

export class Headlights {
  /** the beam's frame in the camera's: rows forward, right, up, and where it starts */
  readonly axes = new Float64Array(12);
  readonly isHighBeam: boolean;
  readonly #intensity: number;
  /** 1: the verge is on the right */
  readonly vergeSide: 1 | -1;

  /** `share` of the exposure that is left to them: next to nothing by day. */
  constructor(eye: Eye, carrier: VehicleActor, share: number, isHighBeam: boolean, isLeftHand: boolean) {
    this.#intensity = intensity * share * share;
    const { x, y, z, headingRad } = carrier.pose;
    const [cos, sin] = [Math.cos(headingRad), Math.sin(headingRad)];
    const ahead = carrier.size.lengthM / 2;
    const start = { x: x + ahead * cos, y: y + ahead * sin, z: z + lampHeightM };
    eye.see(eye.pose.x + cos, eye.pose.y + sin, eye.pose.z, this.axes, 0);
    eye.see(eye.pose.x + sin, eye.pose.y - cos, eye.pose.z, this.axes, 3);
    eye.see(eye.pose.x, eye.pose.y, eye.pose.z + 1, this.axes, 6);
    eye.see(start.x, start.y, start.z, this.axes, 9);
    this.isHighBeam = isHighBeam;
    this.vergeSide = isLeftHand ? -1 : 1;
  }

  /** Illuminance at a camera point; 1 on the axis at 30 m. */
  at(x: number, y: number, z: number): number {
    const a = this.axes;
    const dx = x - (a[9] as number);
    const dy = y - (a[10] as number);
    const dz = z - (a[11] as number);
    const ahead = dx * (a[0] as number) + dy * (a[1] as number) + dz * (a[2] as number);
    if (ahead < 0.2) return 0;
    const right = (dx * (a[3] as number) + dy * (a[4] as number) + dz * (a[5] as number)) / ahead;
    const up = (dx * (a[6] as number) + dy * (a[7] as number) + dz * (a[8] as number)) / ahead;
    const aside = right * right * 9;
    const near = up < 0 ? up * up * 70 : 0;
    let shape = 1 / ((1 + aside * aside) * (1 + near));
    if (!this.isHighBeam) {
      const towardsVerge = right * this.vergeSide;
      const cut = cutOff + (towardsVerge > 0 ? Math.min(highestKink, kink * towardsVerge) : 0);
      const below = (cut - up) * 60 + 0.5;
      shape *= below >= 1 ? 1 : below <= 0 ? stray : stray + (1 - stray) * below;
    }
    return (this.#intensity * shape) / (dx * dx + dy * dy + dz * dz + 4);
  }
}

/** What of an illuminance the picture shows: bright light saturates. */
export function exposed(illuminance: number): number {
  return (1.1 * illuminance) / (illuminance + 0.45);
}

/** Retroreflective sheeting sends it back to where it came from. */
export const sheetingGain = 55;
