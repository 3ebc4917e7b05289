/**
 * An OpenDRIVE map, as far as it is used here. Coordinates are OpenDRIVE's: x, y in metres, headings in radians,
 * counter-clockwise; s runs along a road's reference line, t is positive to its left. CARLA mirrors y.
 */
import type { GeometryRecord } from './geometry.js';

/** a + b·ds + c·ds² + d·ds³ from `fromM` on. */
export interface Cubic {
  readonly fromM: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

export interface RoadMark {
  readonly fromM: number;
  /** `solid`, `broken`, `none`, … */
  readonly type: string;
  readonly color: string;
  readonly widthM: number;
}

export interface SpeedRecord {
  readonly fromM: number;
  /** null: no limit */
  readonly maxMps: number | null;
}

export interface Lane {
  /** left positive, right negative, 0 the centre line */
  readonly id: number;
  readonly type: string;
  readonly widths: readonly Cubic[];
  readonly marks: readonly RoadMark[];
  readonly speeds: readonly SpeedRecord[];
  readonly predecessor: number | null;
  readonly successor: number | null;
}

export interface LaneSection {
  readonly fromM: number;
  readonly toM: number;
  /** by id, descending: from the left edge to the right */
  readonly lanes: readonly Lane[];
}

export interface MapSignal {
  readonly id: string;
  readonly sM: number;
  readonly tM: number;
  readonly zOffsetM: number;
  readonly headingOffsetRad: number;
  /** `+`: for traffic in the direction of s; `-`: against it; `none`: for both */
  readonly orientation: '+' | '-' | 'none';
  readonly isDynamic: boolean;
  /** ISO 3166 as written, upper case; "" where the map does not say */
  readonly country: string;
  readonly type: string;
  readonly subtype: string;
  readonly value: number | null;
  readonly unit: string;
  readonly text: string;
  readonly widthM: number;
  readonly heightM: number;
  /** lanes it is for, both ends included; null = all */
  readonly validity: readonly (readonly [fromLane: number, toLane: number])[] | null;
}

/** What the road is, from `fromM` on. */
export interface RoadType {
  readonly fromM: number;
  /** `town`, `rural`, `motorway`, `lowSpeed`, … */
  readonly type: string;
  readonly country: string;
  readonly maxMps: number | null | undefined;
}

export interface RoadLink {
  readonly kind: 'road' | 'junction';
  readonly id: string;
  readonly contact: 'start' | 'end';
}

export interface MapRoad {
  readonly id: string;
  readonly name: string;
  readonly lengthM: number;
  /** null outside junctions */
  readonly junction: string | null;
  readonly isLeftHand: boolean;
  readonly types: readonly RoadType[];
  readonly planView: readonly GeometryRecord[];
  readonly elevations: readonly Cubic[];
  readonly laneOffsets: readonly Cubic[];
  readonly sections: readonly LaneSection[];
  readonly signals: readonly MapSignal[];
  readonly predecessor: RoadLink | null;
  readonly successor: RoadLink | null;
}

export interface JunctionConnection {
  readonly incomingRoad: string;
  readonly connectingRoad: string;
  readonly contact: 'start' | 'end';
  /** lane of the incoming road → lane of the connecting road */
  readonly lanes: ReadonlyMap<number, number>;
}

export interface MapJunction {
  readonly id: string;
  readonly connections: readonly JunctionConnection[];
}

export interface OpenDriveMap {
  readonly name: string;
  readonly roads: ReadonlyMap<string, MapRoad>;
  readonly junctions: ReadonlyMap<string, MapJunction>;
  /** what was read over: unknown geometry, signals outside their road; never silent */
  readonly notes: readonly string[];
}
