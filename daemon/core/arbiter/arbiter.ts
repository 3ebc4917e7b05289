/**
 * SPEAK or ACT: confirmation, bounded intervention, hold, release, cooldown, and the rule that nothing acts
 * without a durable record.
 *
 * ACT in two steps. On the tick on which its condition is confirmed the decision is `act` and its audit entry
 * asks to be made durable now; the gate in front of the sinks passes it on only after the store has
 * acknowledged that tick. If the store has not done so by the next tick, the decision is withdrawn here.
 */
import type { Mode } from '../modes/mode-types.js';
import type { Params } from '../params.js';
import type { SafetyAssessment } from '../safety/assessment.js';
import type { ActIntent, Decision, StoreState } from '../tick.js';
import { actBlockers, type Blocker, type DaemonBlocker } from './guards.js';
import { intentDecelMps2 } from './intent.js';

/** An intervention in force. */
export interface RunningAct {
  readonly startTick: number;
  readonly startUs: number;
  /** true once the store has acknowledged `startTick` */
  readonly isDurable: boolean;
  readonly decelMps2: number;
}

export interface ArbiterState {
  /** consecutive ticks on which the ACT condition held */
  readonly confirm: number;
  readonly running: RunningAct | null;
  readonly cooldownUntilUs: number;
  /** no new ACT before the store has acknowledged this tick (set by a withdrawal); −1 = none */
  readonly owedTick: number;
}

export const initialArbiterState: ArbiterState = {
  confirm: 0,
  running: null,
  cooldownUntilUs: 0,
  owedTick: -1,
};

export interface ArbiterContext {
  readonly tick: number;
  readonly tUs: number;
  /** of this tick */
  readonly mode: Mode;
  readonly store: StoreState;
  readonly actAuthorised: boolean;
  /** the driver brakes, steers or accelerates beyond the threshold, or cancels */
  readonly driverOverride: boolean;
  /** `confirmTicks(periodUs, params)` */
  readonly confirmTicks: number;
}

export type ActEnd = 'released' | 'expired' | 'driver' | 'mode' | 'not_authorised' | 'withdrawn';

export interface Arbitration {
  readonly state: ArbiterState;
  /** `act` or `speak`; whether there is anything to say is not decided here */
  readonly decision: Decision;
  /** this tick starts an intervention: its audit entry must be committed now */
  readonly isActStart: boolean;
  /** why an intervention ended on this tick */
  readonly ended: ActEnd | null;
}

export function arbitrate(
  state: ArbiterState,
  safety: SafetyAssessment,
  context: ArbiterContext,
  params: Params,
): Arbitration {
  const blockers = actBlockers(safety, params);
  const confirm = blockers.length === 0 ? state.confirm + 1 : 0;
  if (state.running !== null)
    return continueAct({ ...state, confirm }, state.running, blockers, safety, context, params);
  const blocker = blockers.length === 0 ? daemonBlocker(state, confirm, context) : null;
  if (blockers.length > 0 || blocker !== null) {
    return speak({ ...state, confirm }, blocker === null ? blockers : [...blockers, blocker]);
  }
  const running: RunningAct = {
    startTick: context.tick,
    startUs: context.tUs,
    isDurable: false,
    decelMps2: intentDecelMps2(safety, params) ?? 0,
  };
  return act({ ...state, confirm, running }, running, false, true, params);
}

function daemonBlocker(state: ArbiterState, confirm: number, context: ArbiterContext): DaemonBlocker | null {
  if (confirm < context.confirmTicks) return 'unconfirmed';
  // A driver who is already acting has the car; that rests ACT as a cancelled one does.
  if (context.tUs < state.cooldownUntilUs || context.driverOverride) return 'cooldown';
  if (context.mode !== 'NORMAL') return 'mode';
  if (!context.store.healthy || context.store.durableTick < state.owedTick) return 'no_durable_record';
  if (!context.actAuthorised) return 'not_authorised';
  return null;
}

function continueAct(
  state: ArbiterState,
  running: RunningAct,
  blockers: readonly Blocker[],
  safety: SafetyAssessment,
  context: ArbiterContext,
  params: Params,
): Arbitration {
  const isDurable =
    running.isDurable || (context.store.healthy && context.store.durableTick >= running.startTick);
  const waited = context.tick - running.startTick;
  if (!isDurable && (waited >= params.act.durableTicksMaxCount || !context.store.healthy)) {
    // Nothing has gone out, so there is nothing to rest from: the next durable record may act.
    const withdrawn = { ...state, running: null, owedTick: running.startTick };
    return speak(withdrawn, [...blockers, 'no_durable_record'], 'withdrawn');
  }
  const ended = actEnd(running, blockers, safety, context, params);
  if (ended !== null) {
    const word: DaemonBlocker = ended === 'mode' || ended === 'not_authorised' ? ended : 'cooldown';
    const rested = { ...state, running: null, cooldownUntilUs: context.tUs + params.act.cooldownUs };
    return speak(rested, [...blockers, word], ended);
  }
  const isHeld = blockers.length > 0;
  const decelMps2 = isHeld ? running.decelMps2 : (intentDecelMps2(safety, params) ?? running.decelMps2);
  const next = { ...running, isDurable, decelMps2 };
  return act({ ...state, running: next }, next, isHeld, false, params);
}

/** Why a durable intervention ends now, or null. Driver, mode and authorisation end it even within the hold. */
function actEnd(
  running: RunningAct,
  blockers: readonly Blocker[],
  safety: SafetyAssessment,
  context: ArbiterContext,
  params: Params,
): ActEnd | null {
  const { durationMaxUs, holdMinUs, releaseSlackRatio, releaseTtcS } = params.act;
  if (context.driverOverride) return 'driver';
  if (context.mode !== 'NORMAL') return 'mode';
  if (!context.actAuthorised) return 'not_authorised';
  const elapsedUs = context.tUs - running.startUs;
  if (elapsedUs >= durationMaxUs) return 'expired';
  if (elapsedUs < holdMinUs) return null;
  const { score, delta, ttc } = safety.record;
  const isCalm = score < delta - releaseSlackRatio || ttc === null || ttc > releaseTtcS;
  // After the hold only the margin and the violation may flicker: a failed guard means acting blindly.
  const hasFailedGuard = blockers.some((word) => word !== 'margin' && word !== 'no_rss_violation');
  return isCalm || hasFailedGuard ? 'released' : null;
}

function speak(state: ArbiterState, blockedBy: readonly Blocker[], ended: ActEnd | null = null): Arbitration {
  const decision: Decision = { kind: 'speak', blockedBy, confirm: state.confirm, held: false, intent: null };
  return { state, decision, isActStart: false, ended };
}

function act(
  state: ArbiterState,
  running: RunningAct,
  held: boolean,
  isActStart: boolean,
  params: Params,
): Arbitration {
  const intent: ActIntent = {
    kind: 'brake_assist',
    decelMps2: running.decelMps2,
    maxMs: params.act.durationMaxUs / 1000,
    expiresAtUs: running.startUs + params.act.durationMaxUs,
  };
  const decision: Decision = { kind: 'act', blockedBy: [], confirm: state.confirm, held, intent };
  return { state, decision, isActStart, ended: null };
}
