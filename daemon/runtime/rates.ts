/**
 * The rates of the runtime in one table. Rates of decisions (audit heartbeat, polls of the experts, times to
 * live) are parameters of the core: `daemon/core/params`.
 */

/** Tick periods that the core's confirmation rule is defined for: 50, 20 and 10 Hz. */
export const tickPeriodsMs = [20, 50, 100] as const;

export const rates = {
  /** one step of the decision core, unless configured otherwise */
  tick: { periodMs: 50 },
  /** audit records become durable together at the latest this long after the first of them */
  groupCommit: { periodMs: 250 },
  /** the progress line of a terminal is redrawn */
  progress: { periodMs: 200 },
} as const;
