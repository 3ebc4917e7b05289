import type { WeatherAt } from '../../sim/world/world-scenario.js';
import { clearSightM } from './read-environment.js';
import { type XmlNode, xml } from './xml-text.js';

const radians = Math.PI / 180;

/** Weather as OpenSCENARIO has it, and beside it every field of ours as a property of the road's condition. */
export function writeEnvironment({ weather, ambientC }: WeatherAt, wallMs: number, name: string): XmlNode {
  const { cloudiness, precipitation, fogDensity } = weather;
  const cloudState =
    precipitation > 0 ? 'rainy' : cloudiness >= 80 ? 'overcast' : cloudiness >= 30 ? 'cloudy' : 'free';
  const own = {
    ambient_c: ambientC,
    cloudiness,
    precipitation,
    precipitation_deposits: weather.precipitationDeposits,
    wetness: weather.wetness,
    wind_intensity: weather.windIntensity,
    fog_density: fogDensity,
    fog_distance_m: weather.fogDistanceM,
    fog_falloff: weather.fogFalloff,
    sun_altitude_deg: weather.sunAltitudeDeg,
    sun_azimuth_deg: weather.sunAzimuthDeg,
  };
  return xml(
    'EnvironmentAction',
    {},
    xml(
      'Environment',
      { name },
      xml('TimeOfDay', { animation: false, dateTime: new Date(wallMs).toISOString() }),
      xml(
        'Weather',
        { cloudState },
        xml('Sun', {
          intensity: Math.max(0, 1 - cloudiness / 100),
          azimuth: weather.sunAzimuthDeg * radians,
          elevation: weather.sunAltitudeDeg * radians,
        }),
        xml('Fog', { visualRange: fogDensity <= 0 ? 100_000 : clearSightM * (1 - fogDensity / 100) }),
        xml('Precipitation', {
          precipitationType: precipitation > 0 ? 'rain' : 'dry',
          intensity: precipitation / 100,
        }),
      ),
      xml(
        'RoadCondition',
        { frictionScaleFactor: 1 },
        xml(
          'Properties',
          {},
          ...Object.entries(own).map(([key, value]) => xml('Property', { name: key, value })),
        ),
      ),
    ),
  );
}
