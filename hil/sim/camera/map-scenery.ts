/** What the cameras of a map share: its roads as shapes, where its signs stand. Made once for each map. */
import type { MapRoad, OpenDriveMap } from '../../opendrive/map.js';
import { RoadScene } from './draw-road.js';
import type { Point } from './patch.js';
import { reachOf } from './road-patches.js';
import type { RoadsideThing } from './roadside.js';
import { type SignSites, signSitesOf } from './sign-sites.js';

export interface MapScenery extends SignSites {
  readonly roads: RoadScene;
  readonly roadsides: readonly SeenRoadside[];
}

/** What stands along a road; put there when it first comes into sight. */
export interface SeenRoadside extends Point {
  readonly road: MapRoad;
  readonly radiusM: number;
  things: readonly RoadsideThing[] | null;
}

const known = new WeakMap<OpenDriveMap, MapScenery>();

export function sceneryOf(map: OpenDriveMap): MapScenery {
  const made = known.get(map) ?? {
    roads: new RoadScene(map),
    roadsides: [...map.roads.values()].map((road) => ({ road, things: null, ...reachOf(road) })),
    ...signSitesOf(map),
  };
  known.set(map, made);
  return made;
}
