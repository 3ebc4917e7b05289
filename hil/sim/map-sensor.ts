/**
 * What a map with road signs, a traffic-message service and a weather service would tell: facts with
 * provenance `map`.
 *
 * Simulated: a positioning error of a few metres along the road (so a border or a sign comes a little early
 * or late), weather that is published every few seconds, in whole percent and some seconds old. A real map
 * may also be wrong or out of date; that is left to the corruptions.
 */
import type { FactInput, RoadSurface } from '../../daemon/core/world/facts.js';
import type { Prng } from './prng.js';
import { createPrng } from './prng.js';
import type { Road } from './road.js';
import { displayAt, segmentAt } from './road.js';
import type { WeatherState } from './weather.js';

export const mapPeriodUs = 100_000;
/** what holds is told again, so that a listener that joins late knows it too */
const repeatUs = 1_000_000;
const weatherPeriodUs = 5_000_000;
/** a weather service's observation is this old when it is published */
export const weatherAgeUs = 3_000_000;
const positionErrorM = 2; // standard deviation along the road
const positionTauS = 20;

const mapConf = 0.98;
const weatherConf = 0.9;

export interface MapSensor {
  readonly position: Prng;
  errorM: number;
  lastSegment: string | null;
  lastRepeatUs: number;
  lastWeatherUs: number;
  lastMatchedM: number;
  readonly shown: Map<string, number | null>;
}

export function createMapSensor(seed: string): MapSensor {
  return {
    position: createPrng(seed, 'map position'),
    errorM: 0,
    lastSegment: null,
    lastRepeatUs: -Infinity,
    lastWeatherUs: -Infinity,
    lastMatchedM: -Infinity,
    shown: new Map(),
  };
}

/** The facts of one moment, for the ego's true position `egoM` (which is not what the map matches). */
export function senseMap(
  sensor: MapSensor,
  road: Road,
  egoM: number,
  weatherThen: WeatherState,
  tUs: number,
): FactInput[] {
  const facts: FactInput[] = [];
  // First-order Gauss–Markov error, 1 − Δt/τ instead of exp(−Δt/τ); never backwards along the road.
  const keep = 1 - mapPeriodUs / 1e6 / positionTauS;
  sensor.errorM =
    sensor.errorM * keep + positionErrorM * Math.sqrt(1 - keep * keep) * sensor.position.normal();
  const matchedM = Math.max(sensor.lastMatchedM, egoM + sensor.errorM);
  const base = { conf: mapConf, provenance: 'map', observedAtUs: tUs } as const;

  const { segment } = segmentAt(road, matchedM);
  const isRepeat = tUs - sensor.lastRepeatUs >= repeatUs;
  if (segment.id !== sensor.lastSegment || isRepeat) {
    facts.push(
      { kind: 'jurisdiction', value: segment.jurisdiction, ...base },
      { kind: 'units', value: segment.unit, ...base },
      { kind: 'drive_side', value: segment.driveSide, ...base },
      {
        kind: 'road',
        value: {
          roadClass: segment.roadClass,
          carriageway: segment.carriageway,
          lanesPerDir: segment.lanesPerDir,
          segment: segment.id,
          surface: surfaceFor(weatherThen),
        },
        ...base,
      },
    );
    sensor.lastSegment = segment.id;
    sensor.lastRepeatUs = tUs;
  }
  for (const { sM, sign } of road.signs) {
    if (sM > sensor.lastMatchedM && sM <= matchedM) facts.push({ kind: 'sign', value: sign, ...base });
  }
  for (const gantry of road.gantries) {
    if (gantry.sM <= sensor.lastMatchedM || gantry.sM > matchedM) continue;
    const display = displayAt(gantry, tUs / 1e6);
    if (display === undefined) continue;
    const { value, unit } = display;
    facts.push({ kind: 'gantry', value: { id: gantry.id, value, unit, country: gantry.country }, ...base });
  }
  sensor.lastMatchedM = matchedM;

  if (tUs - sensor.lastWeatherUs >= weatherPeriodUs) {
    facts.push({
      kind: 'weather',
      value: {
        precipitation: Math.round(weatherThen.precipitation),
        precipitationDeposits: Math.round(weatherThen.precipitationDeposits),
        wetness: Math.round(weatherThen.wetness),
        fogDensity: Math.round(weatherThen.fogDensity),
      },
      conf: weatherConf,
      provenance: 'map',
      observedAtUs: Math.max(0, tUs - weatherAgeUs),
    });
    sensor.lastWeatherUs = tUs;
  }
  return facts;
}

/** The road state a weather service would derive from its own percentages. */
function surfaceFor(weather: WeatherState): RoadSurface {
  if (weather.precipitationDeposits >= 60) return 'standing_water';
  if (weather.precipitation >= 60) return 'heavy_rain';
  if (weather.wetness >= 40) return 'wet';
  if (weather.wetness >= 10 || weather.precipitation >= 10) return 'damp';
  return 'dry';
}
