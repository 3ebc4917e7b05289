/** When a tick leaves an audit entry, and of which kind. */
import type { Params } from '../params.js';
import type { AuditEntry, Decision, SourceState } from '../tick.js';
import { compareStrings, type TickNotes } from '../tick-notes.js';
import { modeBody, type RecordedTick, recordedCommands, sourceBody, tickBody } from './audit-body.js';

export interface RecordState {
  readonly lastEntryUs: number | null;
  readonly lastKind: Decision['kind'];
  readonly lastBlockedBy: string;
  /** wall clock minus monotonic clock, ms; a jump of it is a step of the wall clock */
  readonly wallOffsetMs: number | null;
  /** source → its last state other than fresh; one that is not here was fresh */
  readonly troubled: { readonly [source: string]: string };
}

export const initialRecord: RecordState = {
  lastEntryUs: null,
  lastKind: 'none',
  lastBlockedBy: '',
  wallOffsetMs: null,
  troubled: {},
};

/** A larger jump of the wall clock against the monotonic one is a step, not drift. */
const clockStepMs = 50;
/**
 * 2000-01-01T00:00:00Z. Recordings may be old; what is meant is a board without a battery for its clock, which starts
 * at 1970.
 */
const earliestPlausibleMs = 946_684_800_000;

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
  // Rules are in force by date: a clock that was never set gives the wrong ones.
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
    recorded.given.length > 0 ||
    inputs.commands.some(({ kind }) => recordedCommands.has(kind)) ||
    hasStepped;
  const isDue = state.lastEntryUs === null || tUs - state.lastEntryUs >= params.modes.heartbeatUs;
  const entries: AuditEntry[] = [];
  const troubled = troubledSources(inputs.sources);
  for (const name of changedNames(state.troubled, troubled)) {
    const change = { name, from: state.troubled[name] ?? 'fresh', to: troubled[name] ?? 'fresh' };
    entries.push({ kind: 'source', commit: 'group', body: sourceBody(recorded, change, params) });
  }
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
      troubled,
    },
    entries,
  };
}

function troubledSources(sources: readonly SourceState[]): { [source: string]: string } {
  const troubled: { [source: string]: string } = {};
  for (const { kind, name, state, detail } of sources) {
    if (state !== 'fresh') troubled[`${kind}:${name}`] = detail ?? state;
  }
  return troubled;
}

function changedNames(before: RecordState['troubled'], after: RecordState['troubled']): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort(compareStrings);
}
