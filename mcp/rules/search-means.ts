/** What search needs besides the packs, opened with the first question: encoder, its vectors, the weights. */
import { join } from 'node:path';
import type { AskMeans } from './ask/answer-question.js';

export interface SearchMeansOptions {
  /** models, vectors and tuning are kept there; null = nothing is kept */
  readonly stateDir: string | null;
  /** as `openEncoder` takes it, or `none`; default: `default` */
  readonly encoder?: string;
  /** for whoever runs the server: an encoder that cannot be used, a cache that cannot be written */
  readonly tell: (message: string) => void;
}

export class SearchMeans {
  readonly #options: SearchMeansOptions;
  #opened: Promise<AskMeans> | null = null;

  constructor(options: SearchMeansOptions) {
    this.#options = options;
  }

  open(): Promise<AskMeans> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<AskMeans> {
    const [{ openEncoder }, { tuningCache }, { vectorCache }] = await Promise.all([
      import('./retrieval/open-encoder.js'),
      import('./retrieval/tuning-cache.js'),
      import('./retrieval/vector-cache.js'),
    ]);
    const { stateDir, tell, encoder: choice = 'default' } = this.#options;
    const folder = stateDir === null ? null : join(stateDir, 'retrieval');
    const onFallback = (reason: Error): void => tell(`${reason.message}: sub-words are used instead`);
    const encoder = choice === 'none' ? null : await openEncoder(choice, { stateDir, onFallback });
    return {
      encoder,
      vectors: folder === null ? null : vectorCache(folder, tell),
      tuning: tuningCache(folder, tell).source,
    };
  }

  /** Ends the encoder's thread, where there is one. */
  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    await (await opened?.catch(() => null))?.encoder?.close();
  }
}
