/**
 * Ticks over a recorded drive. Logic time is drive time: tick k happens at k periods, whatever the wall clock
 * says, and every wait has its result before the next tick begins:
 *
 * - an expert asked in tick N has answered (or truly run out of time) when tick N + 1 begins;
 * - a record that must be durable is durable, or the store is unhealthy, when tick N + 1 begins.
 *
 * So the same drive gives the same decisions at any speed on any machine. Lateness against the wall clock is
 * measured and reported, but it is not an input: `lateUs` is 0 in every tick of such a run.
 */
import { setImmediate } from 'node:timers/promises';
import type { StoreState, TickOutputs } from '../core/tick.js';
import type { Clock } from '../ports.js';
import { Pace } from './clock.js';
import type { Lateness } from './lateness.js';
import { runTick, type TickParts } from './tick-engine.js';

export interface LockstepOptions {
  readonly clock: Clock;
  readonly speed: number | 'max';
  /** longest wait for a durable record */
  readonly ackDeadlineMs: number;
  readonly lateness: Lateness;
  /**
   * Called once a tick, when it is certain whether the records that had to be durable at once are; null where
   * the tick had none.
   */
  readonly settle: (outputs: TickOutputs, isDurable: boolean | null, nowUs: number) => void;
  readonly signal: AbortSignal;
}

/** At full speed the loop still lets timers, signals and the store's answers in this often. */
const yieldEveryUs = 5_000;

/** Audit records waiting for the disk from which the loop waits for it. */
const queueHighCount = 1024;

/** Runs to the end of the drive or to the abort. */
export async function runLockstep(parts: TickParts, options: LockstepOptions): Promise<void> {
  const { source, tools, journal, tape } = parts;
  const { clock, lateness, signal } = options;
  const pace = new Pace(clock, options.speed);
  let durableTick = -1;
  let isHealthy = true;
  let yieldedUs = clock.monoUs();
  for (let tick = 0; !signal.aborted; tick++) {
    const tUs = tick * parts.periodUs;
    const lateUs = await pace.waitUntilDue(tUs, signal);
    if (signal.aborted || !(await source.advance(tUs))) return;
    lateness.record(lateUs);
    // Lag is a matter of the wall clock, so it is no input here: what had to be durable is, or is not.
    const store: StoreState = { healthy: isHealthy, durableTick, lagUs: 0 };
    const outputs = runTick(parts, { tick, tUs, lateUs: 0, missedTicks: 0, store });
    const mustBeDurable = outputs.audit.some((entry) => entry.commit === 'now');
    if (mustBeDurable || journal.counters().queued > queueHighCount) {
      isHealthy = await journal.whenDurable(tick, options.ackDeadlineMs);
      if (isHealthy && mustBeDurable) durableTick = tick;
    } else {
      isHealthy = journal.state().healthy;
    }
    options.settle(outputs, mustBeDurable ? isHealthy : null, tUs);
    await tools.settled();
    await tape?.drain();
    const nowUs = clock.monoUs();
    if (nowUs - yieldedUs > yieldEveryUs) {
      await setImmediate();
      yieldedUs = clock.monoUs();
    }
  }
}
