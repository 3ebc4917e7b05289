/**
 * Which packs there are: those that come with the program and those installed in the state directory, in one place for
 * the daemon and every command. An installed pack goes before the built-in one of its id.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { checkPack, readRulepack, twinOf } from '../format/load-pack.js';
import { packId } from '../format/manifest-schema.js';
import type { Rulepack } from '../format/rulepack.js';
import { readPackFolder } from '../integrity/pack-files.js';
import { checkSignature, readTrust, type SignatureState } from '../integrity/signature.js';

export interface InstalledPack {
  readonly pack: Rulepack;
  readonly folder: string;
  readonly origin: 'built-in' | 'installed';
  /** a built-in pack is as trusted as the program that it came with */
  readonly signature: SignatureState | { readonly state: 'built-in' };
}

/** A pack that is not used, and why; the others go on working. */
export interface RefusedPack {
  readonly id: string;
  readonly folder: string;
  readonly error: DriveMcpError;
}

export interface PackSet {
  readonly packs: ReadonlyMap<string, InstalledPack>;
  readonly refused: readonly RefusedPack[];
}

/**
 * Reads and checks all packs.
 * @param stateDir null = the built-in ones alone
 */
export function readPackSet(builtInFolder: string, stateDir: string | null): PackSet {
  const found = new Map<string, InstalledPack>();
  const refused: RefusedPack[] = [];
  const refuse = (id: string, folder: string, error: unknown): void => {
    if (!(error instanceof DriveMcpError)) throw error;
    refused.push({ id, folder, error });
  };
  const take = (root: string, read: (folder: string) => InstalledPack): void => {
    for (const id of packFolders(root)) {
      const folder = join(root, id);
      try {
        const one = read(folder);
        if (one.pack.manifest.id !== id) throw invalid(folder, 'id', `the folder is named ${id}`);
        found.set(id, one);
      } catch (error) {
        refuse(id, folder, error);
      }
    }
  };
  take(builtInFolder, (folder) => ({
    pack: readRulepack(folder),
    folder,
    origin: 'built-in',
    signature: { state: 'built-in' },
  }));
  if (stateDir !== null) take(join(stateDir, 'rulepacks'), (folder) => readInstalled(folder, stateDir));
  dropBroken(found, refuse);
  return { packs: found, refused };
}

/** Without a pack that is refused another may lack its base: until nothing changes any more. */
function dropBroken(
  found: Map<string, InstalledPack>,
  refuse: (id: string, folder: string, error: unknown) => void,
): void {
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    const packs = new Map([...found].map(([id, { pack }]) => [id, pack]));
    for (const [id, { pack, folder }] of [...found]) {
      try {
        checkPack(pack, packs);
        const twin = twinOf(pack, packs);
        if (twin)
          throw invalid(
            folder,
            'jurisdiction.path',
            `${twin} is the base of this place as well: neither is used`,
          );
      } catch (error) {
        found.delete(id);
        refuse(id, folder, error);
      }
    }
  }
}

function readInstalled(link: string, stateDir: string): InstalledPack {
  // One version from the first file to the last, also where another is installed meanwhile.
  const folder = realpathSync(link);
  const signature = checkSignature(readPackFolder(folder), readTrust(stateDir));
  if (signature.state === 'tampered') {
    throw new DriveMcpError('RULEPACK_UNTRUSTED', signature.reason, { location: { file: link } });
  }
  const pack = readRulepack(folder);
  return {
    pack: signature.state === 'unsigned' ? { ...pack, isUnsigned: true } : pack,
    folder,
    origin: 'installed',
    signature,
  };
}

function invalid(folder: string, key: string, message: string): DriveMcpError {
  return new DriveMcpError('RULEPACK_INVALID', message, {
    location: { file: join(folder, 'pack.yaml'), key },
  });
}

function packFolders(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => packId.safeParse(name).success)
    .sort();
}
