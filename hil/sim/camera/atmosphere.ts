/**
 * What weather and sun make of the light: how far one sees, how bright it is, the colours of the sky. The laws are ours,
 * chosen to look plausible; they are no measurement of any camera.
 */
import type { WeatherParameters } from '../../carla/wire/weather.js';
import type { Vector } from '../world/sensor-pose.js';

export type Rgb = readonly [red: number, green: number, blue: number];

export interface Atmosphere {
  /** contrast left over a distance d: exp(−extinction · (d − clearM)); 1/m */
  readonly extinctionPerM: number;
  /** nearer than this there is no fog */
  readonly clearM: number;
  /** of what is lit by the sky and the sun alone, after exposure; 1 = a clear day */
  readonly level: Rgb;
  /** share of the light that comes from the sun itself, 0–1 */
  readonly sunShare: number;
  /** towards the sun */
  readonly sun: Vector;
  readonly zenith: Rgb;
  readonly horizon: Rgb;
  /** what everything fades to in the distance */
  readonly haze: Rgb;
  /** 0 day, 1 night */
  readonly darkness: number;
  /** share of the sky with clouds, 0–1 */
  readonly clouds: number;
  /** 0–1 */
  readonly rain: number;
  /** share of a mirror that the road's surface is, 0–1 */
  readonly wet: number;
  /** standard deviation of the sensor's noise, of 255 */
  readonly noise: number;
}

/** Clean air: 5 % contrast at 20 km (Koschmieder: visibility = 3/extinction). */
const clearAirPerM = 3 / 20_000;
/** Fog of 100 %: 40 m of visibility; of 25 %: 250 m; of 5 %: 2.2 km. */
const fogPerM = 3 / 40;
const fogPower = 1.33;
/** Rain of 100 % with its spray: 600 m. */
const rainPerM = 3 / 600;

export function atmosphereOf(weather: WeatherParameters): Atmosphere {
  const { sunAltitudeDeg, sunAzimuthDeg } = weather;
  const rain = share(weather.precipitation);
  const fog = share(weather.fogDensity);
  const clouds = Math.max(share(weather.cloudiness), Math.min(1, rain * 1.4), Math.min(1, fog * 2));
  const day = ramp(sunAltitudeDeg, -4, 10);
  const night = 1 - ramp(sunAltitudeDeg, -11, -2);
  const dusk = Math.max(0, 1 - day - night);
  const bright = day * (1.12 - 0.22 * clouds - 0.12 * rain) + dusk * 0.36 + night * 0.045;
  // Up to a half, clouds are white on a blue sky; then they are the sky.
  const veiled = Math.min(1, 1.1 * clouds * clouds);
  const grey: Rgb = [196 * bright, 201 * bright, 206 * bright];
  const zenith = mixed(
    blend([day, [86, 136, 200]], [dusk, [52, 62, 104]], [night, [7, 9, 17]]),
    scaled(grey, 0.9),
    veiled,
  );
  const horizon = mixed(
    blend([day, [196, 214, 230]], [dusk, [226, 152, 104]], [night, [17, 19, 27]]),
    grey,
    veiled * 0.9,
  );
  const fogColor: Rgb = [206 * bright, 209 * bright, 211 * bright];
  const altitude = (Math.max(2, sunAltitudeDeg) * Math.PI) / 180;
  // CARLA's azimuth turns as its yaw does; y changes its sign.
  const azimuth = (-sunAzimuthDeg * Math.PI) / 180;
  const tint = mixed(
    blend([day, [1, 1, 1]], [dusk, [1.06, 0.95, 0.9]], [night, [0.82, 0.92, 1.2]]),
    [1, 1, 1],
    veiled * 0.7,
  );
  return {
    extinctionPerM: clearAirPerM + fogPerM * fog ** fogPower + rainPerM * rain,
    clearM: Math.max(0, weather.fogDistanceM) * (rain > 0 ? 0 : 1),
    level: scaled(tint, bright),
    sunShare: 0.55 * day * (1 - veiled) * ramp(sunAltitudeDeg, 0, 8),
    sun: [Math.cos(altitude) * Math.cos(azimuth), Math.cos(altitude) * Math.sin(azimuth), Math.sin(altitude)],
    zenith,
    horizon,
    haze: mixed(horizon, fogColor, Math.min(1, 3 * fog + rain)),
    darkness: 1 - ramp(sunAltitudeDeg, -10, 6),
    clouds,
    rain,
    wet: Math.min(1, Math.max(share(weather.wetness), share(weather.precipitationDeposits))),
    noise: 0.7 + 3.2 * (1 - Math.min(1, bright / 0.8)) ** 2,
  };
}

/** Share of the contrast that is left at a distance. */
export function contrastAt({ extinctionPerM, clearM }: Atmosphere, distanceM: number): number {
  return Math.exp(-extinctionPerM * Math.max(0, distanceM - clearM));
}

const share = (percent: number): number => Math.min(1, Math.max(0, percent / 100));

/** 0 up to `from`, 1 from `to` on, smooth between. */
export function ramp(value: number, from: number, to: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

function blend(...parts: readonly (readonly [weight: number, color: Rgb])[]): Rgb {
  const sum = [0, 0, 0];
  for (const [weight, color] of parts)
    for (let k = 0; k < 3; k++) sum[k] = (sum[k] as number) + weight * (color[k] as number);
  return [sum[0] as number, sum[1] as number, sum[2] as number];
}

export function mixed(one: Rgb, other: Rgb, t: number): Rgb {
  return blend([1 - t, one], [t, other]);
}

export function scaled([red, green, blue]: Rgb, by: number): Rgb {
  return [red * by, green * by, blue * by];
}
