/** Poses along a road and across its lanes. */
import { curvatureAlong, type GeometryRecord, type Pose, poseAlong } from './geometry.js';
import type { Cubic, Lane, LaneSection, MapRoad } from './map.js';

export interface RoadPose extends Pose {
  readonly z: number;
}

/** The last of the records that begin at or before `sM`; undefined before the first. */
export function recordAt<R extends { readonly fromM: number }>(
  records: readonly R[],
  sM: number,
): R | undefined {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle] as R).fromM <= sM) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : records[low - 1];
}

export function cubicAt(records: readonly Cubic[], sM: number): number {
  const record = recordAt(records, sM);
  if (record === undefined) return 0;
  const ds = sM - record.fromM;
  return record.a + ds * (record.b + ds * (record.c + ds * record.d));
}

/** Pose of the reference line; `sM` is held within the road. */
export function referencePose(road: MapRoad, sM: number): RoadPose {
  const s = Math.min(road.lengthM, Math.max(0, sM));
  const record = (recordAt(road.planView, s) ?? road.planView[0]) as GeometryRecord;
  return { ...poseAlong(record, s - record.fromM), z: cubicAt(road.elevations, s) };
}

export function curvatureAt(road: MapRoad, sM: number): number {
  const s = Math.min(road.lengthM, Math.max(0, sM));
  const record = (recordAt(road.planView, s) ?? road.planView[0]) as GeometryRecord;
  return curvatureAlong(record, s - record.fromM);
}

/** Pose `tM` to the left of the reference line, heading with s. */
export function poseAside(road: MapRoad, sM: number, tM: number): RoadPose {
  const { x, y, z, headingRad } = referencePose(road, sM);
  return { x: x - tM * Math.sin(headingRad), y: y + tM * Math.cos(headingRad), z, headingRad };
}

export function sectionAt(road: MapRoad, sM: number): LaneSection {
  return (recordAt(road.sections, Math.max(0, sM)) ?? road.sections[0]) as LaneSection;
}

export function laneWidthM(lane: Lane, section: LaneSection, sM: number): number {
  return Math.max(0, cubicAt(lane.widths, sM - section.fromM));
}

/** t of a lane's edges: nearer to the reference line first. */
export function laneEdgesM(
  road: MapRoad,
  section: LaneSection,
  laneId: number,
  sM: number,
): readonly [number, number] {
  const side = Math.sign(laneId);
  let inner = cubicAt(road.laneOffsets, sM);
  for (let id = side; id !== laneId; id += side) {
    const lane = section.lanes.find((lane) => lane.id === id);
    if (lane !== undefined) inner += side * laneWidthM(lane, section, sM);
  }
  const lane = section.lanes.find((lane) => lane.id === laneId);
  return [inner, inner + side * (lane === undefined ? 0 : laneWidthM(lane, section, sM))];
}

export function laneCentreM(road: MapRoad, laneId: number, sM: number): number {
  const [inner, outer] = laneEdgesM(road, sectionAt(road, sM), laneId, sM);
  return (inner + outer) / 2;
}

/** True where traffic of this lane runs with s: right lanes in right-hand traffic, left lanes in left-hand traffic. */
export function runsWithS(road: MapRoad, laneId: number): boolean {
  return laneId < 0 !== road.isLeftHand;
}

/** Pose in the middle of a lane, heading the way its traffic goes. */
export function lanePose(road: MapRoad, laneId: number, sM: number): RoadPose {
  const pose = poseAside(road, sM, laneCentreM(road, laneId, sM));
  return runsWithS(road, laneId) ? pose : { ...pose, headingRad: pose.headingRad + Math.PI };
}
