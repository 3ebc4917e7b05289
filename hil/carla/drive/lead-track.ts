/** Follows the object ahead from scan to scan: an α–β filter on the gap gives the closing speed. */
import type { Actor } from '../../../daemon/core/world/facts.js';
import type { LidarObject } from './lidar-lead.js';

/** Gains for 10 Hz and a range noise of some centimetres; the closing speed settles within half a second. */
const alpha = 0.5;
const beta = 0.15;
/** a gap that jumps by more is another object */
const jumpM = 4;
const forgetS = 0.5;

export class LeadTrack {
  #number = 0;
  #gapM = 0;
  /** change of the gap, m/s: negative where it closes */
  #rateMps = 0;
  #seenAtS: number | null = null;
  #scans = 0;

  /** Takes a scan's object at `tS`; returns what is known of it, null where nothing is. */
  update(object: LidarObject | null, tS: number): Actor | null {
    if (object === null) {
      if (this.#seenAtS !== null && tS - this.#seenAtS > forgetS) this.#seenAtS = null;
      return null;
    }
    const dtS = this.#seenAtS === null ? 0 : tS - this.#seenAtS;
    const expectedM = this.#gapM + this.#rateMps * dtS;
    if (this.#seenAtS === null || dtS <= 0 || Math.abs(object.gapM - expectedM) > jumpM) {
      this.#number++;
      this.#gapM = object.gapM;
      this.#rateMps = 0;
      this.#scans = 0;
    } else {
      const residueM = object.gapM - expectedM;
      this.#gapM = expectedM + alpha * residueM;
      this.#rateMps += (beta * residueM) / dtS;
      this.#scans++;
    }
    this.#seenAtS = tS;
    // Two scans make a speed; before that nothing is said about closing.
    if (this.#scans < 4) return null;
    return {
      id: `lidar-${this.#number}`,
      cls: classOf(object),
      gapM: round(Math.max(0, this.#gapM)),
      closingMps: round(-this.#rateMps),
      inPath: round(Math.min(1, object.inPath)),
    };
  }
}

function classOf({ widthM, heightM }: LidarObject): Actor['cls'] {
  if (heightM > 2.4) return 'truck';
  return widthM < 0.9 && heightM > 1.2 ? 'pedestrian' : 'car';
}

function round(x: number): number {
  return Math.round(x * 100) / 100;
}
