/** A motorway of three lanes each way with a gantry every 600 m. */
import type { MapCountry } from './country.js';
import { bend, type LaneSpec, lengthOf, type MapSpec, type Piece, type SignalSpec } from './road-spec.js';

const laneWidthM = 3.75;
const medianM = 2;
export const motorwayGantrySpacingM = 600;

const lanes: readonly LaneSpec[] = [
  // The median is a shoulder of its own next to the reference line, so that the two directions do not touch.
  { type: 'shoulder', widthM: medianM, mark: 'solid' },
  { type: 'driving', widthM: laneWidthM, mark: 'broken' },
  { type: 'driving', widthM: laneWidthM, mark: 'broken' },
  { type: 'driving', widthM: laneWidthM, mark: 'solid' },
  { type: 'shoulder', widthM: 2.5, mark: 'none' },
];

const pieces: readonly Piece[] = [
  { kind: 'line', lengthM: 1500 },
  ...bend(0.35, 1200, 180),
  { kind: 'line', lengthM: 1200 },
  ...bend(-0.3, 1500, 200),
  { kind: 'line', lengthM: 2500 },
];

export function motorwayMap(country: MapCountry): MapSpec {
  const signals: SignalSpec[] = [];
  const side = country.isLeftHand ? 1 : -1;
  for (let sM = 500; sM < lengthOf({ pieces }) - 300; sM += motorwayGantrySpacingM) {
    for (let lane = 1; lane <= 3; lane++) {
      // Numbered from the verge in both traffic hands: a left-hand map would invert them otherwise.
      signals.push({
        id: `gantry-${signals.length / 3 - (lane - 1) / 3 + 1}-${4 - lane}`,
        sM,
        tM: side * (medianM + (lane - 0.5) * laneWidthM),
        orientation: '+',
        isDynamic: true,
        country: country.code,
        type: country.limitSign,
        unit: country.unit,
        zOffsetM: 5.5,
        widthM: 1.2,
        heightM: 1.2,
        lanes: [side * (lane + 1), side * (lane + 1)],
      });
    }
  }
  return {
    name: `motorway-${country.code.toLowerCase()}`,
    roads: [
      {
        id: 1,
        name: 'motorway',
        isLeftHand: country.isLeftHand,
        start: { x: 0, y: 0, headingRad: 0 },
        pieces,
        left: lanes,
        right: lanes,
        middleMark: 'solid',
        types: [
          { fromM: 0, type: 'motorway', country: country.code, max: country.motorwayMax, unit: country.unit },
        ],
        signals,
      },
    ],
    junctions: [],
  };
}
