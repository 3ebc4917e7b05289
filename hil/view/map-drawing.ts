/** A map as shapes to draw from above: surfaces of lanes, markings, signs. OpenDRIVE's axes, metres to the centimetre. */
import type { LaneSection, MapRoad, OpenDriveMap } from '../opendrive/map.js';
import { cubicAt, laneEdgesM, poseAside, recordAt, runsWithS } from '../opendrive/road-line.js';
import { stationsOf } from '../opendrive/stations.js';
import { lightType } from '../sim/world/traffic-lights.js';

/** x, y, x, y, … */
export type Points = readonly number[];

export interface MapDrawing {
  readonly name: string;
  readonly surfaces: readonly { readonly kind: string; readonly points: Points }[];
  readonly marks: readonly { readonly isBroken: boolean; readonly widthM: number; readonly points: Points }[];
  readonly signs: readonly DrawnSign[];
  readonly bounds: readonly [minX: number, minY: number, maxX: number, maxY: number];
}

export interface DrawnSign {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  /** where its traffic goes */
  readonly headingRad: number;
  readonly isDynamic: boolean;
  readonly value: number | null;
  readonly unit: string;
  readonly text: string;
}

const spacing = { farthestM: 10, sagM: 0.03 };
/** lanes drawn at most: a city's map is cut, not the memory of who looks at it */
const maxPoints = 1_500_000;

export function drawingOf(map: OpenDriveMap): MapDrawing {
  const surfaces: { kind: string; points: number[] }[] = [];
  const marks: { isBroken: boolean; widthM: number; points: number[] }[] = [];
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  let count = 0;
  for (const road of map.roads.values()) {
    for (const section of road.sections) {
      if (count > maxPoints) break;
      const stations = stationsOf(road, section, spacing);
      for (const lane of section.lanes) {
        const side = lane.id === 0 ? 0 : 1;
        const outer = along(road, section, lane.id, stations, side);
        const mark = recordAt(lane.marks, 0) ?? lane.marks[0];
        if (mark !== undefined && mark.type !== 'none')
          marks.push({
            isBroken: mark.type.includes('broken'),
            widthM: mark.widthM > 0 ? mark.widthM : 0.12,
            points: outer,
          });
        if (lane.id === 0) continue;
        const inner = along(road, section, lane.id, [...stations].reverse(), 0);
        const points = [...outer, ...inner];
        surfaces.push({ kind: lane.type, points });
        count += points.length;
        for (let i = 0; i < outer.length; i += 2) stretch(bounds, outer[i] ?? 0, outer[i + 1] ?? 0);
      }
    }
  }
  const signs = [...map.roads.values()].flatMap((road) =>
    road.signals.flatMap((signal): DrawnSign[] => {
      if (signal.type === lightType) return [];
      const { x, y, headingRad } = poseAside(road, signal.sM, signal.tM);
      const isAgainst = signal.orientation === '-' || (signal.orientation === 'none' && !runsWithS(road, -1));
      return [
        {
          id: signal.id,
          x: cm(x),
          y: cm(y),
          headingRad: isAgainst ? headingRad + Math.PI : headingRad,
          isDynamic: signal.isDynamic,
          value: signal.value,
          unit: signal.unit,
          text: signal.text,
        },
      ];
    }),
  );
  return { name: map.name, surfaces, marks, signs, bounds: surfaces.length === 0 ? [0, 0, 0, 0] : bounds };
}

/** `edge` 0: nearer to the reference line, 1: the other one. */
function along(
  road: MapRoad,
  section: LaneSection,
  laneId: number,
  stations: readonly number[],
  edge: 0 | 1,
): number[] {
  return stations.flatMap((sM) => {
    const tM =
      laneId === 0 ? cubicAt(road.laneOffsets, sM) : (laneEdgesM(road, section, laneId, sM)[edge] ?? 0);
    const { x, y } = poseAside(road, sM, tM);
    return [cm(x), cm(y)];
  });
}

function stretch(bounds: [number, number, number, number], x: number, y: number): void {
  bounds[0] = Math.min(bounds[0], x);
  bounds[1] = Math.min(bounds[1], y);
  bounds[2] = Math.max(bounds[2], x);
  bounds[3] = Math.max(bounds[3], y);
}

const cm = (metres: number): number => Math.round(metres * 100) / 100;
