/** The road along the ego's route: segments, signs and gantries by position, and the limit that is in force. */
import type { DriveSide, RoadClass, SignFact, SpeedUnit } from '../../daemon/core/world/facts.js';

export interface SpeedLimit {
  readonly value: number;
  readonly unit: SpeedUnit;
}

export interface RoadSegment {
  readonly id: string;
  readonly lengthM: number;
  /** jurisdiction path, most general first */
  readonly jurisdiction: string;
  readonly roadClass: RoadClass;
  readonly carriageway: 'single' | 'separated';
  readonly lanesPerDir: number;
  readonly unit: SpeedUnit;
  readonly driveSide: DriveSide;
  /** limit where no sign says otherwise; null = none */
  readonly statutoryLimit: SpeedLimit | null;
  /** 1/m, positive to the left */
  readonly curvaturePerM: number;
}

/** A sign stands at `sM` and holds from there. */
export interface RoadSign {
  readonly sM: number;
  readonly sign: SignFact;
}

/** What a gantry shows from `fromS` on; value null = dark. */
export interface GantryDisplay {
  readonly fromS: number;
  readonly value: number | null;
  readonly unit: SpeedUnit;
}

export interface Gantry {
  readonly id: string;
  readonly sM: number;
  readonly country: string;
  readonly schedule: readonly GantryDisplay[];
}

export interface Road {
  /** grip of this asphalt relative to the usual one; scales the plant's friction and nothing else */
  readonly gripFactor: number;
  readonly segments: readonly RoadSegment[];
  readonly signs: readonly RoadSign[];
  /** in the order of their place */
  readonly gantries: readonly Gantry[];
}

export function metresPerSecond(limit: SpeedLimit): number {
  return limit.unit === 'mph' ? limit.value * 0.44704 : limit.value / 3.6;
}

/** The segment at `sM` and where it starts; before the first and behind the last the road goes on as it is. */
export function segmentAt(road: Road, sM: number): { segment: RoadSegment; startM: number } {
  let startM = 0;
  let found: { segment: RoadSegment; startM: number } | undefined;
  for (const segment of road.segments) {
    if (found !== undefined && sM < startM) break;
    found = { segment, startM };
    startM += segment.lengthM;
  }
  if (found === undefined) throw new RangeError('a road needs at least one segment');
  return found;
}

/** What the gantry shows at time `tS`; undefined before its schedule begins. */
export function displayAt(gantry: Gantry, tS: number): GantryDisplay | undefined {
  return gantry.schedule.findLast((display) => display.fromS <= tS);
}

/** What stands in force at a place: the sign or gantry that says it, or the statute. */
export interface LimitInForce {
  readonly sourceId: string;
  /** null = no limit */
  readonly limit: SpeedLimit | null;
}

/**
 * The limit in force at `sM` and `tS`: the last of gantry and limit sign passed since the segment began (a
 * dark gantry and an end sign cancel), otherwise the segment's statutory limit. Signs do not outlive their
 * segment here; a road that needs that repeats them, as real ones do behind junctions.
 */
export function limitInForce(road: Road, sM: number, tS: number): LimitInForce {
  const { segment, startM } = segmentAt(road, sM);
  let atM = -Infinity;
  let inForce: LimitInForce = { sourceId: segment.id, limit: segment.statutoryLimit };
  for (const { sM: signM, sign } of road.signs) {
    if (signM < startM || signM > sM || signM < atM) continue;
    if (sign.category === 'speed_limit' && sign.value !== undefined && sign.unit !== undefined) {
      inForce = { sourceId: sign.id, limit: { value: sign.value, unit: sign.unit } };
      atM = signM;
    } else if (sign.category === 'end_limit') {
      inForce = { sourceId: sign.id, limit: segment.statutoryLimit };
      atM = signM;
    }
  }
  for (const gantry of road.gantries) {
    if (gantry.sM < startM || gantry.sM > sM || gantry.sM < atM) continue;
    const display = displayAt(gantry, tS);
    if (display === undefined) continue;
    inForce = {
      sourceId: gantry.id,
      limit: display.value === null ? segment.statutoryLimit : { value: display.value, unit: display.unit },
    };
    atM = gantry.sM;
  }
  return inForce;
}
