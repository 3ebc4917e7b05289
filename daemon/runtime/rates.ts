/**
 * Every rate of the daemon in one table: the source of periods, of the age from which something counts as
 * stale, and of log decimation. A component that runs at a rate of its own has a row here.
 */

export interface RateRow {
  readonly periodMs: number;
  /** what happens at this rate */
  readonly what: string;
  /** every n-th occurrence may be logged at debug level */
  readonly logEvery: number;
}

/** Tick periods that the core's confirmation rule is defined for: 50, 20 and 10 Hz. */
export const tickPeriodsMs = [20, 50, 100] as const;
export type TickPeriodMs = (typeof tickPeriodsMs)[number];

export const rates = {
  tick: { periodMs: 50, what: 'one step of the decision core', logEvery: 200 },
  auditHeartbeat: { periodMs: 1000, what: 'audit row where nothing else was worth one', logEvery: 60 },
  groupCommit: { periodMs: 250, what: 'audit rows become durable together', logEvery: 240 },
  healthPoll: { periodMs: 5000, what: 'vehicle health is asked for without an event', logEvery: 12 },
  progress: { periodMs: 200, what: 'the progress line of a terminal is redrawn', logEvery: 0 },
} as const satisfies Record<string, RateRow>;

/** An input counts as stale after this many of its periods without a sign of life. */
export const stalePeriods = 5;

export function staleAfterUs(periodMs: number): number {
  return stalePeriods * periodMs * 1000;
}
