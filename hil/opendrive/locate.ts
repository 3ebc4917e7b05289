/** Finds the road and lane under a point: a grid over samples of all reference lines, then a refinement along s. */
import type { LanePlace } from './lane-network.js';
import type { MapRoad, OpenDriveMap } from './map.js';
import { laneEdgesM, referencePose, sectionAt } from './road-line.js';

const sampleM = 5;
const cellM = 25;
/** farther than this from every reference line a point is off the roads */
const reachM = 40;

interface Sample {
  readonly road: MapRoad;
  readonly sM: number;
  readonly x: number;
  readonly y: number;
}

export interface Located extends LanePlace {
  /** to the left of the reference line */
  readonly tM: number;
}

export interface RoadIndex {
  /** The lane that holds the point; null off the roads. Roads outside junctions win where several overlap. */
  locate(x: number, y: number): Located | null;
}

export function indexRoads(map: OpenDriveMap): RoadIndex {
  const cells = new Map<string, Sample[]>();
  for (const road of map.roads.values()) {
    const count = Math.max(1, Math.ceil(road.lengthM / sampleM));
    for (let i = 0; i <= count; i++) {
      const sM = (road.lengthM * i) / count;
      const { x, y } = referencePose(road, sM);
      const key = `${Math.floor(x / cellM)},${Math.floor(y / cellM)}`;
      const cell = cells.get(key);
      const sample = { road, sM, x, y };
      if (cell === undefined) cells.set(key, [sample]);
      else cell.push(sample);
    }
  }
  return { locate: (x, y) => locate(cells, x, y) };
}

function locate(cells: ReadonlyMap<string, readonly Sample[]>, x: number, y: number): Located | null {
  const nearest = new Map<MapRoad, { sM: number; distance2: number }>();
  const column = Math.floor(x / cellM);
  const row = Math.floor(y / cellM);
  for (let dx = -2; dx <= 2; dx++) {
    for (let dy = -2; dy <= 2; dy++) {
      for (const sample of cells.get(`${column + dx},${row + dy}`) ?? []) {
        const distance2 = (sample.x - x) ** 2 + (sample.y - y) ** 2;
        const known = nearest.get(sample.road);
        if (distance2 < reachM * reachM && (known === undefined || distance2 < known.distance2))
          nearest.set(sample.road, { sM: sample.sM, distance2 });
      }
    }
  }
  let found: Foot | null = null;
  for (const [road, { sM }] of nearest) {
    const foot = onRoad(road, sM, x, y);
    if (foot !== null && (found === null || isBetter(foot, found))) found = foot;
  }
  if (found === null) return null;
  const { beyondM: _, ...place } = found;
  return place;
}

/** `beyondM`: how far the point lies behind the road's end; between two roads that do not quite meet it is on either. */
interface Foot extends Located {
  readonly beyondM: number;
}

const gapM = 0.5;

function isBetter(place: Foot, than: Foot): boolean {
  if (Math.abs(place.beyondM - than.beyondM) > 1e-3) return place.beyondM < than.beyondM;
  const [one, other] = [place.road.junction, than.road.junction];
  if ((one === null) !== (other === null)) return one === null;
  return Math.abs(place.tM) < Math.abs(than.tM);
}

/** Newton steps along s: the foot of the point on the reference line; null where no lane lies there. */
function onRoad(road: MapRoad, fromSM: number, x: number, y: number): Foot | null {
  let sM = fromSM;
  let tM = 0;
  let beyondM = 0;
  for (let i = 0; i < 6; i++) {
    const pose = referencePose(road, sM);
    const cos = Math.cos(pose.headingRad);
    const sin = Math.sin(pose.headingRad);
    const along = (x - pose.x) * cos + (y - pose.y) * sin;
    tM = (y - pose.y) * cos - (x - pose.x) * sin;
    if (Math.abs(along) < 1e-4) break;
    const next = Math.min(road.lengthM, Math.max(0, sM + along));
    if (next === sM) {
      beyondM = Math.abs(along);
      if (beyondM > gapM) return null;
      break;
    }
    sM = next;
  }
  const section = sectionAt(road, sM);
  for (const lane of section.lanes) {
    if (lane.id === 0) continue;
    const [inner, outer] = laneEdgesM(road, section, lane.id, sM);
    if (tM >= Math.min(inner, outer) - 1e-6 && tM <= Math.max(inner, outer) + 1e-6)
      return { road, laneId: lane.id, sM, tM, beyondM };
  }
  return null;
}
