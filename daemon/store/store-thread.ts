import { Worker } from 'node:worker_threads';
import type { FromWorker, StoreWorkerData, ToWorker } from './worker-protocol.js';

const restartMs = [100, 500, 2000, 5000] as const;

/** The store's thread: started, started again where it dies, stopped. */
export class StoreThread {
  #worker: Worker;
  #deaths = 0;
  #restart: NodeJS.Timeout | null = null;
  #isStopping = false;
  #end!: () => void;
  /** resolves when the thread has ended and that was wanted */
  readonly ended = new Promise<void>((resolve) => {
    this.#end = resolve;
  });

  constructor(
    readonly data: () => StoreWorkerData,
    readonly onMessage: (message: FromWorker) => void,
    /** the thread has died with whatever it was doing; it will be started again */
    readonly onDeath: (reason: string) => void,
  ) {
    this.#worker = this.#start();
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** The next end of the thread is wanted. */
  expectEnd(): void {
    this.#isStopping = true;
    if (this.#restart !== null) clearTimeout(this.#restart);
  }

  async terminate(): Promise<void> {
    this.expectEnd();
    await this.#worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./store-worker.js', import.meta.url), { workerData: this.data() });
    let reason = 'it ended';
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'committed') this.#deaths = 0;
      this.onMessage(message);
    });
    worker.on('error', (error: Error) => {
      reason = error.message;
    });
    worker.on('exit', () => {
      if (this.#isStopping) {
        this.#end();
        return;
      }
      this.onDeath(reason);
      const wait = restartMs[Math.min(this.#deaths++, restartMs.length - 1)]!;
      this.#restart = setTimeout(() => {
        this.#worker = this.#start();
      }, wait);
    });
    return worker;
  }
}
