/** What a replay needs, besides the recorded inputs, to begin from the same state. */
import type { AdaptationState } from '../core/arbiter/adaptation.js';
import { DriveMcpError } from '../core/errors.js';
import { validateParams } from '../core/params/validation.js';
import type { Params } from '../core/params.js';
import type { RunSettings } from '../core/settings.js';
import { type CoreState, createInitialState } from '../core/state.js';
import { step } from '../core/step.js';
import type { JsonObject, TickInputs, TickOutputs } from '../core/tick.js';

/** Parameters and settings by value, so that a recording decides alike after the defaults have changed. */
export interface RunContext {
  readonly params: Params;
  readonly settings: RunSettings;
  /** Δ and C_min that an earlier run has learned; missing = the start values of `params` */
  readonly adaptation?: AdaptationState;
}

/** The pure core with its state, from the beginning of a run. */
export class Decider {
  readonly #params: Params;
  #state: CoreState;

  constructor({ params, settings, adaptation }: RunContext) {
    this.#params = params;
    this.#state = createInitialState(params, settings, adaptation);
  }

  /** Δ and C_min as they are now. */
  get adaptation(): AdaptationState {
    return this.#state.adaptation;
  }

  /** Everything the core remembers, as the last tick left it; plain data that no later tick changes. */
  get state(): CoreState {
    return this.#state;
  }

  decide(inputs: TickInputs): TickOutputs {
    const { state, outputs } = step(this.#state, inputs, this.#params);
    this.#state = state;
    return outputs;
  }

  /**
   * The audit body of the next tick in full, also where that tick leaves no record of its own; decides nothing
   * and changes nothing.
   */
  fullRecord(inputs: TickInputs): JsonObject {
    // As if no record had been written yet: the heartbeat is due, and with it the full body.
    const record = { ...this.#state.record, lastEntryUs: null };
    const { outputs } = step({ ...this.#state, record }, inputs, this.#params);
    return outputs.audit.find((entry) => entry.kind !== 'mode')?.body ?? {};
  }
}

/** @throws DriveMcpError RECORDING_INVALID where the head of a recording holds no such context */
export function contextOf(context: Readonly<Record<string, unknown>> | undefined, file: string): RunContext {
  const { params, settings, adaptation } = (context ?? {}) as Partial<RunContext>;
  if (typeof params !== 'object' || typeof settings !== 'object' || params === null || settings === null) {
    throw new DriveMcpError('RECORDING_INVALID', 'its head holds no parameters and settings', {
      location: { file },
    });
  }
  const [problem] = validateParams(params);
  if (problem !== undefined) {
    throw new DriveMcpError('RECORDING_INVALID', `a parameter in its head ${problem.message}`, {
      location: { file, key: problem.key },
    });
  }
  return { params, settings, ...(isAdaptation(adaptation) ? { adaptation } : {}) };
}

function isAdaptation(value: unknown): value is AdaptationState {
  if (typeof value !== 'object' || value === null) return false;
  const { marginRatio, confidenceMinRatio, lastUs } = value as Partial<AdaptationState>;
  return Number.isFinite(marginRatio) && Number.isFinite(confidenceMinRatio) && typeof lastUs === 'object';
}
