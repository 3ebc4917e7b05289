import type { Params } from '../params.js';
import {
  type ActThresholds,
  assessSafety,
  defaultRules,
  type SafetyAssessment,
  type SafetyRules,
} from './assessment.js';
import type { LeadInput, SafetyInputs } from './safety-inputs.js';

/** A road user ahead that may matter. */
export interface LeadCandidate extends LeadInput {
  readonly id: string;
  /** 0…1, how surely it is in our path */
  readonly inPath: number;
  /** confidence of its measurement; the whole decision is at most this sure */
  readonly confidence?: number | null;
}

/**
 * Evaluates every actor in our path and keeps the one with the highest risk; ties go to the smaller TTC, then
 * to the smaller id, so that the order of the list does not matter. Without one: as if nobody were ahead.
 */
export function assessActors(
  inputs: Omit<SafetyInputs, 'lead'>,
  actors: readonly LeadCandidate[],
  thresholds: ActThresholds,
  params: Params,
  rules: SafetyRules = defaultRules,
): SafetyAssessment {
  let best: SafetyAssessment | null = null;
  let bestId = '';
  for (const actor of actors) {
    // An in-path value that is no number counts as in path: doubt must not hide a road user.
    if (actor.inPath < params.risk.inPathRatio) continue;
    const confidence = leastConfidence(inputs.confidence, actor.confidence);
    const assessment = assessSafety(
      { ...inputs, ...(confidence === undefined ? {} : { confidence }), lead: actor },
      thresholds,
      params,
      rules,
    );
    if (best === null || isWorse(assessment, actor.id, best, bestId)) {
      best = assessment;
      bestId = actor.id;
    }
  }
  return best ?? assessSafety({ ...inputs, lead: null }, thresholds, params, rules);
}

function isWorse(a: SafetyAssessment, aId: string, b: SafetyAssessment, bId: string): boolean {
  if (a.record.r !== b.record.r) return a.record.r > b.record.r;
  const aTtc = a.record.ttc ?? Number.POSITIVE_INFINITY;
  const bTtc = b.record.ttc ?? Number.POSITIVE_INFINITY;
  if (aTtc !== bTtc) return aTtc < bTtc;
  return aId < bId;
}

/** NaN and null stay what they are, so that they are flagged where they are resolved. */
function leastConfidence(
  a: number | null | undefined,
  b: number | null | undefined,
): number | null | undefined {
  if (a === undefined) return b;
  if (b === undefined) return a;
  if (a === null || b === null) return null;
  return Math.min(a, b);
}
