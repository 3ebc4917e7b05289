/** Whoever waits until a record is on disk. */
export class DurabilityWaiters {
  #waiters: { ordinal: number; resolve: (isDurable: boolean) => void; timer: NodeJS.Timeout }[] = [];
  #flushers: { ordinal: number; resolve: () => void; reject: (error: Error) => void }[] = [];

  /** True once `ordinal` is durable, false after `timeoutMs`. */
  wait(ordinal: number, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((waiter) => waiter.timer !== timer);
        resolve(false);
      }, timeoutMs);
      this.#waiters.push({ ordinal, resolve, timer });
    });
  }

  /** Resolves once `ordinal` is durable, rejects when a commit fails. */
  flushed(ordinal: number): Promise<void> {
    return new Promise((resolve, reject) => this.#flushers.push({ ordinal, resolve, reject }));
  }

  get isWaiting(): boolean {
    return this.#flushers.length > 0 || this.#waiters.length > 0;
  }

  durable(ordinal: number): void {
    const done = this.#waiters.filter((waiter) => waiter.ordinal <= ordinal);
    this.#waiters = this.#waiters.filter((waiter) => waiter.ordinal > ordinal);
    for (const waiter of done) {
      clearTimeout(waiter.timer);
      waiter.resolve(true);
    }
    const flushed = this.#flushers.filter((flusher) => flusher.ordinal <= ordinal);
    this.#flushers = this.#flushers.filter((flusher) => flusher.ordinal > ordinal);
    for (const flusher of flushed) flusher.resolve();
  }

  failed(error: Error): void {
    for (const flusher of this.#flushers.splice(0)) flusher.reject(error);
  }
}
