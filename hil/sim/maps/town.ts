/** A town of three by three crossings: lights where four or three roads meet, a 30 zone in one street, a stop sign. */

import type { MapCountry } from './country.js';
import { crossing } from './junction.js';
import type { LaneSpec, MapSpec, RoadSpec, SignalSpec } from './road-spec.js';

const blockM = 150;
const radiusM = 14;
const laneWidthM = 3.25;
const size = 3;
const firstJunction = 100;

const lane: LaneSpec = { type: 'driving', widthM: laneWidthM, mark: 'none' };
const pavement: LaneSpec = { type: 'sidewalk', widthM: 2.5, mark: 'none' };
const lanes = [lane, pavement];

interface Street {
  readonly id: number;
  readonly from: number;
  readonly to: number;
  readonly headingRad: number;
}

const place = (crossingIndex: number): { x: number; y: number } => ({
  x: (crossingIndex % size) * blockM,
  y: Math.floor(crossingIndex / size) * blockM,
});

function streets(): readonly Street[] {
  const all: Street[] = [];
  for (let i = 0; i < size * size; i++) {
    if (i % size < size - 1) all.push({ id: all.length + 1, from: i, to: i + 1, headingRad: 0 });
    if (i + size < size * size)
      all.push({ id: all.length + 1, from: i, to: i + size, headingRad: Math.PI / 2 });
  }
  return all;
}

export function townMap(country: MapCountry): MapSpec {
  const type = { type: 'town', country: country.code, max: country.townMax, unit: country.unit } as const;
  const all = streets();
  const roads: RoadSpec[] = all.map((street) => streetRoad(street, country));
  const junctions = Array.from({ length: size * size }, (_, i) => {
    const { x, y } = place(i);
    const { roads: through, connections } = crossing({
      id: firstJunction + i,
      x,
      y,
      radiusM,
      laneWidthM,
      isLeftHand: country.isLeftHand,
      arms: all
        .filter(({ from, to }) => from === i || to === i)
        .map(({ id, from, headingRad }) => {
          const isStart = from === i;
          return {
            road: id,
            contact: isStart ? 'start' : 'end',
            directionRad: isStart ? headingRad : headingRad + Math.PI,
          };
        }),
      firstRoad: 1000 + 20 * i,
      type,
    });
    roads.push(...through);
    return { id: firstJunction + i, connections };
  });
  return { name: `town-${country.code.toLowerCase()}`, roads, junctions };
}

function streetRoad(street: Street, country: MapCountry): RoadSpec {
  const { x, y } = place(street.from);
  const { headingRad, id, from, to } = street;
  const lengthM = blockM - 2 * radiusM;
  return {
    id,
    name: `street ${id}`,
    isLeftHand: country.isLeftHand,
    start: { x: x + radiusM * Math.cos(headingRad), y: y + radiusM * Math.sin(headingRad), headingRad },
    pieces: [{ kind: 'line', lengthM }],
    left: lanes,
    right: lanes,
    middleMark: 'broken',
    types: [{ fromM: 0, type: 'town', country: country.code, max: country.townMax, unit: country.unit }],
    signals: [...signsAt(street, country, lengthM, '+', to), ...signsAt(street, country, lengthM, '-', from)],
    predecessor: { kind: 'junction', id: firstJunction + from },
    successor: { kind: 'junction', id: firstJunction + to },
  };
}

/** What stands along one direction of a street that ends at crossing `ends`: on the driver's side of the road. */
function signsAt(
  { id, from, to }: Street,
  country: MapCountry,
  lengthM: number,
  orientation: '+' | '-',
  ends: number,
): readonly SignalSpec[] {
  const isWith = orientation === '+';
  const verge = (isWith !== country.isLeftHand ? -1 : 1) * (laneWidthM + 0.8);
  const at = (alongM: number): number => (isWith ? alongM : lengthM - alongM);
  const base = { orientation, tM: verge, country: country.code } as const;
  const signs: SignalSpec[] = [];
  const armsAtEnd = streets().filter((street) => street.from === ends || street.to === ends).length;
  const isCorner = armsAtEnd === 2;
  if (!isCorner)
    signs.push({
      ...base,
      id: `light-${id}${orientation}`,
      sM: at(lengthM - 1),
      type: '1000001',
      isDynamic: true,
      heightM: 1,
    });
  const isQuiet = from === 0 && to === 1;
  if (isQuiet) {
    const value = country.unit === 'mph' ? 20 : 30;
    signs.push({
      ...base,
      id: `limit-${id}${orientation}`,
      sM: at(12),
      type: country.limitSign,
      value,
      unit: country.unit,
    });
  }
  if (isCorner && from === 1)
    signs.push({ ...base, id: `stop-${id}${orientation}`, sM: at(lengthM - 2), type: country.stopSign });
  return signs;
}
