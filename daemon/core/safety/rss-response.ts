/**
 * Blame time of RSS: a situation is dangerous while longitudinal and lateral distances are both too small; how
 * to respond depends on which of the two was violated last, for that one made the situation dangerous.
 */
import type { SafetyAssessment } from './assessment.js';
import type { RuleVerdict } from './evaluator.js';
import type { UsableLead } from './safety-inputs.js';

export interface RssBlame {
  /** since when each distance is too small; null = it is not */
  readonly longitudinalSinceUs: number | null;
  readonly lateralSinceUs: number | null;
}

export type RssResponse = 'none' | 'longitudinal' | 'lateral';

export const noBlame: RssBlame = { longitudinalSinceUs: null, lateralSinceUs: null };

/**
 * Follows one lead from tick to tick. Without lateral data the lateral distance counts as too small all along,
 * so the response is longitudinal. Violated at the same moment: longitudinal, which is braking.
 */
export function followBlame(
  blame: RssBlame,
  verdict: RuleVerdict,
  lead: UsableLead | null,
  tUs: number,
): { readonly blame: RssBlame; readonly response: RssResponse } {
  if (lead === null || verdict.requiredGapM === null) return { blame: noBlame, response: 'none' };
  const isGapShort = !(lead.gapM > verdict.requiredGapM);
  const lateral = lead.lateral;
  const isLateralShort =
    lateral === null || verdict.requiredLateralGapM === null || !(lateral.gapM > verdict.requiredLateralGapM);
  const longitudinalSinceUs = isGapShort ? (blame.longitudinalSinceUs ?? tUs) : null;
  const lateralSinceUs = isLateralShort ? (blame.lateralSinceUs ?? tUs) : null;
  const next: RssBlame = { longitudinalSinceUs, lateralSinceUs };
  if (longitudinalSinceUs === null || lateralSinceUs === null) return { blame: next, response: 'none' };
  return { blame: next, response: lateralSinceUs > longitudinalSinceUs ? 'lateral' : 'longitudinal' };
}

/** What the full-RSS monitor remembers between ticks: the lead it looked at, and since when it is too close. */
export interface MonitorMemory {
  readonly leadId: string | null;
  readonly blame: RssBlame;
}

export const noMonitorMemory: MonitorMemory = { leadId: null, blame: noBlame };

/** The response that full RSS would ask for; null where the run has no such monitor. Another lead starts anew. */
export function followMonitor(
  memory: MonitorMemory,
  { situation, verdicts }: SafetyAssessment,
  tUs: number,
): { readonly memory: MonitorMemory; readonly response: RssResponse | null } {
  const verdict = verdicts.find(({ rule }) => rule === 'full-rss');
  if (verdict === undefined) return { memory, response: null };
  const leadId = situation.lead?.id ?? null;
  const before = leadId === memory.leadId ? memory.blame : noBlame;
  const { blame, response } = followBlame(before, verdict, situation.lead, tUs);
  return { memory: { leadId, blame }, response };
}
