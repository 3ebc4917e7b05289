/** Work that several callers wait for: done once, and withdrawn when the last of them has left. */
export class SharedWork<T> {
  readonly #abort = new AbortController();
  readonly #done: Promise<T>;
  #waiting = 0;
  #hasFailed = false;

  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#done = start(this.#abort.signal);
    this.#done.catch(() => {
      this.#hasFailed = true;
    });
  }

  /** Nobody else may join: it failed, or everybody has left. */
  get isOver(): boolean {
    return this.#hasFailed || this.#abort.signal.aborted;
  }

  /** @throws what the work throws, or the reason of `signal` as soon as it is aborted */
  wait(signal?: AbortSignal): Promise<T> {
    if (signal === undefined) {
      this.#waiting++;
      return this.#done;
    }
    this.#waiting++;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        reject(signal.reason);
        this.#waiting--;
        if (this.#waiting === 0) this.#abort.abort(signal.reason);
      };
      // Who was withdrawn while the work began may be the one it was begun for.
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.#done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }
}

/** The work under a key, begun where there is none or the one there is is over. */
export function sharedWork<K, T>(
  works: Map<K, SharedWork<T>>,
  key: K,
  start: (signal: AbortSignal) => Promise<T>,
): SharedWork<T> {
  const known = works.get(key);
  if (known !== undefined && !known.isOver) return known;
  const begun = new SharedWork(start);
  works.set(key, begun);
  return begun;
}
