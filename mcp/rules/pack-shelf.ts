/**
 * The rulepacks of a server process: read when the first call needs them, so that the server answers its
 * first message at once, and again when a pack was installed or removed.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { Rulepack } from './format/rulepack.js';
import type { PackSet } from './install/installed-packs.js';

export interface PackShelfOptions {
  readonly builtInFolder: string;
  /** installed packs; null = the built-in ones alone */
  readonly stateDir: string | null;
}

export interface ShelvedPacks {
  readonly set: PackSet;
  readonly packs: ReadonlyMap<string, Rulepack>;
}

export class PackShelf {
  readonly #options: PackShelfOptions;
  #shelved: { readonly stamp: number; readonly packs: Promise<ShelvedPacks> } | null = null;

  constructor(options: PackShelfOptions) {
    this.#options = options;
  }

  get builtInFolder(): string {
    return this.#options.builtInFolder;
  }

  /** All packs that answer, as they are now; the same object while nothing was installed or removed. */
  packs(): Promise<ShelvedPacks> {
    const stamp = this.#stamp();
    if (this.#shelved?.stamp !== stamp) this.#shelved = { stamp, packs: this.#read() };
    return this.#shelved.packs;
  }

  async #read(): Promise<ShelvedPacks> {
    const { readPackSet } = await import('./install/installed-packs.js');
    const set = readPackSet(this.#options.builtInFolder, this.#options.stateDir);
    return { set, packs: new Map([...set.packs].map(([id, { pack }]) => [id, pack])) };
  }

  /** Installing and removing replace a link, which changes the time of its folder. */
  #stamp(): number {
    const { stateDir } = this.#options;
    if (stateDir === null) return 0;
    return statSync(join(stateDir, 'rulepacks'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  }

  /** @throws DriveMcpError TOOL_ARGS_INVALID with the places there are */
  async requirePlace(jurisdiction: string, asOf: string): Promise<ShelvedPacks> {
    const shelved = await this.packs();
    const { resolveJurisdiction } = await import('./evaluate/jurisdiction.js');
    if (resolveJurisdiction(jurisdiction, shelved.packs, asOf) !== null) return shelved;
    throw new DriveMcpError('TOOL_ARGS_INVALID', `no rulepack is installed for '${jurisdiction}'`, {
      location: { key: 'jurisdiction' },
      hint: `known: ${places(shelved.packs).join(', ')}`,
    });
  }
}

/** Names under which a jurisdiction can be asked for: the packs of places, not companions. */
export function places(packs: ReadonlyMap<string, Rulepack>): string[] {
  return [...packs.values()]
    .filter(({ manifest }) => manifest.kind === 'base' || manifest.kind === 'overlay')
    .map(({ manifest }) => manifest.id)
    .sort();
}
