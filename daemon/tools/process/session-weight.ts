/**
 * How heavy the session of an expert's process is beside the daemon's. Where the kernel groups threads by session
 * (autogroup), each session gets as much of a processor as the daemon's, and niceness counts only inside of it. Starting a
 * process costs half a second of two processors; what crashes again and again would hold up the ticks with that. So it is
 * light while it starts and of ordinary weight once it answers: asked for no more than others on a busy machine, it would
 * miss its deadlines (measured at load 9: 6 of 225 instead of 1).
 *
 * Where there are no autogroups, nothing is lost but this: the pool's deadlines and the ticks' lateness are watched in any
 * case.
 */
import { writeFileSync } from 'node:fs';

const startingNice = 5;
/** Whoever is not root may change a weight once in 100 ms, for all sessions together. */
const againMs = 110;
const triesMaxCount = 20;

export class SessionWeight {
  readonly #file: string;
  #wanted = startingNice;
  #tries = 0;
  #again: NodeJS.Timeout | null = null;

  constructor(pid: number) {
    this.#file = `/proc/${pid}/autogroup`;
    this.#write();
  }

  /** It has started: an answer is wanted of it now. */
  becomeOrdinary(): void {
    this.#wanted = 0;
    this.#tries = 0;
    this.#write();
  }

  forget(): void {
    if (this.#again !== null) clearTimeout(this.#again);
    this.#again = null;
  }

  #write(): void {
    this.forget();
    try {
      writeFileSync(this.#file, String(this.#wanted));
    } catch (error) {
      // Anything else says that there are no autogroups, or that the process has gone.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || ++this.#tries > triesMaxCount) return;
      this.#again = setTimeout(() => this.#write(), againMs);
      this.#again.unref();
    }
  }
}
