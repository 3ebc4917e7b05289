import type { JsonObject } from '../core/tick.js';
import type { InputKind } from './inputs-seen.js';
import type { LatenessSummary } from './lateness.js';
import type { RunTally } from './run-tally.js';
import type { ToolCounters } from './tool-runner.js';

/** What a run or a replay comes to, under the names that programs read. */
export interface RunSummary {
  readonly run: string;
  readonly source: string;
  readonly simulated: boolean;
  readonly preset: string;
  readonly period_ms: number;
  readonly ticks: number;
  readonly missed_ticks: number;
  readonly drive_s: number;
  readonly wall_s: number;
  readonly late_us: LatenessSummary;
  readonly decisions: { readonly act: number; readonly speak: number; readonly none: number };
  readonly modes: { readonly [mode: string]: number };
  readonly events: { readonly [event: string]: number };
  readonly counts: { readonly [name: string]: number };
  /** kinds of input that never came */
  readonly inputs_missing: readonly InputKind[];
  readonly decision_hash: string;
  /** hash of the last durable audit record, null where there is none */
  readonly audit_head: string | null;
  readonly [more: string]: unknown;
}

/** The part of a summary that the ticks themselves determine. */
export function tallySummary(tally: RunTally) {
  return {
    ticks: tally.ticks,
    missed_ticks: tally.missedTicks,
    drive_s: tally.lastTUs / 1e6,
    decisions: { ...tally.decisions },
    modes: { ...tally.modes },
    events: { ...tally.events },
    counts: { ...tally.counts },
    inputs_missing: tally.inputsSeen.missing,
  };
}

export function toolSummary(counters: Readonly<Record<string, ToolCounters>>): JsonObject {
  return Object.fromEntries(
    Object.entries(counters).map(([tool, c]) => [
      tool,
      {
        requests: c.requests,
        ok: c.ok,
        errors: c.errors,
        timeouts: c.timeouts,
        late: c.late,
        discarded: c.discarded,
        last_discard: c.lastDiscard,
        refused: c.refused,
        cancelled: c.cancelled,
        joined: c.joined,
        breaker_opened: c.breakerOpened,
        latency_us: { ...c.latencyUs },
      },
    ]),
  );
}
