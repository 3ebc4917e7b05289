/** What a road of ours is made from; `write-open-drive.ts` turns it into the text that CARLA reads as well. */
import type { GeometryRecord, Pose } from '../../opendrive/geometry.js';
import { poseAlong } from '../../opendrive/geometry.js';

export type Piece =
  | { readonly kind: 'line'; readonly lengthM: number }
  | { readonly kind: 'arc'; readonly lengthM: number; readonly curvaturePerM: number }
  | {
      readonly kind: 'spiral';
      readonly lengthM: number;
      readonly startPerM: number;
      readonly endPerM: number;
    }
  /** moves sideways by `toLeftM` without turning in the end */
  | { readonly kind: 'shift'; readonly lengthM: number; readonly toLeftM: number };

export interface LaneSpec {
  readonly type: 'driving' | 'shoulder' | 'sidewalk';
  readonly widthM: number;
  /** marking at the outer edge */
  readonly mark: 'solid' | 'broken' | 'none';
}

export interface SignalSpec {
  readonly id: string;
  readonly sM: number;
  readonly tM: number;
  readonly orientation: '+' | '-';
  readonly isDynamic?: boolean;
  readonly country: string;
  readonly type: string;
  readonly subtype?: string;
  readonly value?: number;
  readonly unit?: 'km/h' | 'mph';
  readonly text?: string;
  readonly zOffsetM?: number;
  readonly widthM?: number;
  readonly heightM?: number;
  readonly lanes?: readonly [from: number, to: number];
}

export interface RoadTypeSpec {
  readonly fromM: number;
  readonly type: 'town' | 'rural' | 'motorway' | 'lowSpeed';
  readonly country: string;
  readonly max: number | null;
  readonly unit: 'km/h' | 'mph';
}

export interface LinkSpec {
  readonly kind: 'road' | 'junction';
  readonly id: number;
  readonly contact?: 'start' | 'end';
}

export interface RoadSpec {
  readonly id: number;
  readonly name: string;
  readonly junction?: number;
  readonly isLeftHand: boolean;
  readonly start: Pose;
  readonly pieces: readonly Piece[];
  /** from the middle outwards */
  readonly left: readonly LaneSpec[];
  readonly right: readonly LaneSpec[];
  readonly middleMark: 'solid' | 'broken' | 'none';
  /** lane of the road behind and ahead, by lane: the same number where nothing is said, null where there is none */
  readonly laneBehind?: Readonly<Record<number, number | null>>;
  readonly laneAhead?: Readonly<Record<number, number | null>>;
  readonly types: readonly RoadTypeSpec[];
  readonly signals?: readonly SignalSpec[];
  readonly predecessor?: LinkSpec;
  readonly successor?: LinkSpec;
}

export interface ConnectionSpec {
  readonly incomingRoad: number;
  readonly connectingRoad: number;
  readonly lanes: readonly (readonly [from: number, to: number])[];
}

export interface MapSpec {
  readonly name: string;
  readonly roads: readonly RoadSpec[];
  readonly junctions: readonly { readonly id: number; readonly connections: readonly ConnectionSpec[] }[];
}

/** The records of a road's pieces, one behind the other. */
export function planViewOf({ start, pieces }: Pick<RoadSpec, 'start' | 'pieces'>): readonly GeometryRecord[] {
  const records: GeometryRecord[] = [];
  let fromM = 0;
  let pose = start;
  for (const piece of pieces) {
    const record: GeometryRecord = { ...pose, fromM, lengthM: piece.lengthM, shape: shapeOf(piece) };
    records.push(record);
    pose = poseAlong(record, piece.lengthM);
    fromM += piece.lengthM;
  }
  return records;
}

function shapeOf(piece: Piece): GeometryRecord['shape'] {
  switch (piece.kind) {
    case 'line':
      return { kind: 'line' };
    case 'arc':
      return { kind: 'arc', curvaturePerM: piece.curvaturePerM };
    case 'spiral':
      return { kind: 'spiral', startPerM: piece.startPerM, endPerM: piece.endPerM };
    case 'shift': {
      // 3p² − 2p³ has slope 0 at both ends; that the curve is a little longer than its record is below 0.1 %.
      const d = piece.toLeftM;
      return { kind: 'param-poly3', u: [0, piece.lengthM, 0, 0], v: [0, 0, 3 * d, -2 * d], range: 1 };
    }
  }
}

export function lengthOf({ pieces }: Pick<RoadSpec, 'pieces'>): number {
  return pieces.reduce((sum, { lengthM }) => sum + lengthM, 0);
}

export function endPose(road: Pick<RoadSpec, 'start' | 'pieces'>): Pose {
  const last = planViewOf(road).at(-1);
  return last === undefined ? road.start : poseAlong(last, last.lengthM);
}

/** A bend of `turnRad` (positive to the left) at radius `radiusM` with clothoids of `easeM` at both ends. */
export function bend(turnRad: number, radiusM: number, easeM: number): readonly Piece[] {
  const curvaturePerM = Math.sign(turnRad) / radiusM;
  const arcM = Math.abs(turnRad) * radiusM - easeM;
  if (arcM <= 0)
    throw new RangeError(`a bend of ${turnRad} rad at ${radiusM} m is too short to ease in ${easeM} m`);
  return [
    { kind: 'spiral', lengthM: easeM, startPerM: 0, endPerM: curvaturePerM },
    { kind: 'arc', lengthM: arcM, curvaturePerM },
    { kind: 'spiral', lengthM: easeM, startPerM: curvaturePerM, endPerM: 0 },
  ];
}
