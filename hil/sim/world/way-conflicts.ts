/**
 * Which ways through a junction cannot be driven at the same time: those whose lanes come nearer than two cars side by side.
 * Two ways out of one road do not conflict, because there one car follows the other.
 */
import type { MapJunction, MapRoad, OpenDriveMap } from '../../opendrive/map.js';
import { lanePose, sectionAt } from '../../opendrive/road-line.js';

const besideM = 2.6;
const sampleM = 1;
/** Junctions with more ways are taken one at a time, ways that are longer are sampled more coarsely: a map is a client's. */
const mostWays = 128;
const mostSamples = 500;

interface Way {
  readonly road: MapRoad;
  readonly incomingRoad: string;
}

interface Point {
  readonly way: number;
  readonly x: number;
  readonly y: number;
}

/** By the number of a way's road: the numbers of the roads it conflicts with. */
export function wayConflicts(
  map: OpenDriveMap,
  junction: MapJunction,
): ReadonlyMap<string, ReadonlySet<string>> {
  const ways = junction.connections.flatMap(({ connectingRoad, incomingRoad }): readonly Way[] => {
    const road = map.roads.get(connectingRoad);
    return road === undefined ? [] : [{ road, incomingRoad }];
  });
  const conflicts = new Map(ways.map(({ road }) => [road.id, new Set<string>()]));
  if (conflicts.size > mostWays) {
    const all = new Set(conflicts.keys());
    return new Map([...all].map((id) => [id, new Set([...all].filter((other) => other !== id))]));
  }
  const note = (one: Way, other: Way): void => {
    conflicts.get(one.road.id)?.add(other.road.id);
    conflicts.get(other.road.id)?.add(one.road.id);
  };
  const cells = new Map<string, Point[]>();
  for (const [index, way] of ways.entries()) {
    for (const [x, y] of pointsOf(way.road)) {
      const [column, row] = [Math.floor(x / besideM), Math.floor(y / besideM)];
      for (let dx = -1; dx <= 1; dx++)
        for (let dy = -1; dy <= 1; dy++)
          for (const point of cells.get(`${column + dx},${row + dy}`) ?? []) {
            const other = ways[point.way] as Way;
            if (other.road !== way.road && other.incomingRoad !== way.incomingRoad && isNear(point, x, y))
              note(way, other);
          }
      const key = `${column},${row}`;
      const cell = cells.get(key);
      if (cell === undefined) cells.set(key, [{ way: index, x, y }]);
      else cell.push({ way: index, x, y });
    }
  }
  return conflicts;
}

function isNear(point: Point, x: number, y: number): boolean {
  return (x - point.x) ** 2 + (y - point.y) ** 2 < besideM * besideM;
}

function pointsOf(road: MapRoad): readonly (readonly [number, number])[] {
  const points: [number, number][] = [];
  const stepM = Math.max(sampleM, road.lengthM / mostSamples);
  for (let sM = 0; sM <= road.lengthM; sM += stepM)
    for (const { id, type } of sectionAt(road, sM).lanes)
      if (id !== 0 && type === 'driving') {
        const { x, y } = lanePose(road, id, sM);
        points.push([x, y]);
      }
  return points;
}
