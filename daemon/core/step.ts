/**
 * One tick: inputs and state in, outputs and the next state out. Pure; every stage is a module of its own and
 * this file only puts them in order:
 *
 * world → answers → grip, health → law → safety → events → router → mode → arbiter → speech → record.
 *
 * Law, grip and health are fused before the safety quantities, and those come before the events, so that every
 * detector sees this tick. The mode comes before the arbiter: it governs ACT on the tick on which it falls.
 */
import { adapt } from './arbiter/adaptation.js';
import { arbitrate } from './arbiter/arbiter.js';
import { recordTick, safetyInputsBody } from './audit-body.js';
import { detectEvents } from './events/detect.js';
import { scoreAll } from './events/score-all.js';
import type { Situation } from './events/situation.js';
import { watchFeedback } from './feedback.js';
import { adviseSpeed } from './fuse/advice.js';
import { advanceCondition, fuseCondition, rememberCondition } from './fuse/condition.js';
import { fuseGrip, measureGrip, rememberGrip } from './fuse/grip.js';
import { rememberAnswer, rememberLimit, resolveLaw } from './fuse/law.js';
import { advanceMode } from './modes/mode-machine.js';
import { confirmTicks, type Params } from './params.js';
import { lawContext } from './router/law-context.js';
import { duePolls } from './router/polls.js';
import { buildQuestions } from './router/questions.js';
import { route } from './router/route.js';
import { routedEvent } from './router/routed-event.js';
import { cachedAnswer } from './router/router-state.js';
import { takeAnswers } from './router/take-answers.js';
import { assessActors } from './safety/lead-choice.js';
import { leadCandidates, safetyInputs, safetyRules } from './safety-seam.js';
import { speak } from './speech/speech.js';
import type { CoreState } from './state.js';
import type { Decision, TickInputs, TickOutputs } from './tick.js';
import { createTickNotes } from './tick-notes.js';
import { ingest } from './world/ingest.js';
import { orderedSamples } from './world/signals.js';
import { viewWorld } from './world/world-view.js';

export { createInitialState } from './state.js';

export interface StepResult {
  readonly state: CoreState;
  readonly outputs: TickOutputs;
}

/** Decides one tick. Never waits, reads no clock, changes nothing it is given. */
export function step(state: CoreState, inputs: TickInputs, params: Params): StepResult {
  const { settings } = state;
  const { tick, tUs } = inputs;
  const notes = createTickNotes();

  const samples = orderedSamples(inputs.signals, tUs, notes);
  const limitSoFar = state.law.lastKnown?.limit.mps ?? null;
  const { world, queries } = ingest(state.world, inputs, samples, limitSoFar, settings, params, notes);
  const view = viewWorld(world, tUs, settings, notes);
  const { router: answered, taken } = takeAnswers(state.router, inputs, settings, params, notes);

  const gripMemory = rememberGrip(measureGrip(state.grip, view, tUs, params), answered);
  const grip = fuseGrip(gripMemory, view, tUs, params);
  const observed = advanceCondition(state.condition, samples, inputs.sources, tUs, params);
  const conditionMemory = rememberCondition(observed, answered);
  const condition = fuseCondition(conditionMemory, tUs, params);

  const context = lawContext(view, grip.surface, world.posted, settings);
  const cached = context === null ? null : cachedAnswer(answered, context.key, tick);
  const answeredLaw = rememberAnswer(state.law, context, cached);
  const law = resolveLaw(view, grip.surface, world.posted, context, answeredLaw, tUs);
  const lawMemory = rememberLimit(answeredLaw, view.jurisdiction, law);

  const physics = safetyInputs(view, grip, condition);
  const candidates = leadCandidates(view);
  const rules = safetyRules(settings);
  const safety = assessActors(physics, candidates, state.adaptation, params, rules);
  const advice = adviseSpeed(law, safety.record, view.displayUnit, params);

  const isAsked =
    context !== null &&
    answered.inFlight.some((request) => request.key === context.key && !request.isTimedOut);
  const situation: Situation = {
    tUs,
    before: state.world,
    world,
    view,
    law,
    grip,
    condition,
    safety,
    advice,
    driverLanguage: settings.language.slice(0, 2),
    isLawPending: isAsked,
    queries,
  };
  const detections = scoreAll(situation, params);
  const events = detectEvents(state.events, detections, tUs, params);
  const questions = buildQuestions(
    context,
    law,
    view,
    grip,
    condition,
    conditionMemory.monitor,
    inputs.wallMs,
  );
  const routed = route(
    answered,
    inputs,
    events.active.map((type) => routedEvent(type, detections[type]?.payload ?? {}, view, params)),
    events.fired.map((event) => routedEvent(event.type, event.payload, view, params)),
    duePolls(answered, gripMemory, tUs, params),
    questions,
    notes,
  );

  const mode = advanceMode(
    state.modes,
    inputs,
    {
      periodUs: settings.periodUs,
      hasSpeed: view.speedMps !== null,
      isLimitUnsure: events.active.includes('uncertain_limit'),
      isPackStale: law.answer?.degraded.includes('expired') ?? false,
      toolFailures: answered.failures,
    },
    params,
  );
  const isCancelled = inputs.commands.some((command) => command.kind === 'cancel');
  const needed = confirmTicks(settings.periodUs, params);
  const arbitration = arbitrate(
    state.arbiter,
    safety,
    {
      tick,
      tUs,
      mode: mode.state.mode,
      store: inputs.store,
      actAuthorised: inputs.actAuthorised,
      driverOverride: view.hasDriverOverride || isCancelled,
      confirmTicks: needed,
    },
    params,
  );
  const isActing = arbitration.decision.kind === 'act';
  const watched = watchFeedback(
    state.feedback,
    {
      tUs,
      isActStart: arbitration.isActStart,
      ttcS: safety.record.ttc,
      accelerationMps2: view.accelerationMps2,
      isCancelled: arbitration.ended === 'driver',
    },
    inputs.commands,
  );
  const adapted = adapt(state.adaptation, watched.kinds, tUs, params);
  const spoken = speak(
    state.speech,
    situation,
    {
      mode: mode.state.mode,
      modeBefore: state.modes.mode,
      language: settings.language,
      fired: events.fired,
      active: events.active,
      isActStart: arbitration.isActStart,
      isActing,
      periodUs: settings.periodUs,
      commands: inputs.commands,
    },
    params,
    notes,
  );
  const decision: Decision =
    isActing || spoken.utterance !== null ? arbitration.decision : { ...arbitration.decision, kind: 'none' };
  const lead = candidates.find((candidate) => candidate.id === safety.situation.lead?.id) ?? null;
  const record = recordTick(
    state.record,
    {
      inputs,
      settings,
      situation,
      safetyInputs: safetyInputsBody(physics, lead),
      decision,
      arbitration,
      mode: mode.state.mode,
      modeChange: mode.change,
      fired: events.fired,
      requests: routed.requests,
      taken,
      reused: routed.reused,
      utterance: spoken.utterance,
      suppressed: spoken.suppressed,
      feedback: adapted.applied,
      confirmTicks: needed,
    },
    params,
    notes,
  );
  return {
    state: {
      v: 1,
      settings,
      world,
      router: routed.router,
      law: lawMemory,
      grip: gripMemory,
      condition: conditionMemory,
      events: events.memories,
      arbiter: arbitration.state,
      adaptation: adapted.state,
      feedback: watched.state,
      speech: spoken.state,
      modes: mode.state,
      record: record.state,
    },
    outputs: {
      tick,
      tUs,
      mode: mode.state.mode,
      requests: routed.requests,
      cancels: routed.cancels,
      events: events.fired,
      decision,
      utterance: spoken.utterance,
      safety: safety.record,
      audit: record.entries,
      counts: notes.counts,
    },
  };
}
