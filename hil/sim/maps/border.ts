/**
 * From a country that keeps right to one that keeps left: between them a one-lane crossover leads from the right side of
 * the first road to the left side of the second. Units, limits and signs change with it.
 */
import type { MapCountry } from './country.js';
import { bend, endPose, type LaneSpec, type MapSpec, type Piece, type RoadSpec } from './road-spec.js';

const laneWidthM = 3.5;
const lane: LaneSpec = { type: 'driving', widthM: laneWidthM, mark: 'solid' };
const verge: LaneSpec = { type: 'shoulder', widthM: 1.5, mark: 'none' };
const crossoverM = 160;

const before: readonly Piece[] = [
  { kind: 'line', lengthM: 700 },
  ...bend(0.5, 350, 70),
  { kind: 'line', lengthM: 400 },
];
const behind: readonly Piece[] = [
  { kind: 'line', lengthM: 500 },
  ...bend(-0.5, 350, 70),
  { kind: 'line', lengthM: 900 },
];

export function borderMap(from: MapCountry, to: MapCountry): MapSpec {
  if (from.isLeftHand || !to.isLeftHand)
    throw new RangeError('the crossover leads from the right side to the left');
  const first: RoadSpec = {
    id: 1,
    name: `road in ${from.code}`,
    isLeftHand: false,
    start: { x: 0, y: 0, headingRad: 0 },
    pieces: before,
    left: [lane, verge],
    right: [lane, verge],
    middleMark: 'broken',
    types: [{ fromM: 0, type: 'rural', country: from.code, max: from.ruralMax, unit: from.unit }],
    signals: [sign('slow-before-border', 900, -1, from, from.unit === 'mph' ? 30 : 50)],
    laneAhead: { 1: null, 2: null, [-2]: null },
    successor: { kind: 'road', id: 2, contact: 'start' },
  };
  // The crossover's reference line begins at that of the first road and ends one lane further left, so that its one lane,
  // the right one, ends where the second road's left lane begins.
  const crossover: RoadSpec = {
    id: 2,
    name: 'crossover',
    isLeftHand: false,
    start: endPose(first),
    pieces: [{ kind: 'shift', lengthM: crossoverM, toLeftM: laneWidthM }],
    left: [],
    right: [lane],
    middleMark: 'solid',
    laneAhead: { [-1]: 1 },
    types: [
      { fromM: 0, type: 'lowSpeed', country: from.code, max: from.unit === 'mph' ? 30 : 50, unit: from.unit },
    ],
    predecessor: { kind: 'road', id: 1, contact: 'end' },
    successor: { kind: 'road', id: 3, contact: 'start' },
  };
  const end = endPose(crossover);
  const second: RoadSpec = {
    id: 3,
    name: `road in ${to.code}`,
    isLeftHand: true,
    start: {
      x: end.x + laneWidthM * Math.sin(end.headingRad),
      y: end.y - laneWidthM * Math.cos(end.headingRad),
      headingRad: end.headingRad,
    },
    pieces: behind,
    left: [lane, verge],
    right: [lane, verge],
    middleMark: 'broken',
    laneBehind: { 1: -1, 2: null, [-1]: null, [-2]: null },
    types: [{ fromM: 0, type: 'rural', country: to.code, max: to.ruralMax, unit: to.unit }],
    signals: [
      sign('welcome', 5, 1, to, to.unit === 'mph' ? 40 : 60),
      sign('open-road', 400, 1, to, to.ruralMax),
    ],
    predecessor: { kind: 'road', id: 2, contact: 'end' },
  };
  return {
    name: `border-${from.code}-${to.code}`.toLowerCase(),
    roads: [first, crossover, second],
    junctions: [],
  };
}

function sign(id: string, sM: number, side: 1 | -1, country: MapCountry, value: number) {
  return {
    id,
    sM,
    tM: side * (laneWidthM + 2),
    orientation: '+',
    country: country.code,
    type: country.limitSign,
    value,
    unit: country.unit,
  } as const;
}
