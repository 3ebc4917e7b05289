/**
 * `weather_assess`: what grip the road has, from weather parameters and from what the car itself shows.
 *
 * An estimate from what a car can see; it never knows the road's true friction.
 */
import type { z } from 'zod';
import { createParams } from '../../daemon/core/params.js';
import { requiredStoppingGapM } from '../../daemon/core/safety/braking-envelope.js';
import {
  estimateGrip,
  type GripEstimate,
  type GripObservations,
  measuredGrip,
  surfaceOfEstimate,
} from '../../daemon/core/safety/friction-estimate.js';
import { speedFactor } from '../../daemon/core/safety/target-speed.js';
import type { OutsideReading } from './outside/outside-weather.js';
import { worseObservations } from './outside/worse-observations.js';
import type { WeatherAssessArgs, weatherAnswer } from './weather-schema.js';

const params = createParams('default');

/** Confidence of what only a report from outside says: that of a word. */
const outsideConfidence = 0.5;

/**
 * `speed_factor` and `gap_m` use the estimate on a dry road and the lower bound otherwise.
 * @param outside a report from outside the car; null = no source is configured
 */
export function assessWeather(
  given: WeatherAssessArgs,
  outside: OutsideReading | null = null,
): z.output<typeof weatherAnswer> {
  const own = observationsOf(given);
  const seen = outside?.document ? worseObservations(own, outside.document) : own;
  const grip = capped(estimateGrip(seen), estimateGrip(own), outside);
  const surface = surfaceOfEstimate(grip, seen);
  const used = surface === 'dry' ? grip.estimate : grip.lower;
  const limitMps = given.limit_mps ?? null;
  const isAsked = typeof given.stability_active === 'boolean' || typeof given.wheel_slip === 'boolean';
  return {
    mu_est: grip.estimate,
    mu_lo: grip.lower,
    risk_level: grip.riskLevel,
    wetness: grip.wetness,
    surface,
    v_hydroplane_mps: grip.hydroplaneMps,
    speed_factor: limitMps === null ? null : speedFactor(limitMps, used, params),
    confidence: grip.confidence,
    reasons: [...grip.reasons],
    ...(isAsked
      ? { low_friction: [given.stability_active, given.wheel_slip, given.abs_active].includes(true) }
      : {}),
    ...(given.with_gap === true ? gapAt(given.v_mps ?? null, used) : {}),
    ...(outside === null ? {} : { outside: outside.report }),
  };
}

/** Numbers never above what the car alone would say, and its confidence: a hint makes nothing surer. */
function capped(grip: GripEstimate, own: GripEstimate, outside: OutsideReading | null): GripEstimate {
  if (!outside?.document) return grip;
  const lower = Math.min(grip.lower, own.lower);
  return {
    ...grip,
    estimate: Math.min(grip.estimate, own.estimate),
    lower,
    riskLevel: lower < grip.lower ? own.riskLevel : grip.riskLevel,
    confidence: Math.max(own.confidence, Math.min(grip.confidence, outsideConfidence)),
  };
}

function observationsOf(given: WeatherAssessArgs): GripObservations {
  return {
    precipitation: given.precipitation ?? null,
    precipitationDeposits: given.precipitation_deposits ?? null,
    wetness: given.wetness ?? null,
    weatherTag: given.weather_tag ?? null,
    wiper: given.wiper ?? null,
    speedMps: given.v_mps ?? null,
    tyreKpa: given.tyre_kpa ?? null,
    ambientC: given.ambient_c ?? null,
    measuredGripRatio: measuredGrip(given.abs_active ?? false, given.ax_mps2 ?? null, params),
    utilisationRatio: given.utilisation_ratio ?? null,
  };
}

/** The gap of the core's own rule (stop behind a lead that stops at once), and the headway advised with it. */
function gapAt(
  speedMps: number | null,
  friction: number,
): { gap_m: number | null; headway_s: number | null } {
  if (speedMps === null) return { gap_m: null, headway_s: null };
  const gapM = requiredStoppingGapM(speedMps, friction * params.risk.gravityMps2, params);
  const isMoving = speedMps >= params.act.speedMinMps;
  return { gap_m: gapM, headway_s: isMoving ? Math.max(params.speech.headwayMinS, gapM / speedMps) : null };
}
