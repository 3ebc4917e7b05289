import type { OpenDriveMap } from '../opendrive/map.js';
import { laneEdgesM, sectionAt } from '../opendrive/road-line.js';
import type { SpawnPlace } from '../sim/world/world-scenario.js';

const usualM = 3.5;

/** Width of the lane of a place, m. */
export function laneWidthAt(map: OpenDriveMap, { road, lane, sM }: SpawnPlace): number {
  const found = map.roads.get(road);
  if (found === undefined) return usualM;
  const [inner, outer] = laneEdgesM(found, sectionAt(found, sM), lane, sM);
  return Math.abs(outer - inner);
}
