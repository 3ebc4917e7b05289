/** A candump log as a sink of simulated frames: a file, or standard output. */
import { rmSync } from 'node:fs';
import type { FrameBatch } from '../core/can/frame-batch.js';
import { candumpLine } from '../sources/logs/candump-line.js';
import { WholeLineFile } from '../sources/logs/whole-line-file.js';
import type { Terminal } from './terminal.js';

export class CandumpSink {
  readonly name = 'candump';
  readonly #startWallUs: number;
  readonly #write: (text: string) => void;
  readonly #file: WholeLineFile | null;
  #frames = 0;

  /** `target` is a file to make, or `-`; times of frames are counted from `startWallMs`. @throws what WholeLineFile throws */
  constructor(target: string, startWallMs: number, terminal: Terminal) {
    this.#startWallUs = startWallMs * 1000;
    this.#file = target === '-' ? null : new WholeLineFile(target);
    const file = this.#file;
    this.#write =
      file === null
        ? (text) => {
            terminal.verbatimLine(text.trimEnd());
            // Whoever reads the pipe lives in the present.
            terminal.flush();
          }
        : (text) => file.write(text);
  }

  take(batch: FrameBatch, tUs: Float64Array): void {
    let text = '';
    for (let i = 0; i < batch.count; i++) text += candumpLine(batch, i, this.#startWallUs + tUs[i]!);
    this.#frames += batch.count;
    this.#write(text);
  }

  counters(): { readonly frames: number } {
    return { frames: this.#frames };
  }

  async close(): Promise<void> {
    this.#file?.close();
    // A bridge that was refused leaves no empty log in the way of the next one.
    if (this.#file !== null && this.#frames === 0) rmSync(this.#file.path, { force: true });
  }
}
