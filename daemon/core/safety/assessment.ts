/** The safety quantities of one situation: envelope, TTC, violation, risk r and the two utilities. */
import type { Params } from '../params.js';
import { clamp01, timeToCollisionS } from './braking-envelope.js';
import { brickWallRule } from './brick-wall.js';
import type { RuleVerdict, SafetyEvaluator } from './evaluator.js';
import { type ResolvedInputs, resolveInputs, type SafetyInputs } from './safety-inputs.js';
import type { SafetyRecord } from './safety-record.js';

/** Δ and C_min as adaptation has left them. */
export interface ActThresholds {
  readonly marginRatio: number;
  readonly confidenceMinRatio: number;
}

export interface SafetyAssessment {
  readonly record: SafetyRecord;
  readonly situation: ResolvedInputs;
  /** of the deciding rule first, then of the monitors */
  readonly verdicts: readonly RuleVerdict[];
}

export interface SafetyRules {
  readonly deciding: SafetyEvaluator;
  readonly monitors: readonly SafetyEvaluator[];
}

export const defaultRules: SafetyRules = { deciding: brickWallRule, monitors: [] };

export function startThresholds(params: Params): ActThresholds {
  return { marginRatio: params.act.marginRatio, confidenceMinRatio: params.act.confidenceMinRatio };
}

export function assessSafety(
  inputs: SafetyInputs,
  thresholds: ActThresholds,
  params: Params,
  rules: SafetyRules = defaultRules,
): SafetyAssessment {
  const situation = resolveInputs(inputs, params);
  const verdict = rules.deciding.evaluate(situation, params);
  const { risk, act } = params;
  const { lead, healthRisk } = situation;

  const ttc = lead === null ? null : timeToCollisionS(lead.gapM, lead.closingMps, params);
  const ttcTerm = ttc === null ? 0 : clamp01((risk.ttcHorizonS - ttc) / risk.ttcHorizonS);
  const rssViol = verdict.isViolated ? 1 : 0;
  const r =
    risk.ttcWeightRatio * ttcTerm + risk.rssWeightRatio * rssViol + risk.healthWeightRatio * healthRisk;
  const uAct = r - act.actCostRatio - act.errorCostRatio;
  const uSpeak = act.adviceBenefitRatio * r - act.fatigueCostRatio;

  const record: SafetyRecord = {
    v: situation.speedMps,
    d: lead?.gapM ?? null,
    dv: lead?.closingMps ?? null,
    mu_used: situation.frictionUsed,
    a_brake: situation.frictionUsed * risk.gravityMps2 * situation.brakeEffectiveness,
    dmin: finiteOrNull(verdict.requiredGapM),
    ttc: finiteOrNull(ttc),
    ttc_term: ttcTerm,
    rss_viol: rssViol,
    h_used: healthRisk,
    r,
    u_act: uAct,
    u_speak: uSpeak,
    score: uAct - uSpeak,
    delta: thresholds.marginRatio,
    c_min: thresholds.confidenceMinRatio,
    conf: situation.confidence,
    flags: situation.flags,
  };
  const monitored = rules.monitors.map((monitor) => monitor.evaluate(situation, params));
  return { record, situation, verdicts: [verdict, ...monitored] };
}

/** Speeds and gaps near the end of float64 overflow; records hold null there. */
function finiteOrNull(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
