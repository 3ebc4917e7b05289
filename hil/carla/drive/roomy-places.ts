/** Where an ego of ours may begin: places with a road ahead before those at the end of one. */
import type { RoadIndex } from '../../opendrive/locate.js';
import type { OpenDriveMap } from '../../opendrive/map.js';
import { leftOnRoadM, trackOn } from '../../sim/world/lane-track.js';
import type { Transform } from '../wire/geometry.js';

/** Less than this to the end of a lane that leads nowhere is no place to start from: ten seconds of a motorway. */
const roomM = 350;

/** The same places in the same order, but those in a dead end last; places off the roads count as such. */
export function roomyFirst(
  map: OpenDriveMap,
  index: RoadIndex,
  places: readonly Transform[],
): readonly Transform[] {
  const isRoomy = ({ location }: Transform): boolean => {
    const found = index.locate(location.x, -location.y);
    if (found === null) return false;
    const track = trackOn(map, found.road, found.laneId, found.sM, () => 0);
    return track.next !== null || leftOnRoadM(track) >= roomM;
  };
  const roomy = new Set(places.filter(isRoomy));
  return [...roomy, ...places.filter((place) => !roomy.has(place))];
}
