import { setImmediate } from 'node:timers/promises';

/**
 * Lets whatever waits have its turn, a withdrawal among it: long work of one call calls this between its steps, so that
 * it keeps no other call waiting and ends soon after nobody wants it.
 * @throws the reason of `signal` where it is aborted
 */
export async function giveTurn(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await setImmediate();
  signal?.throwIfAborted();
}
