/**
 * Notices that a rulepack was installed or removed while the daemon runs. The packs are read in a thread of their own; what
 * they are is taken between two ticks, so that a tick sees the old ones or the new ones, never both.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Rulepack } from '../../mcp/rules/format/rulepack.js';
import type { AuditEntry } from '../core/tick.js';
import { keepYoungGenerationSmall } from '../runtime/young-generation.js';

export type Packs = ReadonlyMap<string, Rulepack>;

interface Found {
  readonly packs: Packs;
  readonly refused: readonly string[];
}

export interface PackWatchOptions {
  readonly builtInFolder: string;
  readonly stateDir: string;
  readonly periodMs: number;
  /** puts the new packs in the place of the old ones */
  readonly swap: (packs: Packs) => void;
}

export class PackWatch {
  readonly #options: PackWatchOptions;
  readonly #timer: NodeJS.Timeout;
  #packs: Packs;
  #seenMs = Number.NaN;
  #found: Found | null = null;
  #failure: string | null = null;
  #worker: Worker | null = null;
  #isLooking = false;

  /** @param packs that are in use now */
  constructor(packs: Packs, options: PackWatchOptions) {
    this.#packs = packs;
    this.#options = options;
    this.#timer = setInterval(() => void this.#look(), options.periodMs);
    this.#timer.unref();
    void this.#look();
  }

  /** Swaps what was found since the last call; to be called between two ticks. Returns what goes on record. */
  takeChanges(): AuditEntry[] {
    if (this.#failure !== null) {
      const failure = this.#failure;
      this.#failure = null;
      return [entry({ event: 'rulepacks_unreadable', error: failure })];
    }
    const found = this.#found;
    if (found === null) return [];
    this.#found = null;
    const changes = changesBetween(this.#packs, found.packs);
    if (changes.length === 0 && found.refused.length === 0) return [];
    this.#packs = found.packs;
    this.#options.swap(found.packs);
    return [entry({ event: 'rulepacks_swapped', changes, refused: [...found.refused] })];
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#worker?.terminate();
  }

  /** Replacing or removing a link changes the time of its folder. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#worker !== null) return;
    this.#isLooking = true;
    const { stateDir } = this.#options;
    const changedMs = await stat(join(stateDir, 'rulepacks')).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    this.#isLooking = false;
    const isFirst = Number.isNaN(this.#seenMs);
    if (changedMs === this.#seenMs) return;
    this.#seenMs = changedMs;
    if (!isFirst) this.#read();
  }

  #read(): void {
    const { builtInFolder, stateDir } = this.#options;
    const worker = new Worker(new URL('./pack-worker.js', import.meta.url), {
      workerData: { builtInFolder, stateDir },
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    this.#worker = worker;
    worker.unref();
    worker.once('message', (found: Found) => {
      this.#found = found;
    });
    worker.once('error', (error: Error) => {
      this.#failure = error.message;
    });
    worker.once('exit', () => {
      this.#worker = null;
      // Starting a thread sets V8's flags back.
      keepYoungGenerationSmall();
    });
  }
}

interface PackChange {
  readonly id: string;
  readonly old: string | null;
  readonly new: string | null;
}

function changesBetween(before: Packs, after: Packs): PackChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((id) => ({ id, old: before.get(id)?.version ?? null, new: after.get(id)?.version ?? null }))
    .filter(
      (change) =>
        change.old !== change.new || before.get(change.id)?.isUnsigned !== after.get(change.id)?.isUnsigned,
    );
}

function entry(body: { readonly [key: string]: unknown }): AuditEntry {
  return { kind: 'rulepack', commit: 'group', body: body as AuditEntry['body'] };
}
