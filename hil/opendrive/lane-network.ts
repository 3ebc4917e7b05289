/** Where a lane leads: from section to section, road to road and through junctions. */
import type { LaneSection, MapJunction, MapRoad, OpenDriveMap } from './map.js';
import { runsWithS, sectionAt } from './road-line.js';

export interface LanePlace {
  readonly road: MapRoad;
  readonly laneId: number;
  readonly sM: number;
}

/** A lane at the end of a road where traffic enters it. */
export interface LaneEntry {
  readonly road: MapRoad;
  readonly laneId: number;
}

export function isDriving(lane: { readonly type: string }): boolean {
  return ['driving', 'entry', 'exit', 'onRamp', 'offRamp', 'connectingRamp', 'bidirectional'].includes(
    lane.type,
  );
}

/** The section behind `section` in the direction of travel; undefined at the end of the road. */
export function nextSection(road: MapRoad, section: LaneSection, isWithS: boolean): LaneSection | undefined {
  return road.sections[road.sections.indexOf(section) + (isWithS ? 1 : -1)];
}

/** The lane's number in the next section of the same road, as its link says; the same number where there is no link. */
export function laneInNextSection(section: LaneSection, laneId: number, isWithS: boolean): number {
  const lane = section.lanes.find(({ id }) => id === laneId);
  return (isWithS ? lane?.successor : lane?.predecessor) ?? laneId;
}

/** Every lane that can be entered from the end of `laneId`'s road; several at a junction, none at a dead end. */
export function exitsOf(map: OpenDriveMap, road: MapRoad, laneId: number): readonly LaneEntry[] {
  const isWithS = runsWithS(road, laneId);
  const link = isWithS ? road.successor : road.predecessor;
  if (link === null) return [];
  if (link.kind === 'junction') {
    const junction = map.junctions.get(link.id);
    return junction === undefined ? [] : throughJunction(map, junction, road, laneId);
  }
  const next = map.roads.get(link.id);
  if (next === undefined) return [];
  const section = sectionAt(road, isWithS ? road.lengthM : 0);
  const lane = section.lanes.find(({ id }) => id === laneId);
  const linked = isWithS ? lane?.successor : lane?.predecessor;
  if (linked === null || linked === undefined) return [];
  return has(next, linked, link.contact) ? [{ road: next, laneId: linked }] : [];
}

function throughJunction(
  map: OpenDriveMap,
  junction: MapJunction,
  road: MapRoad,
  laneId: number,
): readonly LaneEntry[] {
  const entries: LaneEntry[] = [];
  for (const connection of junction.connections) {
    if (connection.incomingRoad !== road.id) continue;
    const next = map.roads.get(connection.connectingRoad);
    const linked = connection.lanes.get(laneId);
    if (next !== undefined && linked !== undefined && has(next, linked, connection.contact))
      entries.push({ road: next, laneId: linked });
  }
  return entries;
}

function has(road: MapRoad, laneId: number, contact: 'start' | 'end'): boolean {
  const section = sectionAt(road, contact === 'start' ? 0 : road.lengthM);
  return section.lanes.some(({ id }) => id === laneId);
}

/** Where one enters a road: at its start when its lane runs with s, else at its end. */
export function entrySM({ road, laneId }: LaneEntry): number {
  return runsWithS(road, laneId) ? 0 : road.lengthM;
}
