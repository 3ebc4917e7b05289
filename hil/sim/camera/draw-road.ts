/** Roads of a map into the picture: what is near and in view, from below up. Shapes are made when a road is first seen. */
import type { MapRoad, OpenDriveMap } from '../../opendrive/map.js';
import { junctionPatches } from './junction-patches.js';
import type { Painter } from './painter.js';
import { layers, type Patch } from './patch.js';
import { type Eye, mayBeSeen } from './pinhole.js';
import { patchesOf, reachOf } from './road-patches.js';

/** wins over the surface below it, also where the two are cut into pieces at different places on a slope */
const lift = 1.02;
/** shapes of so many roads are kept; beyond, those out of sight are made again when they come back */
const keptRoads = 400;
/** a line thinner than this is not drawn, pixels */
const thinnestPx = 0.1;

interface SeenRoad {
  readonly road: MapRoad;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly radiusM: number;
  patches: readonly Patch[] | null;
}

export class RoadScene {
  readonly #roads: readonly SeenRoad[];
  readonly #junctions: readonly Patch[];
  readonly #seen: Patch[][] = Object.keys(layers).map(() => []);
  #made = 0;
  readonly #place = new Float64Array(3);

  constructor(map: OpenDriveMap) {
    this.#roads = [...map.roads.values()].map((road) => ({ road, ...reachOf(road), patches: null }));
    this.#junctions = junctionPatches(map);
  }

  draw(painter: Painter, eye: Eye, rangeM: number): void {
    this.#gather(painter, eye, rangeM);
    painter.lift = lift;
    painter.opacity = 1;
    for (const patches of this.#seen)
      for (const { color, label, corners } of patches) {
        painter.color = color;
        painter.group = label;
        fill(painter, eye, corners);
      }
    painter.lift = 1;
  }

  #gather({ raster: { lens } }: Painter, eye: Eye, rangeM: number): void {
    for (const patches of this.#seen) patches.length = 0;
    const place = this.#place;
    const isSeen = (x: number, y: number, z: number, radiusM: number): boolean => {
      eye.see(x, y, z, place, 0);
      return mayBeSeen(lens, place[0] as number, place[1] as number, place[2] as number, radiusM, rangeM);
    };
    const take = (patch: Patch): void => {
      const { x, y, z, radiusM, narrowM, layer } = patch;
      if (!isSeen(x, y, z, radiusM)) return;
      const nearestM = (place[0] as number) - radiusM;
      if (nearestM > 0 && narrowM * lens.focalPx < thinnestPx * nearestM) return;
      (this.#seen[layer] as Patch[]).push(patch);
    };
    for (const patch of this.#junctions) take(patch);
    for (const seen of this.#roads) {
      if (!isSeen(seen.x, seen.y, seen.z, seen.radiusM)) {
        if (this.#made > keptRoads && seen.patches !== null) {
          seen.patches = null;
          this.#made--;
        }
        continue;
      }
      if (seen.patches === null) {
        seen.patches = patchesOf(seen.road);
        this.#made++;
      }
      for (const patch of seen.patches) take(patch);
    }
  }
}

/** Quadrilaterals one after another; what nearly lies in one plane is taken as if it did. */
function fill(painter: Painter, eye: Eye, corners: Float64Array): void {
  for (let at = 0; at < corners.length; at += 12) {
    for (let k = 0; k < 12; k += 3)
      eye.see(
        corners[at + k] as number,
        corners[at + k + 1] as number,
        corners[at + k + 2] as number,
        painter.corners,
        k,
      );
    painter.polygon(4);
  }
}
