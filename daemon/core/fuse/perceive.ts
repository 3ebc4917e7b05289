/**
 * From the world and the experts' answers to an understood situation: grip and health, law, safety quantities,
 * advice. Each uses what the one before it found; nothing is decided here.
 */
import type { Params } from '../params.js';
import { type LawContext, lawContext } from '../router/law-context.js';
import { cachedAnswer, type RouterState } from '../router/router-state.js';
import { signQuestion } from '../router/sign-question.js';
import { assessActors, type LeadCandidate } from '../safety/lead-choice.js';
import type { SafetyInputs } from '../safety/safety-inputs.js';
import { seenForeignSign } from '../signs/seen-foreign-sign.js';
import type { CoreState } from '../state.js';
import type { SignalSample, TickInputs } from '../tick.js';
import type { WorldState } from '../world/world-state.js';
import type { WorldView } from '../world/world-view.js';
import { adviseSpeed } from './advice.js';
import { leadCandidates, safetyInputs, safetyRules } from './assess.js';
import { advanceCondition, type ConditionMemory, fuseCondition, rememberCondition } from './condition.js';
import { fuseGrip, type GripMemory, measureGrip, rememberGrip } from './grip.js';
import { type LawMemory, rememberAnswer, rememberLimit, resolveLaw } from './law.js';
import type { ForeignSignInView, Situation } from './situation.js';

export interface Perceived {
  readonly situation: Situation;
  readonly context: LawContext | null;
  readonly physics: Omit<SafetyInputs, 'lead'>;
  readonly candidates: readonly LeadCandidate[];
  readonly memories: {
    readonly law: LawMemory;
    readonly grip: GripMemory;
    readonly condition: ConditionMemory;
  };
}

/** What arrived with the tick, already taken into the world. */
export interface Arrived {
  readonly inputs: TickInputs;
  readonly samples: readonly SignalSample[];
  readonly queries: readonly string[];
  readonly world: WorldState;
  readonly view: WorldView;
  readonly router: RouterState;
}

export function perceive(state: CoreState, arrived: Arrived, params: Params): Perceived {
  const { inputs, samples, queries, world, view, router } = arrived;
  const { settings } = state;
  const { tick, tUs } = inputs;

  const gripMemory = rememberGrip(measureGrip(state.grip, view, tUs, params), router);
  const grip = fuseGrip(gripMemory, view, tUs, params);
  const observed = advanceCondition(state.condition, samples, inputs.sources, tUs, params);
  const conditionMemory = rememberCondition(observed, router);
  const condition = fuseCondition(conditionMemory, tUs, params);

  const context = lawContext(view, grip.surface, world.posted, settings);
  const cached = context === null ? null : cachedAnswer(router, context.key, tick);
  const answeredLaw = rememberAnswer(state.law, context, cached);
  const law = resolveLaw(view, grip.surface, world.posted, context, answeredLaw, tUs);

  const driverLanguage = settings.language.slice(0, 2);
  const physics = safetyInputs(view, grip, condition);
  const candidates = leadCandidates(view);
  const safety = assessActors(physics, candidates, state.adaptation, params, safetyRules(settings));
  const situation: Situation = {
    tUs,
    before: state.world,
    world,
    view,
    law,
    grip,
    condition,
    safety,
    advice: adviseSpeed(law, safety.record, view.displayUnit, params),
    driverLanguage,
    distanceUnit: settings.displayUnit === 'mph' ? 'yd' : 'm',
    isLawPending: isInFlight(router, context),
    queries,
    foreignSign: foreignSignInView(arrived, driverLanguage),
  };
  const memories = {
    law: rememberLimit(answeredLaw, view.jurisdiction, law),
    grip: gripMemory,
    condition: conditionMemory,
  };
  return { situation, context, physics, candidates, memories };
}

function foreignSignInView(
  { inputs, world, router }: Arrived,
  driverLanguage: string,
): ForeignSignInView | null {
  const seen = seenForeignSign(world, driverLanguage);
  if (seen === null) return null;
  const question = signQuestion(seen, inputs.wallMs);
  const cached = question === null ? null : cachedAnswer(router, question.key, inputs.tick);
  const answer = cached?.answer?.tool === 'sign' ? cached.answer : null;
  return { seen, question, isAnswered: question === null || cached !== null, answer };
}

function isInFlight(router: RouterState, context: LawContext | null): boolean {
  if (context === null) return false;
  return router.inFlight.some((request) => request.key === context.key && !request.isTimedOut);
}
