import type { LocatedYaml } from '../../mcp/rules/format/located-yaml.js';
import { clearWeather, type WeatherParameters } from '../carla/wire/weather.js';
import type { WeatherAt } from '../sim/world/world-scenario.js';
import type { ScenarioData } from './scenario-schema.js';

type Point = ScenarioData['weather'][number];

/** A dry morning, the sun half up. */
const before: WeatherAt = { tS: 0, weather: { ...clearWeather, sunAltitudeDeg: 45 }, ambientC: 15 };

/** The curve with every field of every point filled in. @throws where times do not rise */
export function weatherCurve(
  points: readonly Point[],
  fault: LocatedYaml<ScenarioData>['fault'],
): readonly WeatherAt[] {
  const curve: WeatherAt[] = [];
  for (const [i, point] of points.entries()) {
    const last = curve.at(-1);
    if (last !== undefined && point.at_s <= last.tS)
      throw fault(['weather', i, 'at_s'], `times have to rise: ${point.at_s} s follows ${last.tS} s`);
    const { weather, ambientC } = last ?? before;
    curve.push({
      tS: point.at_s,
      weather: { ...weather, ...said(point) },
      ambientC: point.ambient_c ?? ambientC,
    });
  }
  return curve;
}

function said(point: Point): Partial<WeatherParameters> {
  const fields = {
    cloudiness: point.cloudiness,
    precipitation: point.precipitation,
    precipitationDeposits: point.precipitation_deposits,
    wetness: point.wetness,
    windIntensity: point.wind_intensity,
    fogDensity: point.fog_density,
    fogDistanceM: point.fog_distance_m,
    fogFalloff: point.fog_falloff,
    sunAltitudeDeg: point.sun_altitude_deg,
    sunAzimuthDeg: point.sun_azimuth_deg,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
