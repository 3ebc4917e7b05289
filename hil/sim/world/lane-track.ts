/** A place on a lane that moves along it, from road to road; which way at a junction is chosen when the road is entered. */

import {
  entrySM,
  exitsOf,
  type LaneEntry,
  laneInNextSection,
  nextSection,
} from '../../opendrive/lane-network.js';
import type { MapRoad, OpenDriveMap } from '../../opendrive/map.js';
import { curvatureAt, lanePose, type RoadPose, runsWithS, sectionAt } from '../../opendrive/road-line.js';
import type { Prng } from '../prng.js';

export interface LaneTrack {
  road: MapRoad;
  laneId: number;
  sM: number;
  /** where it goes at the end of this road; null: the lane ends there */
  next: LaneEntry | null;
  /** metres to the left of the lane's middle, in the direction of travel */
  asideM: number;
}

/** Chooses among the exits of a lane; `choose` gets how many there are. */
export type ChooseExit = (count: number) => number;

export function chooseBy(prng: Prng): ChooseExit {
  return (count) => Math.min(count - 1, Math.floor(prng.uniform() * count));
}

export function trackOn(
  map: OpenDriveMap,
  road: MapRoad,
  laneId: number,
  sM: number,
  choose: ChooseExit,
): LaneTrack {
  const track: LaneTrack = { road, laneId, sM, next: null, asideM: 0 };
  track.next = nextEntry(map, road, laneId, choose);
  return track;
}

function nextEntry(map: OpenDriveMap, road: MapRoad, laneId: number, choose: ChooseExit): LaneEntry | null {
  // Over sections the lane may change its number before the road ends.
  const isWithS = runsWithS(road, laneId);
  let section = sectionAt(road, isWithS ? 0 : road.lengthM);
  let lane = laneId;
  for (
    let next = nextSection(road, section, isWithS);
    next !== undefined;
    next = nextSection(road, section, isWithS)
  ) {
    lane = laneInNextSection(section, lane, isWithS);
    section = next;
  }
  const exits = exitsOf(map, road, lane);
  return exits.length === 0 ? null : (exits[choose(exits.length)] ?? null);
}

/** Metres to the end of the road. */
export function leftOnRoadM({ road, laneId, sM }: LaneTrack): number {
  return runsWithS(road, laneId) ? road.lengthM - sM : sM;
}

/** Moves the track on by `distanceM` ≥ 0; false where the lane has ended. */
export function advance(map: OpenDriveMap, track: LaneTrack, distanceM: number, choose: ChooseExit): boolean {
  let left = distanceM;
  // Every turn of the loop enters a road; a map with roads of no length cannot be read.
  while (left >= leftOnRoadM(track)) {
    left -= leftOnRoadM(track);
    const { next } = track;
    if (next === null) return false;
    track.road = next.road;
    track.laneId = next.laneId;
    track.sM = entrySM(next);
    track.next = nextEntry(map, next.road, next.laneId, choose);
  }
  track.sM += runsWithS(track.road, track.laneId) ? left : -left;
  return true;
}

export function trackPose({ road, laneId, sM, asideM }: LaneTrack): RoadPose {
  const pose = lanePose(road, laneId, sM);
  if (asideM === 0) return pose;
  const { headingRad } = pose;
  return { ...pose, x: pose.x - asideM * Math.sin(headingRad), y: pose.y + asideM * Math.cos(headingRad) };
}

/** Curvature of the way ahead at `aheadM`, positive to the left of the direction of travel. */
export function curvatureAhead(track: LaneTrack, aheadM: number): number {
  const place = placeAhead(track, aheadM);
  if (place === null) return 0;
  const curvature = curvatureAt(place.road, place.sM);
  return runsWithS(place.road, place.laneId) ? curvature : -curvature;
}

/** The place `aheadM` further on the way that is chosen already; null where it is not known. */
export function placeAhead(
  track: LaneTrack,
  aheadM: number,
): { readonly road: MapRoad; readonly laneId: number; readonly sM: number } | null {
  const leftM = leftOnRoadM(track);
  if (aheadM < leftM) {
    const sM = track.sM + (runsWithS(track.road, track.laneId) ? aheadM : -aheadM);
    return { road: track.road, laneId: track.laneId, sM };
  }
  const { next } = track;
  if (next === null || aheadM - leftM > next.road.lengthM) return null;
  const entry = entrySM(next);
  return { road: next.road, laneId: next.laneId, sM: entry + (entry === 0 ? 1 : -1) * (aheadM - leftM) };
}
