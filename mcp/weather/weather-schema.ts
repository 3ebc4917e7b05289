/** What `weather_assess` takes and answers. */
import { z } from 'zod';
import { gripReasons, gripRiskLevels } from '../../daemon/core/safety/friction-estimate.js';
import { roadSurfaces } from '../../daemon/core/world/facts.js';
import { outsideReport } from './outside/outside-weather.js';

const percent = z.number().min(0).max(100).nullish();

/** Everything is optional: what is missing counts as not observed, never as zero friction. */
export const weatherAssessArgs = z.strictObject({
  precipitation: percent.describe('rain intensity, 0…100'),
  precipitation_deposits: percent.describe('water standing on the road, 0…100'),
  wetness: percent.describe('wet look of the road, 0…100'),
  weather_tag: z.enum(roadSurfaces).nullish().describe('state of the road in a word'),
  wiper: z.number().int().min(0).max(3).nullish().describe('0 off, 1 intermittent, 2 slow, 3 fast'),
  v_mps: z.number().min(0).max(150).nullish().describe('own speed'),
  tyre_kpa: z.number().positive().max(1200).nullish().describe('lowest tyre pressure'),
  ambient_c: z.number().min(-90).max(70).nullish().describe('outside temperature'),
  abs_active: z.boolean().nullish().describe('ABS cycles now or did in the last 30 s'),
  ax_mps2: z.number().min(-30).max(30).nullish().describe('longitudinal acceleration while it did'),
  stability_active: z.boolean().nullish().describe('ESC or traction control regulates now'),
  wheel_slip: z.boolean().nullish().describe('wheels slip without braking or accelerating'),
  utilisation_ratio: z.number().min(0).max(3).nullish().describe('√(ax² + ay²)/g driven without slip'),
  limit_mps: z.number().positive().max(100).nullish().describe('limit to which speed_factor refers'),
  with_gap: z.boolean().optional().describe('also the gap to keep at v_mps'),
});

export type WeatherAssessArgs = z.output<typeof weatherAssessArgs>;

const ratio = z.number().min(0).max(1);

export const weatherAnswer = z.strictObject({
  mu_est: ratio.describe('grip that is likely'),
  mu_lo: ratio.describe('grip that is hardly ever undercut; never above mu_est'),
  risk_level: z.enum(gripRiskLevels).describe('by mu_lo: from 0.6 low, from 0.4 moderate, from 0.2 high'),
  wetness: ratio,
  surface: z.enum(roadSurfaces),
  v_hydroplane_mps: z.number().positive().describe('speed from which a tyre may float'),
  speed_factor: ratio
    .nullable()
    .describe('share of limit_mps that keeps the dry stopping distance; null without limit_mps'),
  confidence: ratio,
  reasons: z.array(z.enum(gripReasons)),
  low_friction: z.boolean().optional().describe('the car itself shows slip; only where it was asked about'),
  gap_m: z.number().positive().nullable().optional().describe('to a vehicle that stops at once'),
  headway_s: z.number().positive().nullable().optional().describe('max(2 s, gap_m / v_mps)'),
  outside: outsideReport.optional(),
});
