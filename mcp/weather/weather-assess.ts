/**
 * `weather_assess`: what grip the road has, from weather parameters and from what the car itself shows.
 *
 * An estimate from what a car can see; it never knows the road's true friction.
 */
import { z } from 'zod';
import { createParams } from '../../daemon/core/params.js';
import {
  estimateGrip,
  type GripObservations,
  measuredGrip,
  surfaceOfEstimate,
} from '../../daemon/core/safety/friction-estimate.js';
import { speedFactor } from '../../daemon/core/safety/target-speed.js';
import type { JsonObject } from '../../daemon/core/tick.js';
import { parseToolArgs } from '../shared/tool-args.js';

const percent = z.number().min(0).max(100).nullish();

/** Everything is optional: what is missing counts as not observed, never as zero friction. */
export const weatherAssessArgs = z.strictObject({
  precipitation: percent.describe('rain intensity, 0…100'),
  precipitation_deposits: percent.describe('water standing on the road, 0…100'),
  wetness: percent.describe('wet look of the road, 0…100'),
  wiper: z.number().int().min(0).max(3).nullish().describe('0 off, 1 intermittent, 2 slow, 3 fast'),
  v_mps: z.number().min(0).max(150).nullish().describe('own speed'),
  tyre_kpa: z.number().positive().max(1200).nullish().describe('lowest tyre pressure'),
  ambient_c: z.number().min(-90).max(70).nullish().describe('outside temperature'),
  abs_active: z.boolean().nullish().describe('ABS cycles now or did in the last 30 s'),
  ax_mps2: z.number().min(-30).max(30).nullish().describe('longitudinal acceleration while it did'),
  utilisation_ratio: z.number().min(0).max(3).nullish().describe('√(ax² + ay²)/g driven without slip'),
  limit_mps: z.number().positive().max(100).nullish().describe('limit to which speed_factor refers'),
});

const params = createParams('default');

/**
 * @returns `{mu_est, mu_lo, risk_level, wetness, surface, v_hydroplane_mps, speed_factor, confidence, reasons}`;
 * `speed_factor` is null without `limit_mps`; it uses the estimate on a dry road and the lower bound otherwise
 * @throws DriveMcpError TOOL_ARGS_INVALID
 */
export function assessWeather(args: unknown): JsonObject {
  const given = parseToolArgs(weatherAssessArgs, args, 'weather_assess');
  const seen: GripObservations = {
    precipitation: given.precipitation ?? null,
    precipitationDeposits: given.precipitation_deposits ?? null,
    wetness: given.wetness ?? null,
    wiper: given.wiper ?? null,
    speedMps: given.v_mps ?? null,
    tyreKpa: given.tyre_kpa ?? null,
    ambientC: given.ambient_c ?? null,
    measuredGripRatio: measuredGrip(given.abs_active ?? false, given.ax_mps2 ?? null, params),
    utilisationRatio: given.utilisation_ratio ?? null,
  };
  const grip = estimateGrip(seen);
  const surface = surfaceOfEstimate(grip, seen);
  const used = surface === 'dry' ? grip.estimate : grip.lower;
  const limitMps = given.limit_mps ?? null;
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
  };
}
