import type { JsonValue } from '../core/tick.js';
import type { OptionValues } from './command.js';
import { packSet } from './pack-world.js';

/**
 * The sentences that a record cites, a line each, where the rulepack of that very version is installed;
 * otherwise where they stand.
 */
export async function citedPassages(passages: readonly JsonValue[], values: OptionValues): Promise<string[]> {
  if (passages.length === 0) return [];
  // A pack that cannot be read today takes nothing from what was recorded: only the sentence is not shown.
  const { packs } = await packSet({ values });
  return passages.map((passage) => {
    if (typeof passage !== 'object' || passage === null || !('doc_id' in passage)) return String(passage);
    const { doc_id: id, offset, length, rulepack_version: version } = passage;
    const versions = String(version).split(' ');
    const found = [...packs.values()].filter(({ pack }) => versions.includes(pack.version));
    const document = found.flatMap(({ pack }) => pack.documents.get(String(id)) ?? [])[0];
    const from = typeof offset === 'number' ? offset : 0;
    const where = `${String(id)}, characters ${from} to ${from + (typeof length === 'number' ? length : 0)}, rulepack ${String(version)}`;
    if (document === undefined || typeof length !== 'number') return `${where} (not installed here)`;
    return `“${document.body.slice(from, from + length).replace(/\s+/g, ' ')}” ${document.head.cite} (${where})`;
  });
}
