/**
 * What a navigation map tells about where the car is: jurisdiction, units, side, road, and the signs it passes. The
 * position is matched with an error of some metres along the road, as a receiver's is; the map itself has none.
 */
import type { FactInput, SignCategory, SpeedUnit } from '../../../daemon/core/world/facts.js';
import { isDriving } from '../../opendrive/lane-network.js';
import type { Located, RoadIndex } from '../../opendrive/locate.js';
import type { MapRoad, MapSignal } from '../../opendrive/map.js';
import { recordAt, runsWithS, sectionAt } from '../../opendrive/road-line.js';
import { createPrng, type Prng } from '../../sim/prng.js';

const repeatUs = 1_000_000;
const positionErrorM = 2;
const positionTauS = 20;
const conf = 0.98;
const mphCountries = ['GBR', 'USA'];

const stopSigns = ['206', '601.1', 'AB4', 'B-20', 'P6', 'R1-1', 'B7', 'B5', 'R-2'];
const yieldSigns = ['205', '602', 'AB3a', 'A-7', 'P4', 'R1-2', 'B6', 'B1', 'R-1'];
const townSigns = ['310', 'EB10', 'D-42', 'IZ4a', 'H1', 'F1', 'S-500'];
const endSigns = ['278', '282', 'B33', 'B31', 'B-34', 'B-42', 'B20b', 'B26'];

export class MapFacts {
  readonly #index: RoadIndex;
  readonly #noise: Prng;
  #errorM = 0;
  #last: Located | null = null;
  #toldRoad: string | null = null;
  #toldAtUs = -Infinity;

  constructor(index: RoadIndex, seed: string) {
    this.#index = index;
    this.#noise = createPrng(seed, 'map position');
  }

  /** Facts for the car's place at `tUs` (map axes); nothing off the roads. */
  sense(x: number, y: number, headingRad: number, tUs: number, dtS: number): FactInput[] {
    const keep = 1 - dtS / positionTauS;
    this.#errorM =
      this.#errorM * keep + positionErrorM * Math.sqrt(Math.max(0, 1 - keep * keep)) * this.#noise.normal();
    const matched = this.#index.locate(
      x + this.#errorM * Math.cos(headingRad),
      y + this.#errorM * Math.sin(headingRad),
    );
    if (matched === null) return [];
    const facts: FactInput[] = [];
    const base = { conf, provenance: 'map', observedAtUs: tUs } as const;
    const country = countryOf(matched.road, matched.sM);
    if (matched.road.id !== this.#toldRoad || tUs - this.#toldAtUs >= repeatUs) {
      if (country !== null)
        facts.push(
          { kind: 'jurisdiction', value: country, ...base },
          { kind: 'units', value: unitOf(country), ...base },
        );
      facts.push(
        { kind: 'drive_side', value: matched.road.isLeftHand ? 'left' : 'right', ...base },
        { kind: 'road', value: roadOf(matched), ...base },
      );
      this.#toldRoad = matched.road.id;
      this.#toldAtUs = tUs;
    }
    for (const signal of this.#passed(matched)) {
      const sign = signOf(matched.road, signal, country);
      if (sign !== null) facts.push({ kind: 'sign', value: sign, ...base });
    }
    this.#last = matched;
    return facts;
  }

  /** Signs for our direction between the last place and this one; a jitter backwards passes nothing. */
  #passed(now: Located): readonly MapSignal[] {
    const isWithS = runsWithS(now.road, now.laneId);
    const from = this.#last?.road === now.road ? this.#last.sM : isWithS ? 0 : now.road.lengthM;
    const [low, high] = isWithS ? [from, now.sM] : [now.sM, from];
    if (low >= high) return [];
    return now.road.signals.filter(
      ({ sM, orientation, isDynamic }) =>
        sM > low && sM <= high && !isDynamic && orientation !== (isWithS ? '-' : '+'),
    );
  }
}

function countryOf(road: MapRoad, sM: number): string | null {
  const country = recordAt(road.types, sM)?.country ?? '';
  return /^[A-Z]{3}$/.test(country) ? country : null;
}

function unitOf(country: string): SpeedUnit {
  return mphCountries.includes(country) ? 'mph' : 'km/h';
}

function roadOf({ road, sM, laneId }: Located): Extract<FactInput, { kind: 'road' }>['value'] {
  const type = recordAt(road.types, sM)?.type;
  const roadClass = type === 'town' ? 'urban' : type === 'rural' || type === 'motorway' ? type : undefined;
  const ownSide = sectionAt(road, sM).lanes.filter(
    (lane) => isDriving(lane) && Math.sign(lane.id) === Math.sign(laneId),
  );
  return {
    segment: road.id,
    lanesPerDir: ownSide.length,
    ...(roadClass === undefined ? {} : { roadClass }),
    ...(roadClass === 'motorway' ? { carriageway: 'separated' as const } : {}),
    ...(roadClass === 'rural' ? { carriageway: 'single' as const } : {}),
  };
}

function signOf(road: MapRoad, signal: MapSignal, country: string | null) {
  const category = categoryOf(signal);
  if (category === null) return null;
  const own = /^[A-Z]{3}$/.test(signal.country) ? signal.country : country;
  const unit: SpeedUnit | null =
    signal.unit === 'mph' || signal.unit === 'km/h' ? signal.unit : own === null ? null : unitOf(own);
  const isLimit = category === 'speed_limit';
  return {
    id: `${road.id}/${signal.id}`,
    category,
    code: signal.type,
    ...(isLimit && signal.value !== null ? { value: signal.value } : {}),
    ...(isLimit && unit !== null ? { unit } : {}),
    ...(own === null ? {} : { country: own }),
    ...(signal.text === '' ? {} : { text: signal.text.slice(0, 120) }),
  };
}

function categoryOf({ type, value }: MapSignal): SignCategory | null {
  if (stopSigns.includes(type)) return 'stop';
  if (yieldSigns.includes(type)) return 'yield';
  if (townSigns.includes(type)) return 'town_entry';
  if (endSigns.includes(type)) return 'end_limit';
  return value === null ? null : 'speed_limit';
}
