/**
 * The plant's friction beside the weather expert's estimate, over all weathers. The two are different functions on
 * purpose: the expert sees weather parameters and never the plant. What must hold is that its lower bound is not above
 * the truth anywhere.
 */
import { assessWeather } from '../../mcp/weather/weather-assess.js';
import { plantMu } from './weather.js';

export interface FrictionPoint {
  readonly wetness: number;
  readonly precipitation: number;
  readonly deposits: number;
  readonly vMps: number;
  readonly truth: number;
  readonly estimate: number;
  readonly lower: number;
}

/** Ordinary temperature: cold lowers the expert's numbers only. */
const ambientC = 15;

export function frictionPoint(
  wetness: number,
  precipitation: number,
  deposits: number,
  vMps: number,
): FrictionPoint {
  const weather = { wetness, precipitation, precipitationDeposits: deposits, fogDensity: 0, ambientC };
  const { mu_est, mu_lo } = assessWeather({
    wetness,
    precipitation,
    precipitation_deposits: deposits,
    v_mps: vMps,
  });
  return {
    wetness,
    precipitation,
    deposits,
    vMps,
    truth: plantMu(weather, vMps),
    estimate: mu_est,
    lower: mu_lo,
  };
}

/** Every combination of `steps` + 1 values of each quantity, standing and at 40, 80 and 120 km/h. */
export function frictionGrid(steps: number): readonly FrictionPoint[] {
  const points: FrictionPoint[] = [];
  for (let a = 0; a <= steps; a++)
    for (let b = 0; b <= steps; b++)
      for (let c = 0; c <= steps; c++)
        for (const kmh of [0, 40, 80, 120])
          points.push(frictionPoint((100 * a) / steps, (100 * b) / steps, (100 * c) / steps, kmh / 3.6));
  return points;
}

export interface FrictionSummary {
  readonly points: number;
  /** lower bounds above the truth: none, or the expert is unsafe in this world */
  readonly above: number;
  /** truth − lower bound */
  readonly smallestGap: number;
  readonly meanGap: number;
  readonly largestGap: number;
  /** share of weathers in which the estimate itself is above the truth */
  readonly estimateAboveRatio: number;
}

export function summarise(points: readonly FrictionPoint[]): FrictionSummary {
  const gaps = points.map(({ truth, lower }) => truth - lower);
  return {
    points: points.length,
    above: gaps.filter((gap) => gap < -1e-12).length,
    smallestGap: Math.min(...gaps),
    meanGap: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length,
    largestGap: Math.max(...gaps),
    estimateAboveRatio: points.filter(({ truth, estimate }) => estimate > truth).length / points.length,
  };
}
