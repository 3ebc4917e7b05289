/** Everything the core remembers between ticks, as plain data: it can be stored as JSON and goes on from there. */
import { type AdaptationState, initialAdaptation } from './arbiter/adaptation.js';
import { type ArbiterState, initialArbiterState } from './arbiter/arbiter.js';
import { type FeedbackState, initialFeedback } from './arbiter/feedback.js';
import { type ButtonStates, initialButtons } from './arbiter/given-feedback.js';
import { initialRecord, type RecordState } from './audit/record-tick.js';
import { type EventMemories, initialEvents } from './events/detect.js';
import { type ConditionMemory, initialCondition } from './fuse/condition.js';
import { emptyGripMemory, type GripMemory } from './fuse/grip.js';
import { emptyLawMemory, type LawMemory } from './fuse/law.js';
import { initialModes, type ModeState } from './modes/mode-machine.js';
import type { Params } from './params.js';
import { initialRouter, type RouterState } from './router/router-state.js';
import { type MonitorMemory, noMonitorMemory } from './safety/rss-response.js';
import { defaultSettings, type RunSettings } from './settings.js';
import { type SpeechState, speechMuting } from './speech/speech-state.js';
import { initialWorld, type WorldState } from './world/world-state.js';

export interface CoreState {
  readonly v: 1;
  readonly settings: RunSettings;
  readonly world: WorldState;
  readonly router: RouterState;
  readonly law: LawMemory;
  readonly grip: GripMemory;
  readonly condition: ConditionMemory;
  readonly events: EventMemories;
  readonly arbiter: ArbiterState;
  readonly adaptation: AdaptationState;
  readonly monitor: MonitorMemory;
  readonly feedback: FeedbackState;
  readonly buttons: ButtonStates;
  readonly speech: SpeechState;
  readonly modes: ModeState;
  readonly record: RecordState;
}

/**
 * The state before the first tick.
 * @param adaptation Δ and C_min as an earlier run left them; the parameter set's own by default
 */
export function createInitialState(
  params: Params,
  settings: Partial<RunSettings> = {},
  adaptation: AdaptationState = initialAdaptation(params),
): CoreState {
  const complete: RunSettings = { ...defaultSettings, ...settings };
  return {
    v: 1,
    settings: complete,
    world: initialWorld(complete.startJurisdiction),
    router: initialRouter,
    law: emptyLawMemory,
    grip: emptyGripMemory,
    condition: initialCondition,
    events: initialEvents,
    arbiter: initialArbiterState,
    adaptation,
    monitor: noMonitorMemory,
    feedback: initialFeedback,
    buttons: initialButtons,
    speech: speechMuting(complete.muted ?? []),
    modes: initialModes,
    record: initialRecord,
  };
}
