import type { GripObservations } from '../../../daemon/core/safety/friction-estimate.js';
import { worseSurface } from '../../../daemon/core/world/road-surface.js';
import type { OutsideDocument } from './outside-weather.js';

/**
 * What the car observed and a report from outside, the worse of each: wetter, colder, the road with less grip. The
 * estimate falls with each of them, so that a report never raises it.
 */
export function worseObservations(seen: GripObservations, outside: OutsideDocument): GripObservations {
  return {
    ...seen,
    precipitation: higher(seen.precipitation, outside.precipitation),
    precipitationDeposits: higher(seen.precipitationDeposits, outside.precipitation_deposits),
    wetness: higher(seen.wetness, outside.wetness),
    ambientC: lower(seen.ambientC, outside.ambient_c),
    weatherTag: worseSurface(seen.weatherTag ?? 'unknown', outside.weather_tag ?? 'unknown'),
  };
}

function higher(a: number | null | undefined, b: number | undefined): number | null {
  if (b === undefined) return a ?? null;
  return a === null || a === undefined ? b : Math.max(a, b);
}

function lower(a: number | null | undefined, b: number | undefined): number | null {
  if (b === undefined) return a ?? null;
  return a === null || a === undefined ? b : Math.min(a, b);
}
