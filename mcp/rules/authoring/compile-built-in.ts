/** Run after a build: reads and checks the packs that come with the program, and keeps them in a form that loads at once. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeCompiled } from '../format/compiled-packs.js';
import { loadRulepacks } from '../format/load-pack.js';
import { readPackFolder } from '../integrity/pack-files.js';
import { treeHash } from '../integrity/pack-lock.js';
import { signTableOfPack } from '../signs/sign-table-of-pack.js';

const root = fileURLToPath(new URL('../../../../rulepacks', import.meta.url));
const packs = loadRulepacks(root);
const byHash = new Map(
  readdirSync(root)
    .filter((id) => packs.has(id))
    .flatMap((id) => {
      const pack = packs.get(id);
      if (pack === undefined) return [];
      const withSigns = { ...pack, signs: signTableOfPack(pack) };
      return [[treeHash(readPackFolder(join(root, id))), withSigns] as const];
    }),
);
writeCompiled(byHash);
