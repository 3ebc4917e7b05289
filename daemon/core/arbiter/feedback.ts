/**
 * Feedback that needs nobody to press a button: a first escalation that came too late, or one that the driver
 * cancelled at once though nothing was near.
 */

import type { FeedbackKind } from './adaptation.js';

export interface FeedbackState {
  /** the escalation being watched */
  readonly watched: {
    readonly sinceUs: number;
    readonly ttcS: number;
    readonly leastTtcS: number;
  } | null;
}

export const initialFeedback: FeedbackState = { watched: null };

export interface FeedbackEvidence {
  readonly tUs: number;
  /** an ACT begins, or, where none may, an urgent advice is given */
  readonly isEscalation: boolean;
  readonly ttcS: number | null;
  readonly accelerationMps2: number | null;
  /** the driver took over or cancelled on this tick */
  readonly isCancelled: boolean;
}

/** A first escalation below this TTC with a hard brake after it came too late. */
const lateTtcS = 1.0;
const hardBrakeMps2 = -4;
/** The brake must follow within this time to belong to the escalation. */
const brakeFollowsUs = 2_000_000;
/** Cancelled within this time, and nothing ever nearer than the TTC horizon: it was not needed. */
const cancelledWithinUs = 1_000_000;
const neverNearTtcS = 2.5;

export function watchFeedback(
  state: FeedbackState,
  evidence: FeedbackEvidence,
  given: readonly FeedbackKind[],
): { readonly state: FeedbackState; readonly kinds: readonly FeedbackKind[] } {
  const kinds: FeedbackKind[] = [];
  for (const kind of given) if (!kinds.includes(kind)) kinds.push(kind);
  const { tUs, ttcS } = evidence;
  let watched = state.watched;
  if (watched === null && evidence.isEscalation && ttcS !== null)
    watched = { sinceUs: tUs, ttcS, leastTtcS: ttcS };
  else if (watched !== null) {
    if (ttcS !== null && ttcS < watched.leastTtcS) watched = { ...watched, leastTtcS: ttcS };
    const elapsedUs = tUs - watched.sinceUs;
    const isHardBrake = evidence.accelerationMps2 !== null && evidence.accelerationMps2 <= hardBrakeMps2;
    if (isHardBrake && watched.ttcS < lateTtcS) {
      if (!kinds.includes('late_warning')) kinds.push('late_warning');
      watched = null;
    } else if (evidence.isCancelled && elapsedUs <= cancelledWithinUs && watched.leastTtcS >= neverNearTtcS) {
      if (!kinds.includes('false_positive')) kinds.push('false_positive');
      watched = null;
    } else if (elapsedUs > brakeFollowsUs) watched = null;
  }
  return { state: watched === state.watched ? state : { watched }, kinds };
}
