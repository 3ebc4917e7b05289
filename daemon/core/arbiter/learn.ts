import type { Params } from '../params.js';
import type { SafetyAssessment } from '../safety/assessment.js';
import type { SignalSample, TickInputs } from '../tick.js';
import type { WorldView } from '../world/world-view.js';
import { type AdaptationOutcome, type AdaptationState, adapt } from './adaptation.js';
import type { Arbitration } from './arbiter.js';
import { type FeedbackState, watchFeedback } from './feedback.js';
import { type ButtonStates, type GivenFeedback, takeGiven } from './given-feedback.js';

export interface Learned {
  readonly feedback: FeedbackState;
  readonly adaptation: AdaptationState;
  readonly applied: AdaptationOutcome;
  readonly buttons: ButtonStates;
  /** by people, with what became of each */
  readonly given: readonly (GivenFeedback & { readonly outcome: string })[];
}

/** What this tick teaches: said by people or shown by what followed an escalation. Counts from the next tick on. */
export function learn(
  before: {
    readonly feedback: FeedbackState;
    readonly adaptation: AdaptationState;
    readonly buttons: ButtonStates;
  },
  tick: {
    readonly safety: SafetyAssessment;
    readonly view: WorldView;
    readonly arbitration: Arbitration;
    readonly inputs: TickInputs;
    readonly samples: readonly SignalSample[];
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
  const { buttons, given } = takeGiven(before.buttons, tick.samples, commands, tUs);
  const fresh = given.filter(({ isStale }) => !isStale).map(({ kind }) => kind);
  const watched = watchFeedback(before.feedback, evidence, fresh);
  const { state: adaptation, applied } = adapt(before.adaptation, watched.kinds, tUs, params);
  const outcomeOf = ({ isStale }: GivenFeedback): string => {
    if (isStale) return 'none:stale';
    return params.adaptationFrozen ? 'none:frozen' : applied;
  };
  return {
    feedback: watched.state,
    adaptation,
    applied,
    buttons,
    given: given.map((item) => ({ ...item, outcome: outcomeOf(item) })),
  };
}
