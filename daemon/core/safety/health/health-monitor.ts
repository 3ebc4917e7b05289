/** Vehicle health over time: takes signal samples and keeps what debouncing needs. */
import type { SignalSample } from '../../tick.js';
import { contextPaths, type HealthContext, healthSignals } from './health-signals.js';
import type { HealthValues } from './indicators.js';
import { observeSignal, type SignalHealth, settleRise } from './signal-debounce.js';

export interface HealthState {
  readonly signals: ReadonlyMap<string, SignalHealth>;
  readonly context: HealthContext;
}

export const initialHealthState: HealthState = {
  signals: new Map(),
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
  let signals: Map<string, SignalHealth> | null = null;
  for (const sample of samples) {
    const signal = healthSignals.get(sample.path);
    if (signal === undefined) continue;
    signals ??= new Map(state.signals);
    const previous = signals.get(sample.path);
    const next = observeSignal(previous, signal, sample.value, sample.observedAtUs, context, values);
    signals.set(sample.path, next);
  }
  for (const [path, known] of signals ?? state.signals) {
    const settled = settleRise(known, tUs, values);
    if (settled === known) continue;
    signals ??= new Map(state.signals);
    signals.set(path, settled);
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
