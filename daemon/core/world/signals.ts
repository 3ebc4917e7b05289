import { contextPaths, healthSignals } from '../safety/health/health-signals.js';
import type { SignalSample } from '../tick.js';
import { compareStrings, count, flag, type TickNotes } from '../tick-notes.js';
import { signalSpecByPath } from './signal-paths.js';

/** The last credible value of one signal. */
export interface HeldSignal {
  readonly value: number;
  readonly observedAtUs: number;
  /** samples refused in a row because they changed faster than physics allows */
  readonly refused: number;
}

export type HeldSignals = { readonly [path: string]: HeldSignal };

/** A sample may be stamped this far after the tick (rounding between clocks); more is a broken stamp. */
const futureToleranceUs = 100_000;

/**
 * A step that stays for this many samples is believed: the value before it was the wrong one.
 * A single wild frame never is.
 */
const persistsAfter = 5;

/**
 * Takes the ordered samples of a tick. Of two samples of one signal the newer counts, of equally old ones the smaller
 * value, so that their order in the input changes nothing. Returns the held signals as they were where nothing
 * new came.
 */
export function holdSignals(
  held: HeldSignals,
  samples: readonly SignalSample[],
  tUs: number,
  notes: TickNotes,
): HeldSignals {
  let next: { [path: string]: HeldSignal } | null = null;
  let taken: { [path: string]: SignalSample } | null = null;
  for (const sample of samples) {
    const spec = signalSpecByPath.get(sample.path);
    if (spec === undefined) {
      if (!healthSignals.has(sample.path) && sample.path !== contextPaths.engineRpm) {
        count(notes, 'signal_unread');
      }
      continue;
    }
    if (sample.value === null) {
      flag(notes, `invalid:${spec.path}`);
      continue;
    }
    if (sample.value < spec.min || sample.value > spec.max) {
      flag(notes, `range:${spec.path}`);
      continue;
    }
    const rival = taken?.[spec.path];
    if (rival !== undefined && !isPreferred(sample, rival)) continue;
    taken ??= {};
    taken[spec.path] = sample;
  }
  if (taken === null) return held;
  for (const path in taken) {
    const sample = taken[path] as SignalSample;
    const spec = signalSpecByPath.get(path);
    if (spec === undefined || sample.value === null) continue;
    const before = held[path];
    const observedAtUs = Math.min(sample.observedAtUs, tUs);
    if (before !== undefined && observedAtUs < before.observedAtUs) {
      count(notes, 'signal_out_of_order');
      continue;
    }
    next ??= { ...held };
    if (before !== undefined && isTooFast(sample.value, observedAtUs, before, spec.ttlUs, spec.maxRatePerS)) {
      flag(notes, `implausible:${path}`);
      next[path] = { value: before.value, observedAtUs: before.observedAtUs, refused: before.refused + 1 };
    } else {
      next[path] = { value: sample.value, observedAtUs, refused: 0 };
    }
  }
  return next ?? held;
}

function isPreferred(sample: SignalSample, rival: SignalSample): boolean {
  if (sample.observedAtUs !== rival.observedAtUs) return sample.observedAtUs > rival.observedAtUs;
  return (sample.value as number) < (rival.value as number);
}

/**
 * A change is too fast where it exceeds the rate over the time that passed, with one tick of 50 ms granted for
 * the granularity of the stamps. After a gap longer than the time to live there is nothing to compare with.
 */
function isTooFast(
  value: number,
  observedAtUs: number,
  before: HeldSignal,
  ttlUs: number,
  maxRatePerS: number | undefined,
): boolean {
  if (maxRatePerS === undefined || before.refused >= persistsAfter - 1) return false;
  const elapsedUs = observedAtUs - before.observedAtUs;
  if (elapsedUs > ttlUs) return false;
  return Math.abs(value - before.value) > (maxRatePerS * (elapsedUs + 50_000)) / 1_000_000;
}

/** Value of a signal, or undefined where it is absent or older than its time to live (flagged `stale:<path>`). */
export function freshSignal(
  held: HeldSignals,
  path: string,
  tUs: number,
  notes: TickNotes | null,
): number | undefined {
  const signal = held[path];
  if (signal === undefined) return undefined;
  const spec = signalSpecByPath.get(path);
  if (spec === undefined) return undefined;
  if (tUs - signal.observedAtUs > spec.ttlUs) {
    if (notes !== null) flag(notes, `stale:${path}`);
    return undefined;
  }
  return signal.value;
}

/**
 * Samples with usable times and values in a definite order (path, time, value), so that what is built on them does not
 * depend on the order in which they were delivered.
 */
export function orderedSamples(
  samples: readonly SignalSample[],
  tUs: number,
  notes: TickNotes,
): readonly SignalSample[] {
  let isOrdered = true;
  for (let index = 0; index < samples.length && isOrdered; index++) {
    const sample = samples[index] as SignalSample;
    const before = samples[index - 1];
    isOrdered =
      isUsable(sample, tUs) && (before === undefined || compareStrings(before.path, sample.path) < 0);
  }
  if (isOrdered) return samples;
  const usable: SignalSample[] = [];
  for (const sample of samples) {
    if (!isTimed(sample, tUs)) count(notes, 'signal_untimed');
    else if (isUsable(sample, tUs)) usable.push(sample);
    else {
      flag(notes, `nonfinite:${sample.path}`);
      usable.push({ ...sample, value: null });
    }
  }
  return usable.sort(
    (a, b) =>
      compareStrings(a.path, b.path) ||
      a.observedAtUs - b.observedAtUs ||
      compareStrings(String(a.value), String(b.value)),
  );
}

/** A value that is no number is as good as "not available". */
function isUsable(sample: SignalSample, tUs: number): boolean {
  return isTimed(sample, tUs) && (sample.value === null || Number.isFinite(sample.value));
}

function isTimed(sample: SignalSample, tUs: number): boolean {
  return Number.isFinite(sample.observedAtUs) && sample.observedAtUs <= tUs + futureToleranceUs;
}
