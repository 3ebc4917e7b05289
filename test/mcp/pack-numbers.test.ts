/** The numbers of the packs against the official texts: what a rule asserts stands in the provision that it cites. */
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { officialProvision, officialSamples } from '../helpers/official-text.js';
import { corpusMissing } from '../helpers/paths.js';

const samples = officialSamples();
const packs = loadRulepacks(packageFile('rulepacks'));

/** A whole number, or one with a decimal comma or point, that is no part of a longer one. */
function written(number: string): RegExp {
  const [whole = '', fraction] = number.split(/[.,]/);
  return new RegExp(`(?<![\\d.,])${whole}${fraction ? `[.,]${fraction}` : ''}(?!\\d|[.,]\\d)`);
}

t.test(
  'every number stands in the official provision',
  { skip: samples === null && corpusMissing },
  async (t) => {
    if (samples === null) return;
    const provisions = new Set<string>();
    for (const pack of packs.values()) {
      for (const rule of pack.rules) {
        if (rule.valid.until !== undefined) continue; // superseded text is not in the samples
        const read: string[] = [];
        for (const { doc, span, must_contain } of rule.cite) {
          const official = officialProvision(samples, doc, span.replace(/^n\d+$/, ''));
          if (official === null) continue;
          read.push(official);
          provisions.add(`${doc} ${span}`);
          // In the table of speed limits the number must stand in the column of that road.
          if (doc === 'gb:hc:r124')
            for (const text of must_contain.filter((one) => one.includes(' on ')))
              t.match(official, text, rule.id);
          for (const number of must_contain.flatMap((text) => text.match(/\d+(?:[.,]\d+)?/g) ?? []))
            t.match(official, written(number), `${rule.id}: ${number} in ${doc} ${span}`);
        }
        const { limit } = rule.then;
        if (limit && 'value' in limit && read.length > 0)
          t.match(read.join('\n'), written(String(limit.value)), `${rule.id}: ${limit.value}`);
      }
    }
    t.ok(provisions.size >= 40, `${provisions.size} provisions read`);
  },
);
