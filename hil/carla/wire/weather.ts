/**
 * Weather by name. The wire has only positions, and they moved: wetness is field 8 in 0.9.8 and field 9 from 0.9.10 on.
 */
import { array, type Codec, float } from './codec.js';

export const weatherFields = [
  'cloudiness',
  'precipitation',
  'precipitationDeposits',
  'windIntensity',
  'sunAzimuthDeg',
  'sunAltitudeDeg',
  'fogDensity',
  'fogDistanceM',
  'fogFalloff',
  'wetness',
  'scatteringIntensity',
  'mieScatteringScale',
  'rayleighScatteringScale',
  'dustStorm',
] as const;

export type WeatherField = (typeof weatherFields)[number];
export type WeatherParameters = Readonly<Record<WeatherField, number>>;

export const clearWeather: WeatherParameters = {
  cloudiness: 0,
  precipitation: 0,
  precipitationDeposits: 0,
  windIntensity: 0,
  sunAzimuthDeg: 0,
  sunAltitudeDeg: 0,
  fogDensity: 0,
  fogDistanceM: 0,
  fogFalloff: 0,
  wetness: 0,
  scatteringIntensity: 0,
  mieScatteringScale: 0,
  rayleighScatteringScale: Math.fround(0.0331),
  dustStorm: 0,
};

/** The order of the fields on a wire with `count` of them: 9 (0.9.8), 10, 13 or 14. */
export function weatherOrder(count: number): readonly WeatherField[] {
  if (count <= 9) return weatherFields.filter((field) => field !== 'fogFalloff').slice(0, count);
  return weatherFields.slice(0, count);
}

/** Weather with `count` fields; what the wire does not have is read as clear weather and not written. */
export function weatherParameters(count: number): Codec<WeatherParameters> {
  const order = weatherOrder(count);
  return {
    name: 'WeatherParameters',
    absent: clearWeather,
    write(writer, value) {
      writer.array(order.length);
      for (const field of order) writer.float32(value[field]);
    },
    read(value, path) {
      const values = array(value, path);
      const read: Record<WeatherField, number> = { ...clearWeather };
      for (const [i, field] of weatherOrder(values.length).entries())
        if (i < weatherFields.length) read[field] = float.read(values[i], `${path}.${field}`);
      return read;
    },
  };
}
