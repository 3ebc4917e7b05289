/** Steers a bicycle along its lanes: pure pursuit of a point on the way ahead (Coulter 1992). */

import type { RoadIndex } from '../../opendrive/locate.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { lanePose } from '../../opendrive/road-line.js';
import type { VehicleActor } from './actor.js';
import { fullSteerRad } from './bicycle.js';
import { advance, type ChooseExit, leftOnRoadM, placeAhead } from './lane-track.js';

const lookAheadS = 0.9;
const nearestM = 5;
const farthestM = 25;

/** Steering, −1 … 1 right positive, towards the way ahead; 0 where the way has ended. */
export function pursue(actor: VehicleActor, wheelbaseM: number): number {
  const { track, pose } = actor;
  if (track === null) return 0;
  const aheadM = Math.min(farthestM, Math.max(nearestM, actor.vMps * lookAheadS));
  const place = placeAhead(track, aheadM) ?? placeAhead(track, Math.max(0.1, leftOnRoadM(track) - 0.01));
  if (place === null) return 0;
  const target = lanePose(place.road, place.laneId, place.sM);
  // Only the point's own offset counts: heading may differ by a half turn between the two sides of a crossover.
  const x = target.x - track.asideM * Math.sin(target.headingRad) - pose.x;
  const y = target.y + track.asideM * Math.cos(target.headingRad) - pose.y;
  const left = y * Math.cos(pose.headingRad) - x * Math.sin(pose.headingRad);
  const distance2 = x * x + y * y;
  if (distance2 < 1) return 0;
  const angle = Math.atan((wheelbaseM * 2 * left) / distance2);
  return Math.max(-1, Math.min(1, -angle / fullSteerRad));
}

/**
 * Brings the track up to where the vehicle really is. The lane that holds the vehicle's middle counts where it is the
 * track's own or the one that follows; else the track moves on by the distance driven.
 */
export function follow(
  map: OpenDriveMap,
  index: RoadIndex,
  actor: VehicleActor,
  movedM: number,
  choose: ChooseExit,
): boolean {
  const { track } = actor;
  if (track === null) return false;
  const found = index.locate(actor.pose.x, actor.pose.y);
  if (found !== null && found.road === track.road && Math.abs(found.sM - track.sM) < 5 + Math.abs(movedM)) {
    const isForwards = movedM >= 0;
    if (isForwards && leftOnRoadM(track) > Math.abs(found.sM - track.sM) + 0.01) {
      track.sM = found.sM;
      return true;
    }
  }
  return advance(map, track, Math.max(0, movedM), choose);
}
