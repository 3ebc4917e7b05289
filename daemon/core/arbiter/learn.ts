import type { Params } from '../params.js';
import type { SafetyAssessment } from '../safety/assessment.js';
import type { TickInputs } from '../tick.js';
import type { WorldView } from '../world/world-view.js';
import { type AdaptationOutcome, type AdaptationState, adapt } from './adaptation.js';
import type { Arbitration } from './arbiter.js';
import { type FeedbackState, watchFeedback } from './feedback.js';

export interface Learned {
  readonly feedback: FeedbackState;
  readonly adaptation: AdaptationState;
  readonly applied: AdaptationOutcome;
}

/** What this tick teaches: said by people or shown by what followed an escalation. Counts from the next tick on. */
export function learn(
  before: { readonly feedback: FeedbackState; readonly adaptation: AdaptationState },
  tick: {
    readonly safety: SafetyAssessment;
    readonly view: WorldView;
    readonly arbitration: Arbitration;
    readonly inputs: TickInputs;
    readonly hasUrgentAdvice: boolean;
  },
  params: Params,
): Learned {
  const { safety, view, arbitration, inputs } = tick;
  const { tUs, commands, actAuthorised } = inputs;
  const evidence = {
    tUs,
    isEscalation: arbitration.isActStart || (!actAuthorised && tick.hasUrgentAdvice),
    ttcS: safety.record.ttc,
    accelerationMps2: view.accelerationMps2,
    isCancelled: arbitration.ended === 'driver' || commands.some(({ kind }) => kind === 'cancel'),
  };
  const watched = watchFeedback(before.feedback, evidence, commands);
  const { state: adaptation, applied } = adapt(before.adaptation, watched.kinds, tUs, params);
  return { feedback: watched.state, adaptation, applied };
}
