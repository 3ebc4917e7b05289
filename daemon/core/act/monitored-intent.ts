/**
 * What an external monitor leaves of an intent. Its verdicts add up over one intervention, each time the lesser: what was
 * vetoed once stays so, what was weakened is not given back. Whether silence lets an intent through is the mode's.
 */
import type { ActIntent } from '../tick.js';
import { applyVerdict, type MonitorVerdict } from './apply-verdict.js';

/** `optional`: silence is consent. `required`: nothing goes out that a monitor has not let through lately. */
export type MonitorMode = 'optional' | 'required';

export interface MonitorState {
  /** the intervention that the rest is about: interventions differ in when they expire */
  readonly expiresAtUs: number | null;
  /** what the verdicts so far leave of it; null = vetoed */
  readonly left: { readonly decelMps2: number; readonly maxMs: number } | null;
  /** number of the newest message that a verdict came to; null = none has */
  readonly judgedSeq: number | null;
}

export const unjudged: MonitorState = {
  expiresAtUs: null,
  left: { decelMps2: Number.POSITIVE_INFINITY, maxMs: Number.POSITIVE_INFINITY },
  judgedSeq: null,
};

/** 0.15 s at 20 Hz: a monitor that judges every tick is never that far behind. */
export const seqBehindMax = 3;

export interface HeardVerdict {
  readonly state: MonitorState;
  readonly isWeakened: boolean;
  readonly isStrengthening: boolean;
}

/** @param intent the one that the verdict is about, as message `seq` had it */
export function hearVerdict(
  state: MonitorState,
  intent: ActIntent,
  seq: number,
  verdict: MonitorVerdict,
): HeardVerdict {
  const before =
    state.expiresAtUs === intent.expiresAtUs ? state : { ...unjudged, expiresAtUs: intent.expiresAtUs };
  const judged = applyVerdict(intent, verdict);
  const { left } = before;
  const isPassed = !judged.isWeakened;
  const bound =
    left === null || judged.intent === null
      ? null
      : isPassed
        ? left
        : {
            decelMps2: Math.min(left.decelMps2, judged.intent.decelMps2),
            maxMs: Math.min(left.maxMs, judged.intent.maxMs),
          };
  return {
    state: {
      expiresAtUs: before.expiresAtUs,
      left: bound,
      judgedSeq: before.judgedSeq === null ? seq : Math.max(before.judgedSeq, seq),
    },
    isWeakened: judged.isWeakened,
    isStrengthening: judged.isStrengthening,
  };
}

export type MonitorOutcome =
  | 'unmonitored'
  | 'passed'
  | 'weakened'
  | 'vetoed'
  | 'awaited'
  | 'silent'
  | 'absent';

/** @param seq number of the message that this intent went to the monitor with */
export function leaveOf(
  intent: ActIntent,
  seq: number,
  state: MonitorState,
  mode: MonitorMode,
  isConnected: boolean,
): { readonly intent: ActIntent | null; readonly outcome: MonitorOutcome } {
  const isAbout = state.expiresAtUs === intent.expiresAtUs && state.judgedSeq !== null;
  if (isAbout && state.left === null) return { intent: null, outcome: 'vetoed' };
  if (mode === 'required') {
    if (!isConnected) return { intent: null, outcome: 'absent' };
    if (!isAbout) return { intent: null, outcome: 'awaited' };
    if (seq - (state.judgedSeq ?? 0) > seqBehindMax) return { intent: null, outcome: 'silent' };
  }
  if (!isAbout || state.left === null) return { intent, outcome: 'unmonitored' };
  const decelMps2 = Math.min(intent.decelMps2, state.left.decelMps2);
  const maxMs = Math.min(intent.maxMs, state.left.maxMs);
  const isLess = decelMps2 < intent.decelMps2 || maxMs < intent.maxMs;
  return isLess
    ? { intent: { ...intent, decelMps2, maxMs }, outcome: 'weakened' }
    : { intent, outcome: 'passed' };
}
