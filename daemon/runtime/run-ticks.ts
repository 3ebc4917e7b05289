import type { TickOutputs } from '../core/tick.js';
import { systemClock } from './clock.js';
import type { Lateness } from './lateness.js';
import { runLive } from './live-loop.js';
import { runLockstep } from './lockstep-loop.js';
import type { TickParts } from './tick-engine.js';

export interface TickDrive {
  /** monotonic time of tick 0 of a live input; null = a recorded drive, in lockstep at `speed` */
  readonly liveFromUs: number | null;
  readonly speed: number | 'max';
  readonly ackDeadlineMs: number;
  readonly lateness: Lateness;
  readonly settle: (outputs: TickOutputs, isDurable: boolean | null, nowUs: number) => void;
  readonly signal: AbortSignal;
}

/** Ticks until the source is over or the signal aborts; returns what ended them early, or null. */
export async function runTicks(parts: TickParts, drive: TickDrive): Promise<unknown> {
  try {
    if (drive.liveFromUs === null) await runLockstep(parts, { ...drive, clock: systemClock });
    else await runLive(parts, { ...drive, clock: systemClock, startUs: drive.liveFromUs });
    return null;
  } catch (error) {
    return error;
  }
}
