/**
 * Experts stand back behind the thread that decides: what hangs in a loop, floods or starts again and again takes the
 * processor only as far as the ticks leave it. Measured while one expert hung, one flooded and one crashed in a loop, on
 * two cores under load: the time that ticks waited for experts fell to less than half (with the short turns of
 * `tick-clock.ts`).
 *
 * Anybody may lower their own priority. Where that fails nonetheless, nothing is lost but this: the pool's deadlines and
 * the ticks' lateness are watched in any case.
 */
import { readlinkSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** A third of the weight of an ordinary thread: an answer still comes in time beside other work. */
const niceness = 5;

/** Lowers the priority of the calling thread; processes that it starts inherit it. */
export function standBack(): void {
  try {
    // `12/task/34`: a synchronous call is made by the calling thread itself.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').pop());
    setPriority(thread, niceness);
  } catch {
    // Without /proc the thread cannot be named.
  }
}

/**
 * Lowers the priority of a session that was just started. Where the kernel groups threads by session (autogroup), their
 * niceness counts only inside of it, and each session is as heavy as the daemon's.
 */
export function standBackSession(pid: number, triesLeft = 10): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch (error) {
    // Whoever is not root may say so once in 100 ms, for all sessions together.
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || triesLeft === 0) return;
    setTimeout(() => standBackSession(pid, triesLeft - 1), 110).unref();
  }
}
