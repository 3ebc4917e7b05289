import type { SpeedUnit } from './facts.js';

/** One international mile per hour, exactly (1 609.344 m in 3 600 s). */
export const mpsPerMph = 0.44704;

export function toMps(value: number, unit: SpeedUnit): number {
  return unit === 'mph' ? value * mpsPerMph : value / 3.6;
}

export function fromMps(mps: number, unit: SpeedUnit): number {
  return unit === 'mph' ? mps / mpsPerMph : mps * 3.6;
}
