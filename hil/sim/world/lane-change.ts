/** A vehicle on rails that has moved aside far enough is on another lane. */
import { isDriving } from '../../opendrive/lane-network.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { laneCentreM, laneEdgesM, runsWithS, sectionAt } from '../../opendrive/road-line.js';
import { type ChooseExit, type LaneTrack, trackOn } from './lane-track.js';

/** The driving lane of the same direction that holds the vehicle's middle, where that is not the track's own. */
export function laneBeside({ road, laneId, sM, asideM }: LaneTrack): number | null {
  if (asideM === 0) return null;
  const isWithS = runsWithS(road, laneId);
  const tM = laneCentreM(road, laneId, sM) + (isWithS ? asideM : -asideM);
  const section = sectionAt(road, sM);
  for (const lane of section.lanes) {
    if (lane.id === laneId || !isDriving(lane) || runsWithS(road, lane.id) !== isWithS) continue;
    const [inner, outer] = laneEdgesM(road, section, lane.id, sM);
    if (tM >= Math.min(inner, outer) && tM <= Math.max(inner, outer)) return lane.id;
  }
  return null;
}

/** Puts the track onto the lane where the vehicle is; what is left to that lane's middle stays as an offset. */
export function takeLaneBeside(map: OpenDriveMap, track: LaneTrack, choose: ChooseExit): void {
  const laneId = laneBeside(track);
  if (laneId === null) return;
  const { road, sM } = track;
  const shiftM = laneCentreM(road, laneId, sM) - laneCentreM(road, track.laneId, sM);
  const asideM = track.asideM - (runsWithS(road, laneId) ? shiftM : -shiftM);
  Object.assign(track, trackOn(map, road, laneId, sM, choose), {
    asideM: Math.abs(asideM) < 1e-9 ? 0 : asideM,
  });
}
