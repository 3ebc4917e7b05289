import type { MapRoad, OpenDriveMap } from '../../opendrive/map.js';
import { sectionAt } from '../../opendrive/road-line.js';
import { noPlace } from './refused.js';
import type { SpawnPlace } from './world-scenario.js';

/** The road of a place that has its lane; throws SCENARIO_INVALID where the map has none. */
export function roadOf(map: OpenDriveMap, place: SpawnPlace): MapRoad {
  const road = map.roads.get(place.road);
  if (road === undefined || !sectionAt(road, place.sM).lanes.some(({ id }) => id === place.lane))
    throw noPlace(place);
  return road;
}
