import type { LaneSection, MapRoad } from './map.js';
import { cubicAt, referencePose } from './road-line.js';

export interface StationSpacing {
  readonly farthestM: number;
  /** how far the reference line may bulge between two stations */
  readonly sagM: number;
}

const nearestM = 0.5;

/** Places along a section, nearer to each other where its line bends, climbs or shifts; both its ends are among them. */
export function stationsOf(
  road: MapRoad,
  section: LaneSection,
  { farthestM, sagM }: StationSpacing,
): readonly number[] {
  const toM = Math.min(section.toM, road.lengthM);
  const joints = road.planView.map(({ fromM }) => fromM);
  const stations: number[] = [];
  let joint = 0;
  for (let sM = section.fromM; sM < toM; ) {
    stations.push(sM);
    while (joint < joints.length && (joints[joint] as number) <= sM + 1e-6) joint++;
    const ends = Math.min(toM, joints[joint] ?? toM);
    let stepM = Math.min(farthestM, ends - sM);
    while (stepM > nearestM && bulgeM(road, sM, stepM) > sagM) stepM /= 2;
    sM += stepM;
  }
  return [...stations, toM];
}

/** How far the middle of a piece lies from the middle of its chord. */
function bulgeM(road: MapRoad, sM: number, stepM: number): number {
  const [from, middle, to] = [sM, sM + stepM / 2, sM + stepM].map((at) => {
    const { x, y, z } = referencePose(road, at);
    return { x, y, z, t: cubicAt(road.laneOffsets, at) };
  });
  if (from === undefined || middle === undefined || to === undefined) return 0;
  const off = (key: 'x' | 'y' | 'z' | 't'): number => middle[key] - (from[key] + to[key]) / 2;
  return Math.hypot(off('x'), off('y'), off('z')) + Math.abs(off('t'));
}
