/** Δ and C_min over restarts of a live daemon: one small file in the state directory, replaced as a whole. */

import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { AdaptationState } from '../core/arbiter/adaptation.js';
import { decodeAdaptation, encodeAdaptation } from '../core/arbiter/adaptation-record.js';
import { causeText } from '../core/cause-text.js';
import type { Params } from '../core/params.js';

const fileName = 'adaptation.json';

/** A longer file is not ours. */
const maxChars = 4096;

/**
 * What an earlier run has learned; the start values where there is nothing or nothing usable, with a sentence
 * for people in the second case.
 *
 * Steps are rationed from the first tick (time 0), so that a restart buys none.
 */
export function loadAdaptation(
  stateDir: string,
  params: Params,
): { readonly state: AdaptationState; readonly notice: string | null } {
  const path = join(stateDir, fileName);
  let text: string;
  try {
    text = readFileSync(path, 'utf8').slice(0, maxChars);
  } catch (error) {
    const { state } = decodeAdaptation('', 0, params);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { state, notice: null };
    return {
      state,
      notice: `${path} cannot be read, thresholds start from the preset: ${causeText(error)}`,
    };
  }
  const { state, problem } = decodeAdaptation(text, 0, params);
  // Another preset's thresholds are no damage: they stay until this one writes its own.
  if (problem === 'none' || problem === 'preset') return { state, notice: null };
  return { state, notice: `${path} is not usable (${problem}), thresholds start from the preset` };
}

/** Writes each new state in turn; a failure is told once and stops nothing. */
export class AdaptationKeeper {
  #kept: AdaptationState;
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(
    readonly stateDir: string,
    readonly params: Params,
    initial: AdaptationState,
    readonly notice: (text: string) => void,
  ) {
    this.#kept = initial;
  }

  /** Called every tick; writes where a step was applied. */
  keep(state: AdaptationState): void {
    if (state === this.#kept) return;
    this.#kept = state;
    this.#writing = this.#writing.then(() => this.#write(state));
  }

  /** Resolves when everything is on disk. */
  close(): Promise<void> {
    return this.#writing;
  }

  async #write(state: AdaptationState): Promise<void> {
    const path = join(this.stateDir, fileName);
    try {
      const file = await open(`${path}.new`, 'w', 0o640);
      try {
        await file.writeFile(encodeAdaptation(state, this.params));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(`${path}.new`, path);
    } catch (error) {
      if (!this.#hasFailed) this.notice(`learned thresholds are not kept: ${(error as Error).message}`);
      this.#hasFailed = true;
    }
  }
}
