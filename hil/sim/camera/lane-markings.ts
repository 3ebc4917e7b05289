/** Markings along lanes. Lengths of dashes are those of the German RMS-1: 6/12 m on motorways, 3/6 m in towns, else 4/8 m. */
import type { Lane, LaneSection, MapRoad, RoadMark } from '../../opendrive/map.js';
import { cubicAt, laneEdgesM, poseAside, recordAt } from '../../opendrive/road-line.js';
import { stationsOf } from '../../opendrive/stations.js';
import { groundLabel } from './label.js';
import { layers, type Patch, patch, quads, spacing } from './patch.js';
import { material, paint } from './raster.js';

const quadsPerPatch = 5;
/** between the two lines of a double one */
const doubleGapM = 0.12;
const usualWidthM = 0.12;

const colors: Readonly<Record<string, readonly [number, number, number]>> = {
  yellow: [222, 176, 40],
  orange: [226, 130, 40],
  red: [190, 50, 40],
  blue: [50, 90, 180],
  green: [50, 140, 80],
};

export function markColor(color: string): number {
  return paint(...(colors[color] ?? ([226, 226, 220] as const)), material.road);
}

export function markingsOf(road: MapRoad): readonly Patch[] {
  return road.sections.flatMap((section) =>
    section.lanes.flatMap((lane) =>
      lane.marks.flatMap((mark, i) => {
        const fromM = section.fromM + mark.fromM;
        const next = lane.marks[i + 1];
        const toM = Math.min(next === undefined ? section.toM : section.fromM + next.fromM, road.lengthM);
        return linesOf(road, section, lane, mark, fromM, toM);
      }),
    ),
  );
}

/** `solid broken`: two lines side by side, the first one nearer to the left edge of the road. */
function linesOf(
  road: MapRoad,
  section: LaneSection,
  lane: Lane,
  mark: RoadMark,
  fromM: number,
  toM: number,
): readonly Patch[] {
  const widthM = mark.widthM > 0 ? mark.widthM : usualWidthM;
  const kinds = mark.type.split(' ').filter((kind) => kind === 'solid' || kind === 'broken');
  return kinds.flatMap((kind, i) => {
    const asideM = (widthM + doubleGapM) * ((kinds.length - 1) / 2 - i);
    const at = (sM: number): number =>
      asideM + (lane.id === 0 ? cubicAt(road.laneOffsets, sM) : laneEdgesM(road, section, lane.id, sM)[1]);
    const surface = { color: markColor(mark.color), label: groundLabel.roadLine, layer: layers.marking };
    const pieces = kind === 'solid' ? [stationsWithin(road, section, fromM, toM)] : dashes(road, fromM, toM);
    const ribbons = pieces.map((piece) =>
      quads(
        piece.map(
          (sM) =>
            [poseAside(road, sM, at(sM) + widthM / 2), poseAside(road, sM, at(sM) - widthM / 2)] as const,
        ),
      ),
    );
    return gathered(ribbons).map((corners) => patch(surface, widthM, corners));
  });
}

/** A few quadrilaterals to a patch: dashes together, long ribbons cut. */
function gathered(ribbons: readonly Float64Array[]): readonly Float64Array[] {
  const all = new Float64Array(ribbons.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const ribbon of ribbons) {
    all.set(ribbon, filled);
    filled += ribbon.length;
  }
  const size = 12 * quadsPerPatch;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

function stationsWithin(road: MapRoad, section: LaneSection, fromM: number, toM: number): readonly number[] {
  const between = stationsOf(road, section, spacing).filter((sM) => sM > fromM + 1e-6 && sM < toM - 1e-6);
  return toM > fromM ? [fromM, ...between, toM] : [];
}

function dashes(road: MapRoad, fromM: number, toM: number): readonly (readonly number[])[] {
  const type = recordAt(road.types, fromM)?.type ?? 'rural';
  const [dashM, gapM] =
    type === 'motorway' ? [6, 12] : type === 'town' || type === 'lowSpeed' ? [3, 6] : [4, 8];
  const pieces: number[][] = [];
  for (let sM = fromM + gapM / 2; sM + dashM <= toM; sM += dashM + gapM) pieces.push([sM, sM + dashM]);
  return pieces;
}
