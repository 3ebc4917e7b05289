/**
 * Ticks against the wall clock, for inputs that arrive while the daemon runs. Deadlines are absolute, so the
 * period does not drift; what was missed is told once (`missedTicks`) and never caught up in a burst. The
 * loop waits for nothing but the next deadline: answers and acknowledgements become inputs when they arrive.
 */
import type { TickOutputs } from '../core/tick.js';
import type { Clock } from '../ports.js';
import type { Lateness } from './lateness.js';
import { runTick, type TickParts } from './tick-engine.js';

export interface LiveOptions {
  readonly clock: Clock;
  /** monotonic time of tick 0 */
  readonly startUs: number;
  readonly lateness: Lateness;
  /**
   * Called once a tick: with null at once where no record had to be durable, else when that is certain, at
   * most one period later.
   */
  readonly settle: (outputs: TickOutputs, isDurable: boolean | null, nowUs: number) => void;
  readonly signal: AbortSignal;
}

/** Runs until the source is over or the signal aborts. */
export async function runLive(parts: TickParts, options: LiveOptions): Promise<void> {
  const { source, journal, periodUs } = parts;
  const { clock, startUs, signal } = options;
  for (let tick = 0; !signal.aborted; ) {
    await clock.sleepUntilUs(startUs + tick * periodUs, signal);
    if (signal.aborted) return;
    const elapsedUs = clock.monoUs() - startUs;
    // Expirations beyond one: this step stands for all of them, at the time of the last.
    const missedTicks = Math.max(0, Math.floor(elapsedUs / periodUs) - tick);
    tick += missedTicks;
    const tUs = tick * periodUs;
    const lateUs = Math.max(0, elapsedUs - tUs) + missedTicks * periodUs;
    if (!(await source.advance(tUs))) return;
    options.lateness.record(lateUs);
    const outputs = runTick(parts, {
      tick,
      tUs,
      lateUs,
      missedTicks,
      store: journal.state(),
    });
    if (outputs.audit.some((entry) => entry.commit === 'now')) {
      void journal
        .whenDurable(tick, periodUs / 1000)
        .then((isDurable) => options.settle(outputs, isDurable, clock.monoUs() - startUs));
    } else {
      options.settle(outputs, null, tUs);
    }
    tick++;
  }
}
