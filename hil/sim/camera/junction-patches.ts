/** What lies between the ways through a junction: they leave gaps, so the hull of a small one is paved. */
import type { LaneSection, OpenDriveMap } from '../../opendrive/map.js';
import { laneEdgesM, poseAside } from '../../opendrive/road-line.js';
import { layers, type Patch, type Point, patch } from './patch.js';
import { asphalt } from './road-patches.js';

const largestJunctionM = 45;

export function junctionPatches(map: OpenDriveMap): readonly Patch[] {
  const ways = new Map<string, Point[]>();
  for (const road of map.roads.values()) {
    if (road.junction === null) continue;
    const points = ways.get(road.junction) ?? [];
    ways.set(road.junction, points);
    for (const sM of [0, road.lengthM]) {
      const section = road.sections[sM === 0 ? 0 : road.sections.length - 1] as LaneSection;
      for (const { id, type } of section.lanes)
        if (id !== 0 && type !== 'none')
          for (const tM of laneEdgesM(road, section, id, sM)) points.push(poseAside(road, sM, tM));
    }
  }
  return [...ways.values()].flatMap((points) => {
    const hull = hullOf(points);
    const [first] = hull;
    if (first === undefined || hull.length < 3) return [];
    const made = patch({ ...asphalt, layer: layers.junction }, Number.POSITIVE_INFINITY, fan(hull));
    return made.radiusM > largestJunctionM ? [] : [made];
  });
}

/** Triangles from the first corner, as quadrilaterals whose last two corners are one. */
function fan(hull: readonly Point[]): Float64Array {
  const [first] = hull as [Point];
  const corners = new Float64Array(12 * (hull.length - 2));
  for (let i = 1; i + 1 < hull.length; i++) {
    const [here, next] = [hull[i] as Point, hull[i + 1] as Point];
    for (const [k, { x, y, z }] of [first, here, next, next].entries())
      corners.set([x, y, z], 12 * (i - 1) + 3 * k);
  }
  return corners;
}

/** Andrew's monotone chain. */
function hullOf(points: readonly Point[]): readonly Point[] {
  const sorted = [...points].sort((one, other) => one.x - other.x || one.y - other.y);
  const half = (list: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of list) {
      while (chain.length >= 2 && turn(chain.at(-2) as Point, chain.at(-1) as Point, point) <= 1e-9)
        chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

const turn = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
