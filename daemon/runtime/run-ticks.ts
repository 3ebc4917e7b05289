import type { TickOutputs } from '../core/tick.js';
import type { Clock } from '../ports.js';
import { systemClock } from './clock.js';
import type { Lateness } from './lateness.js';
import { runLive } from './live-loop.js';
import { runLockstep } from './lockstep-loop.js';
import type { TickParts } from './tick-engine.js';

export interface TickDrive {
  /** begins a live input with the monotonic time of tick 0; null = a recorded drive, in lockstep at `speed` */
  readonly goLive: ((startUs: number) => void) | null;
  readonly speed: number | 'max';
  /** sleeps between the ticks of a live input */
  readonly clock: Clock;
  readonly ackDeadlineMs: number;
  readonly lateness: Lateness;
  readonly settle: (outputs: TickOutputs, isDurable: boolean | null, nowUs: number) => void;
  readonly signal: AbortSignal;
}

/** Ticks until the source is over or the signal aborts; returns what ended them early, or null. */
export async function runTicks(parts: TickParts, drive: TickDrive): Promise<unknown> {
  try {
    if (drive.goLive === null) {
      await runLockstep(parts, { ...drive, clock: systemClock });
    } else {
      const startUs = systemClock.monoUs();
      drive.goLive(startUs);
      await runLive(parts, { ...drive, startUs });
    }
    return null;
  } catch (error) {
    return error;
  }
}
