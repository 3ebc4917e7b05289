/**
 * Where ACT starts: the score is k·r − N with k = 1 − B_adv and N = C_act + C_err − C_fat, so ACT needs
 * r > r* = (Δ + N)/k, and with an RSS violation TTC < TTC* = τ·(1 − (r* − β − γh)/α).
 */
import type { Params } from '../params.js';

/** Slack of comparisons at the edges: in float64 the lower bound of Δ is 0.12000000000000004. */
export const edgeSlack = 1e-9;

export interface ActLine {
  /** slope of the score in r */
  readonly k: number;
  readonly n: number;
  /** risk above which ACT is possible */
  readonly rStar: number;
  /** largest risk there is: α + β + γ */
  readonly rMax: number;
  readonly isReachable: boolean;
}

/** @param marginRatio Δ; the parameter set's own by default */
export function actLine(params: Params, marginRatio: number = params.act.marginRatio): ActLine {
  const { act, risk } = params;
  const k = 1 - act.adviceBenefitRatio;
  const n = act.actCostRatio + act.errorCostRatio - act.fatigueCostRatio;
  const rMax = risk.ttcWeightRatio + risk.rssWeightRatio + risk.healthWeightRatio;
  const rStar = (marginRatio + n) / k;
  return { k, n, rStar, rMax, isReachable: k > 0 && rStar < rMax };
}

/**
 * TTC (s) below which an RSS violation leads to ACT at health risk `h`: null where ACT is impossible,
 * `always` where the violation alone suffices.
 */
export function ttcStar(params: Params, marginRatio: number, h: number): number | null | 'always' {
  const { ttcHorizonS, ttcWeightRatio, rssWeightRatio, healthWeightRatio } = params.risk;
  const { rStar } = actLine(params, marginRatio);
  const missing = rStar - rssWeightRatio - healthWeightRatio * h;
  if (missing >= ttcWeightRatio - edgeSlack) return null;
  if (missing < -edgeSlack) return 'always';
  return ttcHorizonS * (1 - missing / ttcWeightRatio);
}

/**
 * Range of Δ in which following at TTC ≥ τ can never act, whatever the health (from `min`), and a sound car
 * can still act (below `max`).
 */
export function marginRange(params: Params): { readonly min: number; readonly max: number } {
  const { ttcWeightRatio, rssWeightRatio, healthWeightRatio } = params.risk;
  const { k, n } = actLine(params);
  return {
    min: k * (rssWeightRatio + healthWeightRatio) - n,
    max: k * (ttcWeightRatio + rssWeightRatio) - n,
  };
}
