/** What the weather around the car does to it: air, sun, rain, light. */
import type { WeatherParameters } from '../../carla/wire/weather.js';
import { vapourAtGpm3 } from './humid-air.js';

export interface Outside {
  readonly ambientC: number;
  readonly vapourGpm3: number;
  /** on level ground */
  readonly solarWpm2: number;
  readonly rainMmph: number;
  /** 0 … 100 as CARLA has them */
  readonly precipitation: number;
  readonly fogDensity: number;
  readonly wetness: number;
  readonly sunAltitudeDeg: number;
}

/** CARLA's precipitation of 100; more than 50 mm/h is called violent by the weather services. */
const heaviestMmph = 50;

/** @param humidityPercent relative, where somebody knows it: CARLA's weather has none */
export function outsideOf(
  weather: WeatherParameters,
  ambientC: number,
  humidityPercent: number | null = null,
): Outside {
  const { precipitation, fogDensity, wetness, sunAltitudeDeg, cloudiness } = weather;
  return {
    ambientC,
    vapourGpm3: vapourAtGpm3(ambientC, humidityPercent ?? likelyHumidityPercent(weather)),
    solarWpm2: solarWpm2(sunAltitudeDeg, cloudiness),
    rainMmph: (share(precipitation) * heaviestMmph) as number,
    precipitation,
    fogDensity,
    wetness,
    sunAltitudeDeg,
  };
}

/** Assumed: half saturated on a dry day, 90 % in rain, 98 % in fog, in between over wet ground. */
export function likelyHumidityPercent({
  precipitation,
  fogDensity,
  wetness,
}: Pick<WeatherParameters, 'precipitation' | 'fogDensity' | 'wetness'>): number {
  return (
    50 +
    Math.max(
      40 * Math.min(1, share(precipitation) * 4),
      48 * Math.min(1, share(fogDensity) * 2),
      25 * share(wetness),
    )
  );
}

/**
 * Global radiation by altitude of the sun and cloud cover: 910·sin α − 30 W/m² under a clear sky, times 1 − 0.75·N^3.4
 * (Kasten and Czeplak, Solar Energy 24 (1980) 177, fitted at Hamburg).
 */
export function solarWpm2(sunAltitudeDeg: number, cloudiness: number): number {
  const clear = 910 * Math.sin((sunAltitudeDeg * Math.PI) / 180) - 30;
  return Math.max(0, clear) * (1 - 0.75 * share(cloudiness) ** 3.4);
}

function share(percent: number): number {
  return Math.min(1, Math.max(0, percent / 100));
}
