/** Which way somebody who keeps to a track indicates: before and on a way through a junction that turns. */
import { entrySM } from '../../opendrive/lane-network.js';
import { lanePose, runsWithS } from '../../opendrive/road-line.js';
import { type LaneTrack, leftOnRoadM } from './lane-track.js';

export type Indicator = 'none' | 'left' | 'right';

/** Distance from which on a turn is announced: some three seconds in a town. */
const announcedM = 40;
/** A way that bends less goes straight on. */
const straightRad = (30 * Math.PI) / 180;

export function indicatorOf(track: LaneTrack): Indicator {
  const { road, laneId, next } = track;
  const way =
    road.junction !== null
      ? { road, laneId }
      : next?.road.junction != null && leftOnRoadM(track) < announcedM
        ? next
        : null;
  if (way === null) return 'none';
  const from = entrySM(way);
  const to = runsWithS(way.road, way.laneId) ? way.road.lengthM : 0;
  const turn =
    lanePose(way.road, way.laneId, to).headingRad - lanePose(way.road, way.laneId, from).headingRad;
  const turnRad = Math.atan2(Math.sin(turn), Math.cos(turn));
  if (Math.abs(turnRad) < straightRad) return 'none';
  return turnRad > 0 ? 'left' : 'right';
}
