/** A crossing of roads that meet at one point: a connecting road for every way through, one lane each. */
import type { Pose } from '../../opendrive/geometry.js';
import type { ConnectionSpec, Piece, RoadSpec, RoadTypeSpec } from './road-spec.js';

/** The end of a road at the junction. */
export interface Arm {
  readonly road: number;
  /** which end of the road it is */
  readonly contact: 'start' | 'end';
  /** from the junction's middle to the arm */
  readonly directionRad: number;
}

export interface CrossingSpec {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** from the middle to where the arms begin */
  readonly radiusM: number;
  readonly laneWidthM: number;
  readonly isLeftHand: boolean;
  readonly arms: readonly Arm[];
  /** number of the first connecting road */
  readonly firstRoad: number;
  readonly type: Omit<RoadTypeSpec, 'fromM'>;
}

export interface Crossing {
  readonly roads: readonly RoadSpec[];
  readonly connections: readonly ConnectionSpec[];
}

export function crossing(spec: CrossingSpec): Crossing {
  const roads: RoadSpec[] = [];
  const connections: ConnectionSpec[] = [];
  for (const from of spec.arms) {
    for (const to of spec.arms) {
      if (from === to) continue;
      const id = spec.firstRoad + roads.length;
      roads.push(connectingRoad(spec, id, from, to));
      connections.push({
        incomingRoad: from.road,
        connectingRoad: id,
        lanes: [[inwardLane(spec, from), throughLane(spec)]],
      });
    }
  }
  return { roads, connections };
}

/** The one lane of a connecting road: on the right in right-hand traffic. */
function throughLane({ isLeftHand }: CrossingSpec): number {
  return isLeftHand ? 1 : -1;
}

/** Lane of an arm's road whose traffic comes into the junction. */
function inwardLane(spec: CrossingSpec, arm: Arm): number {
  return arm.contact === 'end' ? throughLane(spec) : -throughLane(spec);
}

function connectingRoad(spec: CrossingSpec, id: number, from: Arm, to: Arm): RoadSpec {
  const { radiusM, laneWidthM, isLeftHand } = spec;
  const start: Pose = {
    x: spec.x + radiusM * Math.cos(from.directionRad),
    y: spec.y + radiusM * Math.sin(from.directionRad),
    headingRad: from.directionRad + Math.PI,
  };
  const lane = { type: 'driving', widthM: laneWidthM, mark: 'none' } as const;
  const through = throughLane(spec);
  return {
    id,
    name: `${from.road} to ${to.road}`,
    junction: spec.id,
    isLeftHand,
    start,
    pieces: [way(radiusM, to.directionRad - from.directionRad - Math.PI)],
    left: isLeftHand ? [lane] : [],
    right: isLeftHand ? [] : [lane],
    middleMark: 'none',
    laneBehind: { [through]: inwardLane(spec, from) },
    laneAhead: { [through]: -inwardLane(spec, to) },
    types: [{ fromM: 0, ...spec.type }],
    predecessor: { kind: 'road', id: from.road, contact: from.contact },
    successor: { kind: 'road', id: to.road, contact: to.contact },
  };
}

/** Straight on, or the arc that touches both arms where they begin: radius·tan((π − |turn|)/2). */
function way(radiusM: number, turn: number): Piece {
  const turnRad = Math.atan2(Math.sin(turn), Math.cos(turn));
  if (Math.abs(turnRad) < 1e-6) return { kind: 'line', lengthM: 2 * radiusM };
  const arcRadiusM = radiusM / Math.tan(Math.abs(turnRad) / 2);
  return {
    kind: 'arc',
    lengthM: Math.abs(turnRad) * arcRadiusM,
    curvaturePerM: Math.sign(turnRad) / arcRadiusM,
  };
}
