/**
 * The clock of a live run: sleeping is done by a timerfd of the native host module, whose deadlines are absolute and
 * which, unlike a Node timer, does not drift or fire early.
 *
 * The sleeping thread asks for the shortest turns there are: a tick takes a fraction of a millisecond, and should not
 * wait for the end of the turn of whoever is at work when its time comes.
 */
import type { HostModule, NativeTickTimer } from '../../native/index.js';
import type { Clock } from '../ports.js';
import { systemClock } from './clock.js';

export interface TickClock extends Clock {
  close(): void;
}

const sliceUs = 100;

/** @param periodUs period of the loop that will sleep; the first sleep sets the phase */
export function timerfdClock(host: HostModule, periodUs: number): TickClock {
  // Where that is not to be had, the tick waits as any thread does, and its lateness is measured all the same.
  host.shortSlice?.(sliceUs);
  let timer: NativeTickTimer | null = null;
  let pending: { readonly untilUs: number; readonly wake: () => void } | null = null;
  const onTick = (): void => {
    // A timer may expire a few microseconds before the other clock's reading says so.
    if (pending && systemClock.monoUs() >= pending.untilUs - 500) pending.wake();
  };
  return {
    monoUs: systemClock.monoUs,
    wallMs: systemClock.wallMs,
    sleepUntilUs(tUs, signal) {
      const restUs = tUs - systemClock.monoUs();
      if (restUs <= 0 || signal?.aborted) return Promise.resolve();
      timer ??= new host.TickTimer(periodUs, onTick, restUs);
      return new Promise((resolve) => {
        const wake = (): void => {
          pending = null;
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        pending = { untilUs: tUs, wake };
        signal?.addEventListener('abort', wake, { once: true });
      });
    },
    close() {
      timer?.stop();
      timer = null;
      pending?.wake();
    },
  };
}
