import fc from 'fast-check';
import t from 'tap';
import { fill, fillShort, maxShortChars, placeholdersOf } from '../../daemon/core/explain/fill.js';
import { phrasebookOf, spokenLanguages } from '../../daemon/core/explain/locales.js';
import { type PhraseValues, phraseNames, reasonNames } from '../../daemon/core/explain/phrasebook.js';
import { indicatorNames } from '../../daemon/core/safety/health/indicators.js';
import { plateGlossary } from '../../daemon/core/signs/plate-glossary.js';
import { signMeanings } from '../../daemon/core/signs/sign-meanings.js';
import { wordMeanings } from '../../daemon/core/signs/word-meanings.js';
import { roadSurfaces, signCategories } from '../../daemon/core/world/facts.js';

/** Digits after the point and range of every number, as `describe` gives them. */
const numbers: Readonly<Record<string, readonly [digits: number, min: number, max: number]>> = {
  gap: [0, 0, 9999],
  needed: [0, 0, 9999],
  closing: [1, -99.9, 99.9],
  ttc: [1, 0, 9999],
  risk: [2, 0, 1],
  headway: [1, 2, 9999],
  limit: [0, 5, 150],
  advice: [0, 5, 150],
  target: [0, 0, 150],
  speed: [0, 0, 432],
  factor: [0, 1, 100],
  grip_low: [2, 0.05, 1],
  grip: [0, 5, 100],
  health: [0, 0, 100],
  health_risk: [2, 0, 1],
  lead_conf: [0, 0, 100],
  grip_conf: [0, 0, 100],
  law_conf: [0, 0, 100],
  citations: [0, 0, 8],
  value: [0, 1, 200],
  converted: [0, 0, 321],
};

const longest = (words: readonly string[]): string =>
  words.reduce((best, word) => (word.length > best.length ? word : best), '');

function wordsOf(language: string): Record<string, string> {
  const { book } = phrasebookOf(language);
  // A form and its meaning go together: the longest pair there is.
  const [plate = '', plateSays = ''] = Object.values(plateGlossary)
    .flat()
    .map(([meaning, form]): [string, string] => [form, book.plateWords[meaning]])
    .reduce((best, pair) => (pair.join('').length > best.join('').length ? pair : best), ['', '']);
  return {
    unit: 'km/h',
    sign_unit: 'km/h',
    distance: longest(Object.values(book.distances)),
    surface: longest(Object.values(book.surfaces)),
    indicator: longest(Object.values(book.indicators)),
    country: longest(Object.values(book.countries)),
    side: longest(Object.values(book.sides)),
    plate,
    plate_says: plateSays,
    category: longest([
      ...Object.values(book.categories).filter((word) => word !== null),
      ...Object.values(book.signNames),
    ]),
    sign_country: longest(Object.values(book.countries)),
    sign_says: longest([...Object.values(book.signNames), ...Object.values(book.plateWords)]),
    provision: 'Anlage 2 lfd. Nr. 49.1 zu § 41 StVO',
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Numbers as the text shows them, with a point. */
function numbersIn(text: string): readonly number[] {
  return (text.match(/-?\d+(?:[.,]\d+)?/g) ?? []).map((found) => Number(found.replace(',', '.')));
}

for (const language of spokenLanguages) {
  const { book } = phrasebookOf(language);
  const words = wordsOf(language);

  t.test(
    `${language}: every message fits at the bounds and holds no number but those of the state`,
    async (t) => {
      const templates = [
        ...phraseNames.map((name) => [name, book.phrases[name], true] as const),
        ...reasonNames.map((name) => [name, book.reasons[name], false] as const),
      ];
      for (const [name, template, isShort] of templates) {
        const needed = placeholdersOf(template);
        const check = (values: PhraseValues): void => {
          const text = isShort ? fillShort(template, values, book) : fill(template, values, book);
          if (/[{}|]|undefined|NaN/.test(text)) throw new Error(`${name}: ${text}`);
          // A text may name the ends of its scale.
          const constants = numbersIn(template.replace(/\{[^}]*\}/g, ''));
          // The provision is told as it is cited: its numbers are those of the law.
          const cited = needed.includes('provision') ? numbersIn(String(values['provision'])) : [];
          const known = new Set([...needed.map((one) => values[one]), ...constants, ...cited]);
          for (const number of numbersIn(text)) {
            if (!known.has(number)) throw new Error(`${name}: ${number} is from nowhere: ${text}`);
          }
          const own = text.replace(String(values['provision']), '');
          if (book.decimalSeparator === ',' && /\d\.\d/.test(own)) throw new Error(`${name}: ${text}`);
        };
        const at = (pick: 1 | 2): PhraseValues => ({
          ...words,
          ...Object.fromEntries(
            Object.entries(numbers).map(([key, bounds]) => [
              key,
              bounds[0] > 0 && pick === 2 ? rounded(bounds[2] - 0.1 ** bounds[0], bounds[0]) : bounds[pick],
            ]),
          ),
        });
        check(at(1));
        check(at(2));
        const record = Object.fromEntries(
          Object.entries(numbers).map(([key, [digits, min, max]]) => [
            key,
            fc.double({ min, max, noNaN: true }).map((value) => rounded(value, digits) + 0),
          ]),
        );
        fc.assert(
          fc.property(fc.record(record), (values) => check({ ...words, ...values })),
          { numRuns: 25 },
        );
      }
      t.ok(maxShortChars <= 90);
    },
  );

  t.test(
    `${language}: the locale gives every word of every list, and asks for the values English asks for`,
    async (t) => {
      const english = phrasebookOf('en').book;
      for (const name of phraseNames) {
        const mine = [...placeholdersOf(book.phrases[name])].sort();
        t.same(mine, [...placeholdersOf(english.phrases[name])].sort(), name);
        t.match(book.phrases[name], /\.$/);
      }
      for (const name of reasonNames) {
        const mine = new Set(placeholdersOf(book.reasons[name]));
        t.same([...mine].sort(), [...new Set(placeholdersOf(english.reasons[name]))].sort(), name);
        t.match(book.reasons[name], /\.$/);
      }
      t.same(Object.keys(book.countries).sort(), Object.keys(english.countries).sort());
      for (const surface of roadSurfaces) t.ok(book.surfaces[surface], surface);
      for (const name of indicatorNames) t.ok(book.indicators[name], name);
      t.same(Object.keys(book.categories).sort(), [...signCategories].sort());
      t.same(Object.keys(book.plateWords).sort(), [...wordMeanings].sort());
      t.same(Object.keys(book.signNames).sort(), [...signMeanings].sort());
    },
  );
}

t.test('a form for one and a form for more, by the rule of the language', async (t) => {
  const say = (language: string, count: number): string =>
    fill('{n} {n|citation|citations}', { n: count }, phrasebookOf(language).book);
  t.equal(say('en', 0), '0 citations');
  t.equal(say('en', 1), '1 citation');
  t.equal(say('en', 1.5), '1.5 citations');
  t.equal(say('fr', 0), '0 citation');
  t.equal(say('fr', 1.5), '1,5 citation');
  t.equal(say('fr', 2), '2 citations');
});
