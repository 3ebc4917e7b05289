/**
 * Weather over time, and what it does to the road.
 *
 * `plantMu` is the plant's truth. It goes into the tyre limit and into metrics, nowhere else: the weather
 * expert sees the weather parameters and CAN and makes its own, deliberately different, estimate.
 */

/** Percentages as CARLA and weather services give them; temperature as the car measures it. */
export interface WeatherState {
  readonly precipitation: number;
  readonly precipitationDeposits: number;
  readonly wetness: number;
  readonly fogDensity: number;
  readonly ambientC: number;
}

/** A point of the weather curve; between points every quantity is linear, outside it is constant. */
export interface WeatherPoint extends WeatherState {
  readonly tS: number;
}

export function weatherAt(curve: readonly WeatherPoint[], tS: number): WeatherState {
  const first = curve[0];
  if (first === undefined) throw new RangeError('a weather curve needs at least one point');
  let before = first;
  for (const point of curve) {
    if (point.tS > tS) {
      if (point === first) return first;
      const share = (tS - before.tS) / (point.tS - before.tS);
      const between = (key: keyof WeatherState): number => before[key] + (point[key] - before[key]) * share;
      return {
        precipitation: between('precipitation'),
        precipitationDeposits: between('precipitationDeposits'),
        wetness: between('wetness'),
        fogDensity: between('fogDensity'),
        ambientC: between('ambientC'),
      };
    }
    before = point;
  }
  return before;
}

const dryMu = 0.85;
const wetMu = 0.55; // film of water, wetness 60 % and more
const floodedMu = 0.4; // standing water, deposits 100 %
const aquaplaningPrecipitation = 85;
const aquaplaningMps = 80 / 3.6;
const aquaplaningFactor = 0.9;

/** Friction coefficient between tyre and road: falls with wetness, then with standing water, then with speed. */
export function plantMu(weather: WeatherState, vMps: number): number {
  let mu = dryMu - (dryMu - wetMu) * Math.min(1, Math.max(0, weather.wetness) / 60);
  mu -= (wetMu - floodedMu) * Math.min(1, Math.max(0, weather.precipitationDeposits) / 100);
  mu = Math.max(mu, floodedMu);
  if (weather.precipitation > aquaplaningPrecipitation && vMps > aquaplaningMps) mu *= aquaplaningFactor;
  return mu;
}
