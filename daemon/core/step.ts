/**
 * One tick: inputs and state in, outputs and the next state out. Pure; every stage is a module of its own and
 * this file only puts them in order:
 *
 * world → answers → grip, health → law → safety → events → router → mode → arbiter → speech → record.
 *
 * Law, grip and health are fused before the safety quantities, and those come before the events, so that every
 * detector sees this tick. The mode comes before the arbiter: it governs ACT on the tick on which it falls.
 */
import { arbitrate } from './arbiter/arbiter.js';
import { learn } from './arbiter/learn.js';
import { safetyInputsBody } from './audit/audit-body.js';
import { recordTick } from './audit/record-tick.js';
import { detectEvents } from './events/detect.js';
import { scoreAll } from './events/score-all.js';
import { knownLimitMps } from './fuse/law.js';
import { perceive } from './fuse/perceive.js';
import { modeEvidence } from './modes/mode-evidence.js';
import { advanceMode } from './modes/mode-machine.js';
import { confirmTicks, type Params } from './params.js';
import { applyPreferences } from './preferences.js';
import { routeTick } from './router/route-tick.js';
import { flushRules } from './router/router-state.js';
import { takeAnswers } from './router/take-answers.js';
import { followMonitor } from './safety/rss-response.js';
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
  const { tick, tUs, commands } = inputs;
  const settings = applyPreferences(state.settings, commands);
  const notes = createTickNotes();

  const samples = orderedSamples(inputs.signals, tUs, notes);
  const limitSoFar = knownLimitMps(state.law, state.world.jurisdiction.committed);
  const { world, queries } = ingest(state.world, inputs, samples, limitSoFar, settings, params, notes);
  const view = viewWorld(world, tUs, settings, notes);
  const hasCrossed = world.jurisdiction.committed !== state.world.jurisdiction.committed;
  const known = hasCrossed ? flushRules(state.router) : state.router;
  const { router, taken } = takeAnswers(known, inputs, settings, params, notes);
  const perceived = perceive(state, { inputs, samples, queries, world, view, router }, params);
  const { situation, memories } = perceived;
  const { safety } = situation;
  const monitored = followMonitor(state.monitor, safety, tUs);

  const detections = scoreAll(situation, params);
  const events = detectEvents(state.events, detections, tUs, params);
  const routed = routeTick(router, inputs, perceived, detections, events, params, notes);
  const mode = advanceMode(state.modes, inputs, modeEvidence(situation, router, settings, params), params);

  const needed = confirmTicks(settings.periodUs, params);
  const isCancelled = commands.some((command) => command.kind === 'cancel');
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
  const speech = {
    mode: mode.state.mode,
    modeBefore: state.modes.mode,
    language: settings.language,
    verbosity: settings.verbosity ?? 'normal',
    fired: events.fired,
    active: events.active,
    isActing,
    periodUs: settings.periodUs,
    commands,
  };
  const spoken = speak(state.speech, situation, speech, params, notes);
  const { utterance } = spoken;
  const hasUrgentAdvice = utterance?.urgent === true;
  const learned = learn(state, { safety, view, arbitration, inputs, samples, hasUrgentAdvice }, params);
  const decision: Decision =
    isActing || utterance !== null ? arbitration.decision : { ...arbitration.decision, kind: 'none' };
  const record = recordTick(
    state.record,
    {
      inputs,
      settings,
      situation,
      safetyInputs: safetyInputsBody(perceived.physics, perceived.candidates, safety),
      decision,
      arbitration,
      rssResponse: monitored.response,
      mode: mode.state.mode,
      modeChange: mode.change,
      fired: events.fired,
      requests: routed.requests,
      taken,
      reused: routed.reused,
      utterance,
      suppressed: spoken.suppressed,
      feedback: learned.applied,
      given: learned.given,
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
      ...memories,
      events: events.memories,
      arbiter: arbitration.state,
      adaptation: learned.adaptation,
      monitor: monitored.memory,
      feedback: learned.feedback,
      buttons: learned.buttons,
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
      utterance,
      safety: safety.record,
      audit: record.entries,
      counts: notes.counts,
    },
  };
}
