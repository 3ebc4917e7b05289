import { clearWeather } from '../carla/wire/weather.js';
import type { WorldScenario } from '../sim/world/world-scenario.js';

/** A map and nobody on it, on a dry morning: for clients that bring everything themselves. */
export function mapAlone(map: string, seed: number): WorldScenario {
  return {
    id: map,
    seed,
    map,
    startWallMs: Date.UTC(2026, 4, 18, 8),
    weather: [{ tS: 0, weather: { ...clearWeather, sunAltitudeDeg: 45 }, ambientC: 15 }],
    ego: null,
    vehicles: [],
    walkers: [],
    displays: [],
  };
}
