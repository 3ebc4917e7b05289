import type { Params } from '../params.js';

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

export function clamp01(value: number): number {
  return clamp(value, 0, 1);
}

/**
 * Gap (m) needed to stop behind a lead that stops at once: v·t_r + v²/(2a) + d0. This is the RSS same-direction
 * distance for v_front = 0 and no acceleration during the response time.
 */
export function requiredStoppingGapM(speedMps: number, brakeMps2: number, params: Params): number {
  const { responseTimeS, standstillGapM } = params.risk;
  return speedMps * responseTimeS + (speedMps * speedMps) / (2 * brakeMps2) + standstillGapM;
}

/** Time to collision (s); the closing speed is floored, so a standing gap of d metres gives 10·d seconds. */
export function timeToCollisionS(gapM: number, closingMps: number, params: Params): number {
  return gapM / Math.max(params.risk.closingFloorMps, closingMps);
}
