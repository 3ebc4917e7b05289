/**
 * The mode: how much the daemon may do with the inputs it has. It falls at once and rises only after the cause
 * has been gone for a while, so that it does not flutter.
 */
import type { Params } from '../params.js';
import type { SourceState, TickInputs, ToolName } from '../tick.js';
import { compareStrings } from '../tick-notes.js';
import { type Mode, modes } from './mode-types.js';

export interface ModeState {
  readonly mode: Mode;
  /** sorted; what holds the mode down now */
  readonly causes: readonly string[];
  /** since when a better mode would be possible; null = it is not */
  readonly betterSinceUs: number | null;
  readonly consecutiveMissed: number;
  /** times of late ticks within the window, oldest first */
  readonly lateUs: readonly number[];
  readonly limitUnsureSinceUs: number | null;
  readonly lastTick: number | null;
  readonly lastTUs: number | null;
  readonly startedAtUs: number | null;
  readonly hasSeenSpeed: boolean;
}

export const initialModes: ModeState = {
  mode: 'NORMAL',
  causes: [],
  betterSinceUs: null,
  consecutiveMissed: 0,
  lateUs: [],
  limitUnsureSinceUs: null,
  lastTick: null,
  lastTUs: null,
  startedAtUs: null,
  hasSeenSpeed: false,
};

export interface ModeChange {
  readonly from: Mode;
  readonly to: Mode;
  readonly causes: readonly string[];
}

/** What the machine needs beyond the inputs of the tick. */
export interface ModeEvidence {
  readonly periodUs: number;
  readonly hasSpeed: boolean;
  /** the limit in force is a guess */
  readonly isLimitUnsure: boolean;
  readonly isPackStale: boolean;
  readonly toolFailures: { readonly [tool in ToolName]: number };
}

/** Signals may take this long to appear after the start. */
const startGraceUs = 2_000_000;
/** A guess that is settled by the answer under way is no reason to degrade. */
const unsureHoldUs = 1_000_000;
/** As many failures in a row as the pool's breaker takes: the expert is not there. */
const toolFailuresMax = 5;

export function advanceMode(
  state: ModeState,
  inputs: TickInputs,
  evidence: ModeEvidence,
  params: Params,
): { readonly state: ModeState; readonly change: ModeChange | null } {
  const { tUs } = inputs;
  const timing = advanceTiming(state, inputs, evidence.periodUs, params);
  const limitUnsureSinceUs = evidence.isLimitUnsure ? (state.limitUnsureSinceUs ?? tUs) : null;
  const seen: ModeState = {
    ...state,
    ...timing,
    limitUnsureSinceUs,
    startedAtUs: state.startedAtUs ?? tUs,
    hasSeenSpeed: state.hasSeenSpeed || evidence.hasSpeed,
    lastTick: inputs.tick,
    lastTUs: tUs,
  };
  const found = new Map<string, Mode>();
  collectCauses(found, seen, state, inputs, evidence, params);
  let target: Mode = 'NORMAL';
  for (const mode of found.values()) if (modes.indexOf(mode) > modes.indexOf(target)) target = mode;
  const causes = [...found.keys()].sort(compareStrings);

  const current = modes.indexOf(state.mode);
  const wanted = modes.indexOf(target);
  // Nothing leads out of STOPPED but a restart: what broke an invariant cannot judge that it is whole again.
  if (state.mode === 'STOPPED' || wanted === current) {
    return { state: { ...seen, causes, betterSinceUs: null }, change: null };
  }
  if (wanted > current) {
    return {
      state: { ...seen, mode: target, causes, betterSinceUs: null },
      change: { from: state.mode, to: target, causes },
    };
  }
  const betterSinceUs = state.betterSinceUs ?? tUs;
  if (tUs - betterSinceUs < params.modes.recoverUs) {
    return { state: { ...seen, causes, betterSinceUs }, change: null };
  }
  return {
    state: { ...seen, mode: target, causes, betterSinceUs: null },
    change: { from: state.mode, to: target, causes },
  };
}

function collectCauses(
  found: Map<string, Mode>,
  state: ModeState,
  before: ModeState,
  inputs: TickInputs,
  evidence: ModeEvidence,
  params: Params,
): void {
  const { tUs, store } = inputs;
  const isBackwards =
    (before.lastTUs !== null && tUs <= before.lastTUs) ||
    (before.lastTick !== null && inputs.tick <= before.lastTick);
  if (isBackwards || !Number.isFinite(tUs)) found.set('invariant:time', 'STOPPED');
  for (const source of inputs.sources) {
    const mode = modeOfSource(source);
    if (mode !== null) found.set(`${source.kind}:${source.name}:${source.detail ?? source.state}`, mode);
  }
  const isStarting = !state.hasSeenSpeed && tUs - (state.startedAtUs ?? tUs) < startGraceUs;
  if (!evidence.hasSpeed && !isStarting) found.set('signal:Vehicle.Speed', 'MONITOR');
  if (!store.healthy) found.set('store:unhealthy', 'ADVISORY');
  if (store.lagUs > params.modes.auditLagUs) found.set('store:lag', 'ADVISORY');
  if (state.consecutiveMissed >= params.modes.missedTicksCount) found.set('timing:missed', 'ADVISORY');
  const windowTicks = params.modes.lateWindowUs / evidence.periodUs;
  if (state.lateUs.length > params.modes.lateTicksRatio * windowTicks) found.set('timing:late', 'ADVISORY');
  if (state.limitUnsureSinceUs !== null && tUs - state.limitUnsureSinceUs >= unsureHoldUs) {
    found.set('limit:unsure', 'ADVISORY');
  }
  if (evidence.isPackStale) found.set('rulepack:stale', 'ADVISORY');
  for (const tool of ['rules', 'weather', 'can'] as const) {
    if (evidence.toolFailures[tool] >= toolFailuresMax) found.set(`tool:${tool}:failing`, 'ADVISORY');
  }
}

function modeOfSource(source: SourceState): Mode | null {
  if (source.state === 'fresh') return null;
  switch (source.kind) {
    case 'can':
      return source.required || source.state === 'lost' ? 'MONITOR' : 'ADVISORY';
    case 'perception':
      return source.required ? 'MONITOR' : source.state === 'lost' ? 'ADVISORY' : null;
    case 'tool':
      return source.state === 'lost' ? 'ADVISORY' : null;
    case 'timer':
      return 'ADVISORY';
  }
}

/** Late by more than half a period counts as late; the window holds what is needed to see the share exceeded. */
function advanceTiming(
  state: ModeState,
  inputs: TickInputs,
  periodUs: number,
  params: Params,
): Pick<ModeState, 'consecutiveMissed' | 'lateUs'> {
  const { tUs, lateUs, missedTicks } = inputs;
  const { lateWindowUs, lateShareRatio, lateTicksRatio } = params.modes;
  const consecutiveMissed = missedTicks > 0 ? state.consecutiveMissed + missedTicks : 0;
  const isLate = lateUs > lateShareRatio * periodUs;
  const oldest = state.lateUs[0];
  if (!isLate && (oldest === undefined || tUs - oldest < lateWindowUs)) {
    return { consecutiveMissed, lateUs: state.lateUs };
  }
  const kept = state.lateUs.filter((atUs) => tUs - atUs < lateWindowUs);
  if (isLate) kept.push(tUs);
  const enough = Math.floor(lateTicksRatio * (lateWindowUs / periodUs)) + 1;
  return { consecutiveMissed, lateUs: kept.slice(-enough) };
}
