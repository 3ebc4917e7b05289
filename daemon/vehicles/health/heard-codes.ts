import type { FrameBatch } from '../../core/can/frame-batch.js';
import {
  type DiagnosticMemory,
  initialDiagnosticMemory,
} from '../../core/safety/health/diagnostic-memory.js';
import { HeardDiagnostics } from './diagnostic-reader.js';

/** Trouble codes that pass by on a bus because somebody else asked for them, or that units broadcast. Sends nothing. */
export class HeardCodes {
  readonly #reader = new HeardDiagnostics([]);
  #memory: DiagnosticMemory = initialDiagnosticMemory;

  get memory(): DiagnosticMemory {
    return this.#memory;
  }

  /** Takes the frames `from` … `to` − 1; `tUs[i − from]` is the time of frame i. */
  consume(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void {
    if (to <= from) return;
    this.#reader.consume(batch, from, to, tUs[to - from - 1] ?? 0);
    // Values that came with the answers are not for here, and must not pile up.
    this.#memory = this.#reader.drain().memory;
  }
}
