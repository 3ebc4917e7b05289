/** From the legal limit to the speed that is advised: law first, then traction, then the car's health. */
import type { Params } from '../params.js';
import type { SpeedUnit } from '../world/facts.js';

export const mpsPerUnit: Readonly<Record<SpeedUnit, number>> = { 'km/h': 1 / 3.6, mph: 0.44704 };

/** The least advice worth showing, in the driver's unit. */
const leastAdvice: Readonly<Record<SpeedUnit, number>> = { 'km/h': 20, mph: 10 };

/**
 * Share of the limit at which the car stops within the distance that the limit takes on a dry road (μ 0.8):
 * D = v·t_r + v²/(2·0.8·g), v' = μg·(−t_r + √(t_r² + 2D/(μg))). Monotone in μ, never above 1.
 */
export function speedFactor(limitMps: number, friction: number, params: Params): number {
  const { responseTimeS, gravityMps2 } = params.risk;
  if (!(limitMps > 0) || !Number.isFinite(limitMps)) return 1;
  const dryMps2 = params.friction.dryReferenceRatio * gravityMps2;
  const distanceM = limitMps * responseTimeS + (limitMps * limitMps) / (2 * dryMps2);
  const brakeMps2 = friction * gravityMps2;
  const speed =
    brakeMps2 * (-responseTimeS + Math.sqrt(responseTimeS * responseTimeS + (2 * distanceM) / brakeMps2));
  return Math.min(1, speed / limitMps);
}

export interface TargetSpeed {
  readonly factor: number;
  readonly targetMps: number;
  /** multiple of 5 in `unit`, never above the limit */
  readonly advice: number;
  /** the advice is below the limit: say both */
  readonly tellBoth: boolean;
}

export function targetSpeed(
  limit: number,
  unit: SpeedUnit,
  friction: number,
  healthRisk: number,
  params: Params,
): TargetSpeed {
  const limitMps = limit * mpsPerUnit[unit];
  const factor = speedFactor(limitMps, friction, params);
  const targetMps = limitMps * factor * (1 - params.friction.healthSpeedLossRatio * healthRisk);
  const advice = displayedAdvice(targetMps, limit, unit);
  return { factor, targetMps, advice, tellBoth: advice < limit };
}

/** Rounded down to 5 units; the slack keeps 49.999…9 at 50. At least 20 km/h or 10 mph, at most the limit. */
export function displayedAdvice(targetMps: number, limit: number, unit: SpeedUnit): number {
  const step = 5 * Math.floor(targetMps / (5 * mpsPerUnit[unit]) + 1e-9);
  return Math.min(limit, Math.max(leastAdvice[unit], step));
}
