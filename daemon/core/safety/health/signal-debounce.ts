/**
 * One health signal over time: debounced, with hysteresis, and with a short memory when its sensor fails.
 *
 * A worse value must persist for three samples or two seconds before it counts; a flag clears after ten
 * seconds without it, a level at once when it is better by 5 % of its ramp, or after ten seconds.
 */
import type { HealthContext, HealthSignal } from './health-signals.js';
import type { HealthValues } from './indicators.js';

interface Run {
  readonly sinceUs: number;
  readonly count: number;
  /** what the run is sure of: the least it has shown */
  readonly severity: number;
}

export interface SignalHealth {
  /** last plausible value; null = none yet */
  readonly value: number | null;
  /** of the last sample, plausible or not */
  readonly observedAtUs: number;
  /** since when the sensor shows nonsense; null = it does not */
  readonly invalidSinceUs: number | null;
  /** debounced, 0…1 */
  readonly severity: number;
  readonly rising: Run | null;
  /** since when it has been better; null = it is not */
  readonly betterSinceUs: number | null;
  /** estimate of the cycle time; null = fewer than two samples */
  readonly cycleUs: number | null;
}

/** @param sample null = received, but marked as not available */
export function observeSignal(
  previous: SignalHealth | undefined,
  signal: HealthSignal,
  sample: number | null,
  observedAtUs: number,
  context: HealthContext,
  values: HealthValues,
): SignalHealth {
  const before: SignalHealth = previous ?? {
    value: null,
    observedAtUs,
    invalidSinceUs: null,
    severity: 0,
    rising: null,
    betterSinceUs: null,
    cycleUs: null,
  };
  const cycleUs = nextCycle(before, observedAtUs);
  if (sample === null || !signal.isPlausible(sample)) {
    const invalidSinceUs = before.invalidSinceUs ?? observedAtUs;
    return { ...before, observedAtUs, cycleUs, invalidSinceUs, rising: null, betterSinceUs: null };
  }
  const severity = signal.severity(sample, values, context);
  const seen = { ...before, value: sample, observedAtUs, cycleUs, invalidSinceUs: null };
  if (severity > before.severity) {
    const rising = extend(before.rising, observedAtUs, severity);
    return settleRise({ ...seen, rising, betterSinceUs: null }, observedAtUs, values);
  }
  if (severity < before.severity) {
    const betterSinceUs = before.betterSinceUs ?? observedAtUs;
    const isClear =
      (signal.kind === 'level' && before.severity - severity >= values.hysteresisRatio) ||
      observedAtUs - betterSinceUs >= values.clearUs;
    if (!isClear) return { ...seen, rising: null, betterSinceUs };
    return { ...seen, severity, rising: null, betterSinceUs: null };
  }
  return { ...seen, rising: null, betterSinceUs: null };
}

/** Time alone confirms too: a signal that is only sent on change shows its new value once. */
export function settleRise(state: SignalHealth, tUs: number, values: HealthValues): SignalHealth {
  const { rising } = state;
  if (rising === null) return state;
  const isConfirmed = rising.count >= values.debounceCount || tUs - rising.sinceUs >= values.debounceUs;
  return isConfirmed ? { ...state, severity: rising.severity, rising: null } : state;
}

function extend(run: Run | null, tUs: number, severity: number): Run {
  if (run === null) return { sinceUs: tUs, count: 1, severity };
  return { sinceUs: run.sinceUs, count: run.count + 1, severity: Math.min(run.severity, severity) };
}

/** The longest of recent intervals, forgotten by an eighth each sample, so that one gap does not stay for ever. */
function nextCycle(before: SignalHealth, observedAtUs: number): number | null {
  const interval = observedAtUs - before.observedAtUs;
  if (interval <= 0) return before.cycleUs;
  if (before.cycleUs === null) return interval;
  return Math.max(interval, before.cycleUs - (before.cycleUs - interval) / 8);
}
