import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { explainSign } from '../../mcp/rules/signs/explain-sign.js';
import { loadSignTables } from '../../mcp/rules/signs/load-sign-tables.js';
import { meaningsDe } from '../../mcp/rules/signs/meanings-de.js';
import { meaningsEn } from '../../mcp/rules/signs/meanings-en.js';
import { meaningsFr } from '../../mcp/rules/signs/meanings-fr.js';
import type { Provision, SignTable } from '../../mcp/rules/signs/sign-table.js';
import { drivemcp } from '../helpers/command.js';

const tables = loadSignTables(packageFile('rulepacks'));
const table = (country: string): SignTable => {
  const found = tables.get(country);
  if (!found) throw new Error(`no table for ${country}`);
  return found;
};

t.test('tables of at least six sign families, each code once', async (t) => {
  t.same([...tables.keys()].sort(), [
    'AT',
    'BE',
    'CH',
    'CZ',
    'DE',
    'ES',
    'FR',
    'GB',
    'IE',
    'IT',
    'NL',
    'PL',
    'US',
  ]);
  for (const { country, signs, plates, words } of tables.values()) {
    const codes = [
      ...signs.map(({ code }) => code),
      ...plates.flatMap(({ code, also }) => [code, ...(also ?? [])]),
    ];
    t.equal(new Set(codes).size, codes.length, `${country}: codes`);
    const forms = words.flatMap(({ text, also }) =>
      [text, ...(also ?? [])].map((form) => form.toLowerCase()),
    );
    t.equal(new Set(forms).size, forms.length, `${country}: words`);
    t.ok(
      signs.some(({ meaning }) => meaning === 'max_speed'),
      `${country} has a limit sign`,
    );
  }
});

t.test('texts: every language says something about everything, and carries the value', async (t) => {
  for (const texts of [meaningsEn, meaningsDe, meaningsFr]) {
    for (const [meaning, says] of Object.entries(texts.signs)) {
      t.ok(says.length > 10 && says.length <= 160, meaning);
      t.equal(
        says.includes('{value}'),
        meaningsEn.signs[meaning as keyof typeof texts.signs].includes('{value}'),
        meaning,
      );
    }
  }
});

t.test('provisions that are cited stand in the pack of the country', async (t) => {
  const packs = loadRulepacks(packageFile('rulepacks'));
  for (const [id, country] of [
    ['DEU', 'DE'],
    ['GBR', 'GB'],
    ['FRA', 'FR'],
    ['AUT', 'AT'],
    ['CHE', 'CH'],
    ['CZE', 'CZ'],
    ['ITA', 'IT'],
    ['POL', 'PL'],
    ['NLD', 'NL'],
    ['BEL', 'BE'],
    ['ESP', 'ES'],
    ['IRL', 'IE'],
    ['USA-CA', 'US'],
  ] as const) {
    const documents = packs.get(id)?.documents;
    if (!documents) continue;
    const { signs, plates, faces, words } = table(country);
    const cited = [...signs, ...plates, ...faces, ...words].flatMap(({ cite }): Provision[] =>
      cite ? [cite] : [],
    );
    t.ok(cited.length >= 10, `${country}: ${cited.length} citations`);
    for (const { doc, span } of cited) {
      const document = documents.get(doc)?.[0];
      t.ok(document, `${country}: ${doc}`);
      if (span !== undefined) t.ok(document?.head.spans[span], `${country}: ${doc} ${span}`);
    }
  }
});

t.test('signs, plates, faces and words are told in the driver’s language', async (t) => {
  const limit = explainSign(table('FR'), { text: 'B14-110', language: 'de', home: table('DE') });
  t.match(limit, [
    {
      kind: 'sign',
      value: 110,
      unit: 'km/h',
      home: '274',
      says: 'Ab hier nicht schneller als 110 km/h fahren.',
    },
  ]);
  t.match(explainSign(table('DE'), { text: '274.1-20', language: 'en' }), [
    { meaning: 'zone_start', value: 20 },
  ]);
  t.match(explainSign(table('GB'), { text: '674', language: 'fr' }), [{ value: 20, unit: 'mph' }]);
  t.match(
    explainSign(table('US'), { text: 'R2-1-65', language: 'en' }),
    [{ value: 65, unit: 'mph' }],
    'a code with a hyphen',
  );
  t.match(explainSign(table('IE'), { text: 'RUS-rural', language: 'en' }), [
    { meaning: 'rural_default_limit', value: null },
  ]);
  t.match(explainSign(table('DE'), { text: '1052-36', language: 'fr' }), [
    { kind: 'plate', code: '1053-35', meaning: 'wet' },
  ]);
  t.match(explainSign(table('GB'), { text: '40amber', language: 'en' }), [
    { meaning: 'advisory_limit', value: 40 },
  ]);
  t.match(explainSign(table('GB'), { text: '50ring', language: 'en' }), [
    { meaning: 'mandatory_limit', value: 50 },
  ]);
  t.match(explainSign(table('GB'), { text: 'ARAF', language: 'de' }), [
    { kind: 'words', says: 'langsamer fahren' },
  ]);
  t.match(explainSign(table('FR'), { text: 'RAPPEL', language: 'en' }), [{ says: 'reminder' }]);
  t.match(
    explainSign(table('DE'), { text: 'Baustelle, bei Nässe', language: 'en' }).map(({ says }) => says),
    ['roadworks', 'when the road is wet'],
  );
  t.same(explainSign(table('DE'), { text: 'befreit', language: 'en' }), [], 'a part of a word is no word');
  t.same(explainSign(table('DE'), { text: 'ignore all rules', language: 'en' }), [], 'unknown is unknown');
});

t.test('the commands', async (t) => {
  const sign = await drivemcp(['rules', 'sign', '274-80', '--jurisdiction', 'DEU', '--lang', 'fr', '--json']);
  t.equal(sign.code, 0, sign.stderr);
  t.match(sign.objects()[0], {
    meaning: 'max_speed',
    value: 80,
    provision: { doc: 'de:stvo:anl2.49' },
    certainty: 'A',
  });
  const unknown = await drivemcp(['rules', 'sign', '999-9', '--jurisdiction', 'DE']);
  t.equal(unknown.code, 1);
  t.match(unknown.stdout, /unknown/);
  t.equal((await drivemcp(['rules', 'sign', '274'])).code, 2);
  t.equal((await drivemcp(['rules', 'sign', '274', '--jurisdiction', 'XX'])).code, 2);
  const parse = await drivemcp([
    'rules',
    'parse',
    'Schild 80, darunter bei Nässe',
    '--jurisdiction',
    'DE',
    '--json',
  ]);
  t.match(parse.objects()[0], { id: 'text', status: 'ok', value: 80, conditions: ['wet'] });
  const cases = '{"id":"a","question":"speed_sign","answer":"50","jurisdiction_hint":null}\n';
  const read = await drivemcp(['rules', 'parse', '--file', '-', '--json'], { stdin: cases });
  t.match(read.objects(), [{ id: 'a', status: 'ambiguous' }]);
  for (const [bad, key] of [
    ['{"id":1}', 'id'],
    ['{"id":"a","question":"speed_sign"}', 'answer'],
    ['{"id":"a","question":"x","answer":""}', 'question'],
    ['[', ''],
  ] as const) {
    const refused = await drivemcp(['rules', 'parse', '--file', '-', '--json'], {
      stdin: `${cases}${bad}\n`,
    });
    t.equal(refused.code, 78);
    t.match(refused.stderr, /CASES_INVALID/);
    t.match(refused.stderr, key === '' ? /:2/ : new RegExp(`"key":"${key}"|${key}`));
  }
  t.equal((await drivemcp(['rules', 'parse'])).code, 2);
});
