/** A country road: out of one village, over bends, through another one. */
import type { MapCountry } from './country.js';
import {
  bend,
  endPose,
  type LaneSpec,
  lengthOf,
  type MapSpec,
  type Piece,
  type RoadSpec,
  type SignalSpec,
} from './road-spec.js';

const laneWidthM = 3.5;
const lanes: readonly LaneSpec[] = [
  { type: 'driving', widthM: laneWidthM, mark: 'solid' },
  { type: 'shoulder', widthM: 1.5, mark: 'none' },
];

const toVillage: readonly Piece[] = [
  { kind: 'line', lengthM: 400 },
  ...bend(0.9, 220, 60),
  { kind: 'line', lengthM: 350 },
  ...bend(-1.2, 160, 50),
  { kind: 'line', lengthM: 500 },
];
const inVillage: readonly Piece[] = [
  { kind: 'line', lengthM: 300 },
  ...bend(0.4, 300, 40),
  { kind: 'line', lengthM: 250 },
];
const onwards: readonly Piece[] = [
  { kind: 'line', lengthM: 300 },
  ...bend(-0.7, 250, 60),
  { kind: 'line', lengthM: 900 },
];

export function ruralMap(country: MapCountry): MapSpec {
  const open = road(1, 'country road', { x: 0, y: 0, headingRad: 0 }, toVillage, 'rural', country, {
    successor: 2,
  });
  const village = road(2, 'village street', endPose(open), inVillage, 'town', country, {
    predecessor: 1,
    successor: 3,
  });
  const far = road(3, 'country road', endPose(village), onwards, 'rural', country, { predecessor: 2 });
  return { name: `rural-${country.code.toLowerCase()}`, roads: [open, village, far], junctions: [] };
}

function road(
  id: number,
  name: string,
  start: RoadSpec['start'],
  pieces: readonly Piece[],
  type: 'town' | 'rural',
  country: MapCountry,
  links: { readonly predecessor?: number; readonly successor?: number },
): RoadSpec {
  const max = type === 'town' ? country.townMax : country.ruralMax;
  return {
    id,
    name,
    isLeftHand: country.isLeftHand,
    start,
    pieces,
    left: lanes,
    right: lanes,
    middleMark: 'broken',
    types: [{ fromM: 0, type, country: country.code, max, unit: country.unit }],
    signals: signs(id, type, lengthOf({ pieces }), country),
    ...(links.predecessor === undefined
      ? {}
      : { predecessor: { kind: 'road', id: links.predecessor, contact: 'end' } as const }),
    ...(links.successor === undefined
      ? {}
      : { successor: { kind: 'road', id: links.successor, contact: 'start' } as const }),
  };
}

function signs(
  road: number,
  type: 'town' | 'rural',
  lengthM: number,
  country: MapCountry,
): readonly SignalSpec[] {
  const verge = (country.isLeftHand ? 1 : -1) * (laneWidthM + 1.5 + 0.5);
  const base = { tM: verge, orientation: '+', country: country.code } as const;
  const limit = (id: string, sM: number, value: number): SignalSpec => ({
    ...base,
    id,
    sM,
    type: country.limitSign,
    value,
    unit: country.unit,
  });
  if (type === 'town') {
    const entry =
      country.townEntry === null
        ? [limit('village-limit', 1, country.townMax)]
        : [{ ...base, id: 'village', sM: 1, type: country.townEntry, text: 'Musterdorf', widthM: 1.2 }];
    return entry;
  }
  if (road !== 1) return [];
  const slow = country.unit === 'mph' ? 40 : 70;
  return [limit('bend-limit', lengthM - 1000, slow), limit('before-village', lengthM - 150, slow)];
}
