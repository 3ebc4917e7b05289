import { z } from 'zod';
import { createParams, type PresetName, presetNames } from '../../../daemon/core/params.js';
import { createInitialState, type StepResult, step } from '../../../daemon/core/step.js';
import type { TickInputs, ToolAnswer, ToolRequest } from '../../../daemon/core/tick.js';
import { asOfField } from '../../shared/as-of.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import type { AskExpert } from '../daemon-view.js';
import { factsOf, signalsOf, worldStateInput } from '../world-state-input.js';
import { decidedFields, decidedOf } from './record-fields.js';

const vehicles = ['car', 'car_trailer', 'car_ev', 'motorhome', 'hgv', 'coach'] as const;

/** @param ask how the core's questions to the experts are answered */
export function adviseTool(ask: AskExpert): ExpertTool {
  return expertTool({
    name: 'drivemcp_advise',
    title: 'One tick on a given world',
    description:
      'Runs one tick of the decision core on a world state that the caller supplies, with the experts asked and answered, and tells what would be said and why. Nothing is carried out and ACT is never authorised: it only says what blocks it. A what-if on supplied numbers. Research software, not a safety mechanism.',
    input: z.strictObject({
      world_state: worldStateInput,
      preset: z.enum(presetNames).default('default').describe('parameter set'),
      language: z.enum(['en', 'de', 'fr']).default('en').describe('of what would be said'),
      vehicle: z.enum(vehicles).default('car'),
      as_of: asOfField.optional(),
    }),
    output: z.strictObject({
      preset: z.enum(presetNames),
      ...decidedFields,
      to_be_said: z
        .array(z.string())
        .describe(
          'events that a later tick would tell: an overspeed after its grace of 2 s, others after a pause',
        ),
    }),
    async run({ world_state: world, preset, language, vehicle, as_of }, { signal, nowWallMs }) {
      const start = createInitialState(createParams(preset), {
        language,
        vehicleClass: vehicle,
        startJurisdiction: world.jurisdiction ?? null,
      });
      const inputs: TickInputs = {
        tick: 0,
        tUs: 0,
        wallMs: as_of === undefined ? nowWallMs : Date.parse(`${as_of}T12:00:00Z`),
        lateUs: 0,
        missedTicks: 0,
        signals: signalsOf(world),
        facts: factsOf(world),
        answers: [],
        sources: [],
        store: { healthy: true, durableTick: -1, lagUs: 0 },
        commands: [],
        actAuthorised: false,
      };
      const { state, outputs } = await decide(start, inputs, preset, ask, signal);
      const record = outputs.audit.find(({ kind }) => kind !== 'mode' && kind !== 'source')?.body ?? {};
      return { preset, ...decidedOf(record), to_be_said: state.speech.pending.map(({ kind }) => kind) };
    },
  });
}

/** A question may follow from an answer (the advised speed from the limit), not more than that. */
const roundsMaxCount = 3;

/**
 * The core asks in one tick and hears in a later one. Here the questions are found out by rehearsals; the tick that counts
 * begins from the same start, remembers the answers to what was asked, and has the last ones among its inputs.
 */
async function decide(
  start: ReturnType<typeof createInitialState>,
  inputs: TickInputs,
  preset: PresetName,
  ask: AskExpert,
  signal: AbortSignal,
): Promise<StepResult> {
  const params = createParams(preset);
  let result = step(start, inputs, params);
  for (let round = 1; round <= roundsMaxCount && result.outputs.requests.length > 0; round++) {
    const answers = await Promise.all(
      result.outputs.requests.map((request) => answerOf(request, ask, signal)),
    );
    result = step({ ...start, router: result.state.router }, { ...inputs, answers }, params);
  }
  return result;
}

async function answerOf(request: ToolRequest, ask: AskExpert, signal: AbortSignal): Promise<ToolAnswer> {
  const { id, tool } = request;
  try {
    const payload = await ask(request, signal);
    return { requestId: id, tool, status: 'ok', latencyUs: 0, payload };
  } catch (error) {
    signal.throwIfAborted();
    return {
      requestId: id,
      tool,
      status: 'error',
      latencyUs: 0,
      payload: null,
      error: error instanceof Error ? error.message : String(error),
    };
  }
}
