/** Opens what needs a server that may not be there yet, or not any more: again and again, for a while. */
import { DriveMcpError } from '../../../daemon/core/errors.js';

const again: readonly string[] = ['CARLA_GONE', 'CARLA_EPISODE', 'CARLA_TIMEOUT', 'CARLA_UNREACHABLE'];
const firstPauseMs = 500;
const longestPauseMs = 5000;

export interface Patience {
  /** how long it is tried; 0: never again */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  readonly notice: (text: string) => void;
}

/** Rejects with the first reason (`reason`, where something was lost before) when patience ends or the signal aborts. */
export async function openPatiently<T>(
  open: () => Promise<T>,
  patience: Patience,
  reason: DriveMcpError | null,
): Promise<T> {
  const { patienceMs, signal, nowMs, notice } = patience;
  const untilMs = nowMs() + patienceMs;
  let first = reason;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await open();
    } catch (error) {
      if (!isWorthAgain(error)) throw error;
      if (first === null) notice(`${error.message}; trying for ${Math.round(patienceMs / 1000)} s`);
      first ??= error;
      if (nowMs() + pauseMs > untilMs || signal.aborted) throw first;
      await pause(pauseMs, signal);
    }
  }
}

/** Whether a server that is opened again may have got over it. */
export function isWorthAgain(error: unknown): error is DriveMcpError {
  return error instanceof DriveMcpError && again.includes(error.code);
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}
