/** Vehicle health over time: takes signal samples and keeps what debouncing needs. */
import type { SignalSample } from '../../tick.js';
import { contextPaths, type HealthContext, healthSignals } from './health-signals.js';
import type { HealthValues } from './indicators.js';
import { observeSignal, type SignalHealth, settleRise } from './signal-debounce.js';

export interface HealthState {
  /** by VSS path; a plain object, so that a state can be stored as JSON */
  readonly signals: { readonly [path: string]: SignalHealth };
  readonly context: HealthContext;
}

export const initialHealthState: HealthState = {
  signals: {},
  context: { engineRpm: null, speedMps: null },
};

/** Takes the samples of one tick. Signals that say nothing about health are ignored. */
export function advanceHealth(
  state: HealthState,
  samples: readonly SignalSample[],
  tUs: number,
  values: HealthValues,
): HealthState {
  const context = nextContext(state.context, samples);
  let signals: { [path: string]: SignalHealth } | null = null;
  for (const sample of samples) {
    const signal = healthSignals.get(sample.path);
    if (signal === undefined) continue;
    signals ??= { ...state.signals };
    const previous = signals[sample.path];
    signals[sample.path] = observeSignal(
      previous,
      signal,
      sample.value,
      sample.observedAtUs,
      context,
      values,
    );
  }
  const current = signals ?? state.signals;
  for (const path in current) {
    const known = current[path] as SignalHealth;
    const settled = settleRise(known, tUs, values);
    if (settled === known) continue;
    signals ??= { ...state.signals };
    signals[path] = settled;
  }
  if (signals === null && context === state.context) return state;
  return { signals: signals ?? state.signals, context };
}

function nextContext(context: HealthContext, samples: readonly SignalSample[]): HealthContext {
  let next = context;
  for (const { path, value } of samples) {
    if (path === contextPaths.engineRpm && value !== next.engineRpm) next = { ...next, engineRpm: value };
    else if (path === contextPaths.speedMps && value !== next.speedMps) next = { ...next, speedMps: value };
  }
  return next;
}
