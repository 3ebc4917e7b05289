/** What the cameras of a map share: its roads as shapes, where its signs stand. Made once for each map. */
import type { OpenDriveMap } from '../../opendrive/map.js';
import { RoadScene } from './draw-road.js';
import { type SignSites, signSitesOf } from './sign-sites.js';

export interface MapScenery extends SignSites {
  readonly roads: RoadScene;
}

const known = new WeakMap<OpenDriveMap, MapScenery>();

export function sceneryOf(map: OpenDriveMap): MapScenery {
  const made = known.get(map) ?? { roads: new RoadScene(map), ...signSitesOf(map) };
  known.set(map, made);
  return made;
}
