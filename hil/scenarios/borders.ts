import { exitsOf } from '../opendrive/lane-network.js';
import type { MapRoad, OpenDriveMap, RoadType } from '../opendrive/map.js';
import { runsWithS, sectionAt } from '../opendrive/road-line.js';

/** Where a road of one country meets that of another; what changes there follows from the map. */
export interface Border {
  readonly road: string;
  readonly sM: number;
  readonly from: string;
  readonly to: string;
  readonly sideBefore: 'left' | 'right';
  readonly sideBehind: 'left' | 'right';
}

/** The borders of a map: within a road by its types, between roads by the lanes that lead from one to the other. */
export function bordersOf(map: OpenDriveMap): readonly Border[] {
  const borders: Border[] = [];
  for (const road of map.roads.values()) {
    for (const [i, type] of road.types.entries()) {
      const before = road.types[i - 1];
      if (before !== undefined && before.country !== type.country)
        borders.push(border(road, type.fromM, before, road, type));
    }
    const seen = new Set<string>();
    for (const lane of sectionAt(road, road.lengthM).lanes) {
      if (lane.id === 0 || !runsWithS(road, lane.id)) continue;
      for (const { road: next } of exitsOf(map, road, lane.id)) {
        const isStart = next.predecessor?.id === road.id || next.predecessor?.id === road.junction;
        const [last, first] = [road.types.at(-1), isStart ? next.types[0] : next.types.at(-1)];
        if (seen.has(next.id) || last === undefined || first === undefined) continue;
        seen.add(next.id);
        if (last.country !== first.country) borders.push(border(road, road.lengthM, last, next, first));
      }
    }
  }
  return borders;
}

function border(road: MapRoad, sM: number, from: RoadType, next: MapRoad, to: RoadType): Border {
  const side = ({ isLeftHand }: MapRoad): 'left' | 'right' => (isLeftHand ? 'left' : 'right');
  return {
    road: road.id,
    sM,
    from: from.country,
    to: to.country,
    sideBefore: side(road),
    sideBehind: side(next),
  };
}
