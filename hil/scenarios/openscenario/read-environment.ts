/** EnvironmentAction as a point of a scenario file's weather. Scales are those of CARLA's scenario_runner where it has some. */
import type { XmlElement } from '../../opendrive/xml-element.js';
import type { XoscReader } from './xosc-reader.js';

export interface WeatherPointData {
  at_s: number;
  [field: string]: number;
}

const degrees = 180 / Math.PI;
const cloudiness: Readonly<Record<string, number>> = {
  free: 0,
  skyOff: 0,
  skyoff: 0,
  cloudy: 60,
  overcast: 85,
  rainy: 100,
};
/** sight from which on there is no fog to speak of */
export const clearSightM = 1000;
/** What OpenSCENARIO has no words for goes into properties of the road's condition under these names. */
export const ownFields = [
  'ambient_c',
  'cloudiness',
  'precipitation',
  'precipitation_deposits',
  'wetness',
  'wind_intensity',
  'fog_density',
  'fog_distance_m',
  'fog_falloff',
  'sun_altitude_deg',
  'sun_azimuth_deg',
] as const;

export interface EnvironmentRead {
  readonly point: WeatherPointData;
  /** time of day, where one is said */
  readonly start: string | null;
}

export function readEnvironment(action: XmlElement, atS: number, reader: XoscReader): EnvironmentRead | null {
  const environment = reader.child(action, 'Environment');
  if (environment === undefined) {
    reader.leaveOut(action.children[0] ?? action, 'environments of catalogues are not read');
    return null;
  }
  reader.only(environment, ['ParameterDeclarations', 'TimeOfDay', 'Weather', 'RoadCondition']);
  const point: WeatherPointData = { at_s: atS };
  const weather = reader.child(environment, 'Weather');
  if (weather !== undefined) readWeather(weather, point, reader);
  const road = reader.child(environment, 'RoadCondition');
  if (road !== undefined) {
    if (reader.number(road, 'frictionScaleFactor', 1) !== 1)
      reader.leaveOut(road, 'frictionScaleFactor: grip follows from the weather');
    for (const [name, value] of reader.properties(road))
      if (ownFields.some((field) => field === name)) point[name] = Number(value);
      else reader.leaveOut(road, `property ${name} is not known`);
  }
  const time = reader.child(environment, 'TimeOfDay');
  const text = time === undefined ? null : reader.text(time, 'dateTime');
  // Without a zone it is universal time.
  const start = text === null ? null : /(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
  return { point, start };
}

function readWeather(weather: XmlElement, point: WeatherPointData, reader: XoscReader): void {
  reader.only(weather, ['Sun', 'Fog', 'Precipitation']);
  const clouds = cloudiness[reader.text(weather, 'cloudState', 'free')];
  if (clouds === undefined) reader.leaveOut(weather, `cloudState ${reader.text(weather, 'cloudState')}`);
  point['cloudiness'] = clouds ?? 0;
  const sun = reader.child(weather, 'Sun');
  if (sun !== undefined) {
    point['sun_altitude_deg'] = round(reader.number(sun, 'elevation') * degrees);
    point['sun_azimuth_deg'] = round((((reader.number(sun, 'azimuth') * degrees) % 360) + 360) % 360);
  }
  const fog = reader.child(weather, 'Fog');
  if (fog !== undefined) {
    const sightM = reader.number(fog, 'visualRange');
    point['fog_density'] = round(Math.max(0, Math.min(100, 100 * (1 - sightM / clearSightM))));
    reader.only(fog, []);
  }
  const rain = reader.child(weather, 'Precipitation');
  if (rain === undefined) return;
  const kind = reader.text(rain, 'precipitationType');
  if (kind === 'snow') reader.leaveOut(rain, 'snow: there is none in the simulator');
  const intensity = kind === 'rain' ? reader.number(rain, 'intensity', 0) : 0;
  const percent = round(Math.max(0, Math.min(100, intensity * 100)));
  point['precipitation'] = percent;
  // scenario_runner makes the road wet where it rains.
  point['precipitation_deposits'] = percent > 0 ? 100 : 0;
  point['wetness'] = percent;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
