/** Weather of the world: the scenario's curve, until a client sets it. */
import { type WeatherParameters, weatherFields } from '../../carla/wire/weather.js';
import type { WeatherState } from '../weather.js';
import type { WeatherAt } from './world-scenario.js';

export class WorldWeather {
  readonly #curve: readonly WeatherAt[];
  #set: WeatherParameters | null = null;

  constructor(curve: readonly WeatherAt[]) {
    if (curve.length === 0) throw new RangeError('a weather curve needs at least one point');
    this.#curve = curve;
  }

  /** From now on this weather holds, whatever the scenario says. */
  set(weather: WeatherParameters): void {
    this.#set = weather;
  }

  at(tS: number): { readonly weather: WeatherParameters; readonly ambientC: number } {
    const [before, behind, share] = this.#around(tS);
    const between = (one: number, other: number): number => one + (other - one) * share;
    const ambientC = between(before.ambientC, behind.ambientC);
    if (this.#set !== null) return { weather: this.#set, ambientC };
    const weather = Object.fromEntries(
      weatherFields.map((field) => [field, between(before.weather[field], behind.weather[field])]),
    ) as WeatherParameters;
    return { weather, ambientC };
  }

  /** What plant, sensors and the driver need of it. */
  plantAt(tS: number): WeatherState {
    const { weather, ambientC } = this.at(tS);
    return plantWeather(weather, ambientC);
  }

  #around(tS: number): readonly [WeatherAt, WeatherAt, number] {
    const index = this.#curve.findIndex((point) => point.tS > tS);
    const last = this.#curve[this.#curve.length - 1] as WeatherAt;
    if (index < 0) return [last, last, 0];
    const behind = this.#curve[index] as WeatherAt;
    const before = this.#curve[index - 1];
    if (before === undefined) return [behind, behind, 0];
    return [before, behind, (tS - before.tS) / (behind.tS - before.tS)];
  }
}

/** What the plant and the simulated sensors need of it. */
export function plantWeather(weather: WeatherParameters, ambientC: number): WeatherState {
  const { precipitation, precipitationDeposits, wetness, fogDensity } = weather;
  return { precipitation, precipitationDeposits, wetness, fogDensity, ambientC };
}
