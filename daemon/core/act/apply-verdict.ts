import type { ActIntent } from '../tick.js';

/** What an external monitor says to an intent. Numbers that are missing leave the intent's own. */
export type MonitorVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'veto' }
  | { readonly kind: 'weaken'; readonly decelMps2?: number; readonly maxMs?: number };

export interface JudgedIntent {
  /** null = vetoed */
  readonly intent: ActIntent | null;
  readonly isWeakened: boolean;
  /** it asked for more than the intent, which it cannot have */
  readonly isStrengthening: boolean;
}

/**
 * The intent after a verdict: the same, less (deceleration, time) or none. A number that is no number, or less than
 * nothing, is a veto: whoever meant to weaken must not end up with all of it.
 */
export function applyVerdict(intent: ActIntent, verdict: MonitorVerdict): JudgedIntent {
  if (verdict.kind === 'pass') return { intent, isWeakened: false, isStrengthening: false };
  const { decelMps2 = intent.decelMps2, maxMs = intent.maxMs } =
    verdict.kind === 'veto' ? { decelMps2: 0 } : verdict;
  if (!(decelMps2 > 0) || !(maxMs > 0)) return { intent: null, isWeakened: true, isStrengthening: false };
  const lessDecelMps2 = Math.min(intent.decelMps2, decelMps2);
  const lessMs = Math.min(intent.maxMs, maxMs);
  const isWeakened = lessDecelMps2 < intent.decelMps2 || lessMs < intent.maxMs;
  return {
    // `expiresAtUs` names the intervention and stays: what is shorter is `maxMs`, counted from its beginning.
    intent: isWeakened ? { ...intent, decelMps2: lessDecelMps2, maxMs: lessMs } : intent,
    isWeakened,
    isStrengthening: decelMps2 > intent.decelMps2 || maxMs > intent.maxMs,
  };
}
