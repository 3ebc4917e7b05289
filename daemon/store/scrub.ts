import { Worker } from 'node:worker_threads';

export interface ScrubTask {
  readonly path: string;
  readonly epoch: number;
}

/**
 * Checks a large database beside the run, read-only and in a thread of its own: what would hold up the first
 * tick is checked all the same. Calls back where there is damage; returns how to stop.
 */
export function scrubEpoch(task: ScrubTask, onDamage: (reason: string) => void): () => void {
  const worker = new Worker(new URL('./scrub-worker.js', import.meta.url), { workerData: task });
  worker.unref();
  worker.on('message', (damage: string | null) => {
    if (damage !== null) onDamage(damage);
  });
  // A check that cannot be made (file gone, out of memory) condemns nothing.
  worker.on('error', () => undefined);
  return () => {
    void worker.terminate();
  };
}
