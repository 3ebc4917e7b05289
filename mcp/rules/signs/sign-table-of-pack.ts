/** The sign table of one pack, read when first asked. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '../format/located-yaml.js';
import { readPackFile } from '../format/pack-files.js';
import type { Rulepack } from '../format/rulepack.js';
import { type SignTable, signTableSchema } from './sign-table.js';

const kept = new WeakMap<Rulepack, SignTable | null>();

/** Null where the pack has none. @throws DriveMcpError RULEPACK_INVALID with file and key */
export function signTableOfPack(pack: Rulepack): SignTable | null {
  const known = kept.get(pack);
  if (known !== undefined) return known;
  // A compiled pack has it as data: a tick asks for it as well, and reading YAML takes ten milliseconds. What another
  // version of this program compiled may have another form: then the file counts.
  const compiled = pack.signs == null ? pack.signs : signTableSchema.safeParse(pack.signs).data;
  const table = compiled === undefined ? read(pack) : compiled;
  kept.set(pack, table);
  return table;
}

function read(pack: Rulepack): SignTable | null {
  const file = join(pack.folder, 'signs.yaml');
  return existsSync(file) ? parseYaml(file, readPackFile(pack.folder, 'signs.yaml'), signTableSchema) : null;
}
