/**
 * Grip estimated from weather and from what the car's own bus says. Priors are combined by their minimum and
 * capped by measurement; the order of the steps is fixed.
 */
import type { Params } from '../params.js';
import type { RoadSurface } from '../world/facts.js';
import { worseSurface } from '../world/road-surface.js';
import { clamp, clamp01 } from './braking-envelope.js';
import { frictionTable } from './friction-table.js';

/** Everything is optional; what is missing or no number counts as not observed. */
export interface GripObservations {
  /** weather parameters, 0…100 */
  readonly precipitation?: number | null;
  readonly precipitationDeposits?: number | null;
  readonly wetness?: number | null;
  /** 0 off, 1 intermittent, 2 slow, 3 fast */
  readonly wiper?: number | null;
  readonly speedMps?: number | null;
  readonly tyreKpa?: number | null;
  readonly ambientC?: number | null;
  /** grip measured while ABS cycled (`measuredGrip`), as long as it is believed */
  readonly measuredGripRatio?: number | null;
  /** √(ax² + ay²)/g driven without slip: a local lower bound of the estimate */
  readonly utilisationRatio?: number | null;
  /** state of the road in a word, as somebody named it; `unknown` says nothing */
  readonly weatherTag?: RoadSurface | null;
}

export const gripRiskLevels = ['low', 'moderate', 'high', 'severe'] as const;
export type GripRiskLevel = (typeof gripRiskLevels)[number];
export const gripReasons = [
  'wet_road',
  'wiper',
  'weather_tag',
  'standing_water',
  'cold_and_wet',
  'cold',
  'abs_measurement',
  'utilisation',
] as const;
export type GripReason = (typeof gripReasons)[number];

export interface GripEstimate {
  /** 0…1 */
  readonly wetness: number;
  readonly estimate: number;
  readonly lower: number;
  readonly riskLevel: GripRiskLevel;
  readonly hydroplaneMps: number;
  readonly confidence: number;
  readonly reasons: readonly GripReason[];
}

const wetnessOfWiper = [0, 0.3, 0.5, 0.8] as const;
const defaultTyreKpa = 220;

export function estimateGrip(seen: GripObservations): GripEstimate {
  const reasons: GripReason[] = [];
  const deposits = seen.precipitationDeposits;
  const fromWeather =
    Math.max(observed(seen.wetness, 0), observed(deposits, 0), 0.6 * observed(seen.precipitation, 0)) / 100;
  const fromWiper = wiperWetness(seen.wiper);
  const wetness = clamp01(Math.max(fromWeather, fromWiper));
  if (wetness > 0) reasons.push(fromWiper > fromWeather ? 'wiper' : 'wet_road');

  let estimate = 0.8 - 0.4 * wetness;
  let lower = Math.max(0.15, estimate - 0.1 - 0.15 * wetness);

  const tag = seen.weatherTag ?? 'unknown';
  if (tag !== 'unknown') {
    const { typical, lowerBound } = frictionTable[tag];
    if (typical < estimate || lowerBound < lower) reasons.push('weather_tag');
    estimate = Math.min(estimate, typical);
    lower = Math.min(lower, lowerBound);
  }
  const hydroplaneMps = hydroplaneSpeedMps(seen.tyreKpa);
  const speedRatio = observed(seen.speedMps, 0) / hydroplaneMps;
  if (observed(deposits, 0) >= 60 && speedRatio > 0.8) {
    lower += (Math.min(lower, 0.1) - lower) * clamp01((speedRatio - 0.8) / 0.2);
    reasons.push('standing_water');
  }
  if (observed(seen.ambientC, Number.POSITIVE_INFINITY) <= 3) {
    if (wetness >= 0.1) {
      estimate = Math.min(estimate, 0.3);
      lower = Math.min(lower, 0.1);
      reasons.push('cold_and_wet');
    } else {
      lower = Math.min(lower, 0.5);
      reasons.push('cold');
    }
  }
  const measured = seen.measuredGripRatio;
  const hasMeasurement = typeof measured === 'number' && Number.isFinite(measured);
  if (hasMeasurement) {
    const grip = clamp(measured, 0.05, 1);
    estimate = Math.min(estimate, grip + 0.05);
    lower = Math.min(lower, Math.max(0.05, grip - 0.05));
    reasons.push('abs_measurement');
  }
  const utilisation = Math.min(1, observed(seen.utilisationRatio, 0));
  if (utilisation > estimate) {
    estimate = utilisation;
    reasons.push('utilisation');
  }
  lower = Math.min(lower, estimate);
  const confidence = estimateConfidence(seen, hasMeasurement);
  return { wetness, estimate, lower, riskLevel: gripRiskLevel(lower), hydroplaneMps, confidence, reasons };
}

/**
 * Grip shown by a braking that made ABS cycle: |a|/g in 0.05…1, or null where the braking was too gentle
 * (below 1 m/s²) to show anything.
 */
export function measuredGrip(absActive: boolean, axMps2: number | null, params: Params): number | null {
  if (!absActive || axMps2 === null || !Number.isFinite(axMps2) || Math.abs(axMps2) < 1) return null;
  return clamp(Math.abs(axMps2) / params.risk.gravityMps2, 0.05, 1);
}

/** Speed from which a tyre may float: 6.35·√p km/h with p in kPa (NASA, Horne). */
export function hydroplaneSpeedMps(tyreKpa: number | null | undefined): number {
  const given = observed(tyreKpa, defaultTyreKpa);
  return (6.35 * Math.sqrt(given > 0 ? given : defaultTyreKpa)) / 3.6;
}

/** The road state that an estimate stands for; decides whether braking uses the estimate or the lower bound. */
export function surfaceOfEstimate(grip: GripEstimate, seen: GripObservations): RoadSurface {
  return worseSurface(surfaceOfCues(grip, seen), seen.weatherTag ?? 'unknown');
}

function surfaceOfCues(grip: GripEstimate, seen: GripObservations): RoadSurface {
  if (grip.reasons.includes('cold_and_wet')) return 'ice';
  if (observed(seen.precipitationDeposits, 0) >= 60) return 'standing_water';
  if (grip.wetness >= 0.8) return 'heavy_rain';
  if (grip.wetness >= 0.4) return 'wet';
  if (grip.wetness > 0) return 'damp';
  return hasWeather(seen) || isNumber(seen.wiper) ? 'dry' : 'unknown';
}

function gripRiskLevel(lower: number): GripRiskLevel {
  if (lower >= 0.6) return 'low';
  if (lower >= 0.4) return 'moderate';
  return lower >= 0.2 ? 'high' : 'severe';
}

/** Weather parameters 0.9, the car's bus with a measurement 0.7, without 0.6, a word 0.5, nothing 0.2. */
function estimateConfidence(seen: GripObservations, hasMeasurement: boolean): number {
  if (hasWeather(seen)) return 0.9;
  if (hasMeasurement) return 0.7;
  if (isNumber(seen.wiper) || isNumber(seen.ambientC)) return 0.6;
  return (seen.weatherTag ?? 'unknown') === 'unknown' ? 0.2 : 0.5;
}

function hasWeather(seen: GripObservations): boolean {
  return isNumber(seen.precipitation) || isNumber(seen.precipitationDeposits) || isNumber(seen.wetness);
}

function wiperWetness(wiper: number | null | undefined): number {
  const stage = clamp(Math.floor(observed(wiper, 0)), 0, 3);
  return wetnessOfWiper[stage] ?? 0;
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function observed(value: number | null | undefined, otherwise: number): number {
  return isNumber(value) ? value : otherwise;
}
