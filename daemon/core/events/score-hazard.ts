/** Scores of the events about physics: the lead, the grip, the vehicle itself. */

import type { Situation } from '../fuse/situation.js';
import type { Params } from '../params.js';
import { clamp01 } from '../world/check-fact.js';
import type { Detection } from './detect.js';

/** rss_viol · clamp01((4 s − TTC)/2 s); a monitor beside the deciding rule may warn too, it never acts. */
export function scoreHazard(situation: Situation, params: Params): Detection | null {
  const { record, situation: resolved } = situation.safety;
  const isMonitored = situation.safety.verdicts.some((verdict) => verdict.isViolated);
  if ((record.rss_viol !== 1 && !isMonitored) || record.ttc === null) return null;
  const { hazardTtcS, hazardTtcSpanS } = params.events;
  return {
    score: clamp01((hazardTtcS - record.ttc) / hazardTtcSpanS),
    subject: resolved.lead?.id ?? 'lead',
    payload: { lead: resolved.lead?.id ?? null, ttc_s: record.ttc, gap_m: record.d, closing_mps: record.dv },
  };
}

/**
 * clamp01((0.55 − μ_lo)/0.25); 1 while ABS or stability control regulates, or at 3 °C and below on a wet road;
 * at least 0.6 while wheels slip.
 * Without an answer of the expert the core's own estimate counts, but only where it rests on an observation:
 * knowing nothing is no event.
 */
export function scoreLowFriction(situation: Situation, params: Params): Detection | null {
  const { grip, view } = situation;
  const { lowFrictionOnsetRatio, lowFrictionSpanRatio, slipEvidenceRatio, coldC, coldWetnessRatio } =
    params.events;
  const temperature = view.airTemperatureC;
  const isCold = temperature !== null && temperature <= coldC && grip.prior.wetness >= coldWetnessRatio;
  if (view.isAbsActive || view.isStabilityActive) {
    return detection(1, view.isAbsActive ? 'abs' : 'stability', situation);
  }
  if (isCold) return detection(1, 'cold', situation);
  let lo: number | null = grip.lo;
  if (lo === null && grip.hasEvidence) lo = grip.prior.lower;
  const seen = situation.safety.situation.road;
  if (lo === null && seen !== 'unknown') lo = situation.safety.situation.frictionLower;
  const score = lo === null ? 0 : clamp01((lowFrictionOnsetRatio - lo) / lowFrictionSpanRatio);
  if (grip.isSlipping && score < slipEvidenceRatio) return detection(slipEvidenceRatio, 'slip', situation);
  return lo === null ? null : detection(score, 'wet', situation);
}

function detection(score: number, cause: string, situation: Situation): Detection {
  const { safety, grip } = situation;
  return {
    score,
    subject: cause,
    payload: {
      cause,
      mu_lo: grip.lo ?? safety.situation.frictionLower,
      surface: grip.surface,
    },
  };
}

/** clamp01(h/0.3); subject is the worst indicator, so that another fault is another event. */
export function scoreVehicleFault(situation: Situation, params: Params): Detection | null {
  const { condition } = situation;
  if (condition.healthRisk === null) return null;
  const indicator = condition.indicators[0] ?? 'unknown';
  return {
    score: clamp01(condition.healthRisk / params.events.faultFullRatio),
    subject: indicator,
    payload: { indicator, health_risk: condition.healthRisk, coverage: condition.coverage },
  };
}
