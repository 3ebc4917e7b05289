/** The numbers of the packs against the official texts: what a rule asserts stands in the provision that it cites. */
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { numberTokens } from '../../mcp/rules/import/number-tokens.js';
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

/** Numbers of our words that the provision itself does not hold: names of plates and of other provisions, and what is computed. */
const ownNumbers: Readonly<Record<string, string>> = {
  'de:stvo:anl2.49.1 n1': '1053 35 1052 36', // plates of the sign catalogue
  'de:stvo:anl2.50 n1': '274.2', // the sign of the next number
  'de:stvo:anl2.50 n2': '20', // an example
  'de:stvo:anl2.54.3 n1': '1001', // a plate
  'fr:cdr:r413-2 2.3': '90', // part I 3° of the same article
  'fr:cdr:r413-3 3': '413 1', // R413-1
  'gb:hc:r124 1': '2023', // the Welsh change, told below the table
  'gb:hc:r124 goods.light.articulated': '7.5', // the row that the footnote belongs to
};

t.test(
  'every number of every document stands in the official provision',
  { skip: samples === null && corpusMissing },
  async (t) => {
    if (samples === null) return;
    let spans = 0;
    let numbers = 0;
    const used = new Set<string>();
    for (const { head, body } of [...packs.values()].flatMap((pack) => [...pack.documents.values()].flat())) {
      if (head.valid_until !== undefined) continue; // superseded text is not in the samples
      for (const [name, [start, end]] of Object.entries(head.spans)) {
        const official = officialProvision(samples, head.doc_id, name.replace(/^n\d+$/, ''));
        if (official === null) continue;
        spans++;
        const place = `${head.doc_id} ${name}`;
        for (const number of numberTokens(body.slice(start, end))) {
          numbers++;
          if (ownNumbers[place]?.split(' ').includes(number) && !written(number).test(official))
            used.add(place);
          else t.match(official, written(number), `${number} in ${place}`);
        }
      }
    }
    t.ok(spans >= 100 && numbers >= 130, `${numbers} numbers in ${spans} spans`);
    t.same([...used].sort(), Object.keys(ownNumbers).sort(), 'no exception outlives its reason');
  },
);
