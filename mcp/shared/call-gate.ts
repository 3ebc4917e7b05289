import { DriveMcpError } from '../../daemon/core/errors.js';

export interface CallGateOptions {
  readonly runningMaxCount: number;
  readonly waitingMaxCount: number;
}

/**
 * The queue `mcp-calls`: so many calls of a server run at a time, so many wait, and more are refused at once, so that a
 * client that sends thousands costs a bounded amount of memory. The oldest waits shortest; a withdrawn call leaves.
 */
export class CallGate {
  readonly #options: CallGateOptions;
  readonly #waiting = new Set<() => void>();
  #running = 0;
  readonly count = { run: 0, refused: 0, withdrawn: 0 };

  constructor(options: CallGateOptions) {
    this.#options = options;
  }

  /** @throws DriveMcpError SERVER_BUSY, and the reason of `signal` where the call is withdrawn while it waits */
  async run<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#options.runningMaxCount) await this.#turn(signal);
    else this.#running++;
    this.count.run++;
    try {
      return await call();
    } finally {
      this.#next();
    }
  }

  /** Resolves when a running call has handed on its place. */
  #turn(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= this.#options.waitingMaxCount) {
      this.count.refused++;
      throw new DriveMcpError('SERVER_BUSY', `${this.#waiting.size} calls are waiting already`);
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.delete(start);
        this.count.withdrawn++;
        reject(signal.reason);
      };
      this.#waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running--;
      return;
    }
    this.#waiting.delete(first);
    first();
  }
}
