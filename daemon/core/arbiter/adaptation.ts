/** Feedback moves Δ and C_min in small bounded steps, at most one of a kind a minute. */
import type { Params } from '../params.js';
import { type ActThresholds, startThresholds } from '../safety/assessment.js';
import { clamp } from '../safety/braking-envelope.js';

export const feedbackKinds = ['late_warning', 'false_positive'] as const;
export type FeedbackKind = (typeof feedbackKinds)[number];

/** What became of a tick's feedback; a step at the bound counts as applied. */
export type AdaptationOutcome = FeedbackKind | 'none' | 'none:rate' | 'none:conflict';

export interface AdaptationState extends ActThresholds {
  /** monotonic time of the last applied step of each kind; null = none yet */
  readonly lastUs: Readonly<Record<FeedbackKind, number | null>>;
}

export function initialAdaptation(params: Params): AdaptationState {
  return { ...startThresholds(params), lastUs: { late_warning: null, false_positive: null } };
}

/**
 * Applies the feedback of one tick. `late_warning`: escalate earlier and on less confidence;
 * `false_positive`: the reverse; both at once contradict each other and change nothing.
 */
export function adapt(
  state: AdaptationState,
  feedback: readonly FeedbackKind[],
  tUs: number,
  params: Params,
): { readonly state: AdaptationState; readonly applied: AdaptationOutcome } {
  const isLate = feedback.includes('late_warning');
  const isFalse = feedback.includes('false_positive');
  if ((!isLate && !isFalse) || params.adaptationFrozen) return { state, applied: 'none' };
  if (isLate && isFalse) return { state, applied: 'none:conflict' };
  const kind: FeedbackKind = isLate ? 'late_warning' : 'false_positive';
  const bounds = params.adaptation;
  const last = state.lastUs[kind];
  if (last !== null && tUs - last < bounds.intervalUs) return { state, applied: 'none:rate' };
  const direction = isLate ? -1 : 1;
  const margin = state.marginRatio + direction * bounds.marginStepRatio;
  const confidence = state.confidenceMinRatio + direction * bounds.confidenceStepRatio;
  return {
    state: {
      marginRatio: round10(clamp(margin, bounds.marginMinRatio, bounds.marginMaxRatio)),
      confidenceMinRatio: round10(clamp(confidence, bounds.confidenceMinRatio, bounds.confidenceMaxRatio)),
      lastUs: { ...state.lastUs, [kind]: tUs },
    },
    applied: kind,
  };
}

/** Ten decimals: 0.2 − 0.01 is 0.19 and stays so over any number of steps. */
export function round10(value: number): number {
  return Math.round(value * 1e10) / 1e10;
}
