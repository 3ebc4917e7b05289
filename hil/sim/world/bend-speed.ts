/** How fast somebody who keeps to a track may be for the bends ahead, and how hard it has to brake for them. */
import { curvatureAhead, type LaneTrack } from './lane-track.js';

/** Straighter than a radius of ten kilometres is straight. */
const straightPerM = 1e-4;
/** samples at least this far apart, and further where there is time to see more */
const nearM = 4;
const farShare = 0.2;

export interface BendManner {
  /** what is taken in a bend */
  readonly lateralMps2: number;
  /** what is braked with for one that is seen in time */
  readonly comfortBrakeMps2: number;
  /** hardest braking for one that comes too soon */
  readonly hardestBrakeMps2: number;
}

export interface BendSpeed {
  /** highest speed now from which comfortable braking is in time; Infinity: no bend */
  readonly limitMps: number;
  /** m/s², positive: braking that is needed now; 0 while there is time */
  readonly brakeMps2: number;
}

/**
 * A bend of curvature κ is taken at √(a_lat/κ); from v that needs (v² − v_b²)/(2·d) over the way d until there. Braking
 * begins when this comes near the comfortable one: a driver that follows a falling wish with the speed of a wish is late.
 */
export function bendSpeed(track: LaneTrack, vMps: number, manner: BendManner): BendSpeed {
  const { lateralMps2, comfortBrakeMps2, hardestBrakeMps2 } = manner;
  const sightM = 20 + (vMps * vMps) / (2 * comfortBrakeMps2);
  let limit2 = Infinity;
  let brakeMps2 = 0;
  for (let aheadM = 0; aheadM <= sightM; aheadM += Math.max(nearM, farShare * aheadM)) {
    const curvature = Math.abs(curvatureAhead(track, aheadM));
    if (curvature < straightPerM) continue;
    const bend2 = lateralMps2 / curvature;
    limit2 = Math.min(limit2, bend2 + 2 * comfortBrakeMps2 * aheadM);
    brakeMps2 = Math.max(brakeMps2, (vMps * vMps - bend2) / (2 * Math.max(nearM, aheadM)));
  }
  return {
    limitMps: Math.sqrt(limit2),
    brakeMps2: brakeMps2 < comfortBrakeMps2 / 2 ? 0 : Math.min(hardestBrakeMps2, brakeMps2),
  };
}
