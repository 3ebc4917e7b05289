/** When a tick leaves an audit entry, and of which kind. */
import type { Params } from '../params.js';
import type { AuditEntry, Decision } from '../tick.js';
import type { TickNotes } from '../tick-notes.js';
import { modeBody, type RecordedTick, tickBody } from './audit-body.js';

export interface RecordState {
  readonly lastEntryUs: number | null;
  readonly lastKind: Decision['kind'];
  readonly lastBlockedBy: string;
  /** wall clock minus monotonic clock, ms; a jump of it is a step of the wall clock */
  readonly wallOffsetMs: number | null;
}

export const initialRecord: RecordState = {
  lastEntryUs: null,
  lastKind: 'none',
  lastBlockedBy: '',
  wallOffsetMs: null,
};

/** A larger jump of the wall clock against the monotonic one is a step, not drift. */
const clockStepMs = 50;
/** 2026-01-01T00:00:00Z */
const earliestPlausibleMs = 1_767_225_600_000;

export function recordTick(
  state: RecordState,
  recorded: RecordedTick,
  params: Params,
  notes: TickNotes,
): { readonly state: RecordState; readonly entries: readonly AuditEntry[] } {
  const { inputs, decision, arbitration, modeChange } = recorded;
  const { tUs } = inputs;
  const wallOffsetMs = inputs.wallMs - tUs / 1000;
  const hasStepped =
    state.wallOffsetMs !== null && !(Math.abs(wallOffsetMs - state.wallOffsetMs) <= clockStepMs);
  if (hasStepped) notes.flags.add('clock_step');
  // Rules are in force by date: a clock that stands before this program was written gives the wrong ones.
  if (!(inputs.wallMs >= earliestPlausibleMs)) notes.flags.add('clock:implausible');
  const blockedBy = decision.blockedBy.join(' ');
  // Guards that come and go are ordinary; what an ACT that was due was blocked by is not.
  const isNearAct = decision.confirm > 0 || decision.kind === 'act';
  const isDecision =
    recorded.fired.length > 0 ||
    recorded.utterance !== null ||
    recorded.suppressed.length > 0 ||
    decision.kind !== state.lastKind ||
    (isNearAct && blockedBy !== state.lastBlockedBy) ||
    arbitration.isActStart ||
    arbitration.ended !== null ||
    recorded.requests.length > 0 ||
    recorded.taken.length > 0 ||
    recorded.feedback !== 'none' ||
    hasStepped;
  const isDue = state.lastEntryUs === null || tUs - state.lastEntryUs >= params.modes.heartbeatUs;
  const entries: AuditEntry[] = [];
  if (modeChange !== null) {
    entries.push({ kind: 'mode', commit: 'group', body: modeBody(recorded, modeChange, params, notes) });
  }
  if (isDecision || isDue) {
    const kind = arbitration.isActStart ? 'act' : isDecision ? 'decision' : 'heartbeat';
    const commit = arbitration.isActStart ? 'now' : 'group';
    entries.push({ kind, commit, body: tickBody(recorded, params, notes) });
  }
  return {
    state: {
      lastEntryUs: isDecision || isDue ? tUs : state.lastEntryUs,
      lastKind: decision.kind,
      lastBlockedBy: blockedBy,
      wallOffsetMs,
    },
    entries,
  };
}
