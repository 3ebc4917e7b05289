/** A road as flat pieces to fill: surfaces of its lanes, markings, lines at which one stops. */
import type { LaneSection, MapRoad } from '../../opendrive/map.js';
import { laneEdgesM, poseAside, referencePose } from '../../opendrive/road-line.js';
import { stationsOf } from '../../opendrive/stations.js';
import { groundLabel } from './label.js';
import { markingsOf } from './lane-markings.js';
import { layers, type Patch, type Point, patch, quads, type Surface, spacing } from './patch.js';
import { material, paint } from './raster.js';
import { stopLinesOf } from './stop-lines.js';

const stationsPerPatch = 4;

export const asphalt: Surface = {
  color: paint(100, 100, 102, material.road),
  label: groundLabel.road,
  layer: layers.lane,
};
const shoulder: Surface = { ...asphalt, color: paint(112, 110, 106, material.road), layer: layers.beside };
const paving: Surface = {
  color: paint(150, 147, 142, material.road),
  label: groundLabel.sidewalk,
  layer: layers.beside,
};
const cycleWay: Surface = { ...asphalt, color: paint(128, 84, 76, material.road), layer: layers.beside };
const grass: Surface = {
  color: paint(92, 106, 64, material.ground),
  label: groundLabel.terrain,
  layer: layers.beside,
};

/** By OpenDRIVE's lane types; what is not named here is driven on. */
const surfaces: Readonly<Record<string, Surface | null>> = {
  none: null,
  shoulder,
  stop: shoulder,
  sidewalk: paving,
  walking: paving,
  border: paving,
  curb: paving,
  biking: cycleWay,
  median: grass,
  restricted: shoulder,
};

/** Pieces of one road; made when it first comes into sight. */
export function patchesOf(road: MapRoad): readonly Patch[] {
  const patches: Patch[] = [];
  for (const section of road.sections) {
    const stations = stationsOf(road, section, spacing);
    for (const run of runsOf(section)) {
      for (let i = 0; i + 1 < stations.length; i += stationsPerPatch) {
        const some = stations.slice(i, i + stationsPerPatch + 1);
        patches.push(patch(run.surface, Number.POSITIVE_INFINITY, strip(road, section, run.lanes, some)));
      }
    }
  }
  return [...patches, ...markingsOf(road), ...stopLinesOf(road)];
}

interface Run {
  readonly surface: Surface;
  readonly lanes: number[];
}

/** Neighbouring lanes of one surface on one side of the reference line: from the middle outwards. */
function runsOf({ lanes }: LaneSection): readonly Run[] {
  const runs: Run[] = [];
  for (const side of [1, -1]) {
    let isBroken = true;
    const outwards = lanes.filter(({ id }) => id * side > 0).sort((one, other) => (one.id - other.id) * side);
    for (const { id, type } of outwards) {
      const surface = surfaces[type] === undefined ? asphalt : surfaces[type];
      const last = runs.at(-1);
      if (surface !== null && !isBroken && last?.surface === surface) last.lanes.push(id);
      else if (surface !== null) runs.push({ surface, lanes: [id] });
      isBroken = surface === null;
    }
  }
  return runs;
}

function strip(
  road: MapRoad,
  section: LaneSection,
  lanes: readonly number[],
  stations: readonly number[],
): Float64Array {
  const edges = stations.map((sM) => {
    const innerM = laneEdgesM(road, section, lanes[0] as number, sM)[0];
    const outerM = laneEdgesM(road, section, lanes.at(-1) as number, sM)[1];
    return [poseAside(road, sM, innerM), poseAside(road, sM, outerM)] as const;
  });
  return quads(edges);
}

/** A ball around a road, with room for its lanes; metres. */
export function reachOf(road: MapRoad): Point & { readonly radiusM: number } {
  const pieces = Math.max(1, Math.ceil(road.lengthM / 25));
  const points = Array.from({ length: pieces + 1 }, (_, i) =>
    referencePose(road, (road.lengthM * i) / pieces),
  );
  const mean = (key: 'x' | 'y' | 'z'): number =>
    (Math.min(...points.map((point) => point[key])) + Math.max(...points.map((point) => point[key]))) / 2;
  const [x, y, z] = [mean('x'), mean('y'), mean('z')];
  const farthest = Math.max(...points.map((point) => Math.hypot(point.x - x, point.y - y, point.z - z)));
  return { x, y, z, radiusM: farthest + 40 };
}
