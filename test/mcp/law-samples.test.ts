/** The official samples of the corpus: to the character, into a pack, and out of it again as an answer's citation. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { readLaw } from '../../mcp/rules/import/import-law.js';
import { numberTokens } from '../../mcp/rules/import/number-tokens.js';
import { readLawFiles } from '../../mcp/rules/import/read-law-files.js';
import { lookupLimit } from '../../mcp/rules/rules-expert.js';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

const sample = (...parts: string[]): string | null => corpusFile('rules', 'samples', ...parts);
const stvo = sample('de', 'BJNR036710013.excerpt.gii.xml');
const skip = stvo === null ? corpusMissing : false;
const versionsOf = (file: string) =>
  readLaw(readLawFiles(file), 'auto').files.flatMap(({ law }) => law.versions);

interface Expected {
  readonly doc: string;
  readonly text: string;
  readonly spans: readonly { readonly id: string; readonly start: number; readonly end: number }[];
}

t.test('StVO §§ 3 and 4: text and spans as worked out by hand, to the code point', { skip }, async (t) => {
  const expected = JSON.parse(
    readFileSync(sample('de', 'BJNR036710013.expected.json') ?? '', 'utf8'),
  ) as Expected[];
  const units = new Map(versionsOf(stvo ?? '').map((one) => [`de:stvo:${one.unit}`, one.text]));
  t.same(
    [...units.keys()],
    expected.map(({ doc }) => doc),
  );
  for (const { doc, text, spans } of expected) {
    t.equal(units.get(doc)?.body, text, doc);
    // There an item goes by its own numbers, here by those of its paragraph as well.
    const named = [...(units.get(doc)?.spans ?? [])].map(([name, [start, end]]) => ({
      id: name.includes('.') ? `item ${name.slice(name.indexOf('.') + 1)}` : `abs ${name}`,
      start,
      end,
    }));
    const byPlace = (a: { start: number; end: number }, b: { start: number; end: number }): number =>
      a.start - b.start || b.end - a.end;
    t.same(named.sort(byPlace), [...spans].sort(byPlace), doc);
  }
  const p3 = units.get('de:stvo:p3');
  t.equal([...(p3?.body ?? '')].slice(1658, 1665).join(''), '80 km/h');
});

/** What an author writes into the rules after reading the official words. */
const officialWords: readonly (readonly [own: string, official: string])[] = [
  ['nasse Straße', 'Wetterverhältnissen'],
  ['Innerorts', 'innerhalb geschlossener Ortschaften'],
  ['zwei markierten Fahrstreifen', 'markierte Fahrstreifen'],
  ['Busse', 'Kraftomnibusse'],
  ['stehenden', 'keine Sitzplätze'],
  ['unter 50 m', 'weniger als 50 m'],
];

t.test('into a copy of DEU, and answers cite the official words', { skip }, async (t) => {
  const packs = join(t.testdir(), 'packs');
  cpSync(packageFile('rulepacks'), packs, { recursive: true });
  const into = join(packs, 'DEU');
  const run = (...args: string[]) =>
    drivemcp([
      'rulepack',
      'import',
      stvo ?? '',
      '--into',
      into,
      '--retrieved',
      '2026-11-30',
      '--json',
      ...args,
    ]);
  const refused = await run();
  t.equal(refused.code, 1, 'own words are not overwritten unasked');
  t.match(refused.objects()[0], { document: 'de:stvo:p3', state: 'kept' });
  const done = await run('--replace-paraphrase');
  t.equal(done.code, 1, 'rules wait for their author');
  const named = done.objects().filter((line) => 'rule' in line);
  t.match(named.map(({ rule }) => rule).sort(), [
    'de.cap.coach.rural',
    'de.cap.standees.rural',
    'de.cap.visibility',
    'de.conduct.rain',
    'de.speed.unlimited',
    'de.speed.urban',
  ]);
  for (const file of ['speed.yaml', 'conduct.yaml']) {
    const path = join(into, 'rules', file);
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .map((line) =>
        line.includes('de:stvo:p3"')
          ? officialWords.reduce((text, [own, official]) => text.replace(`"${own}"`, `"${official}"`), line)
          : line,
      );
    writeFileSync(path, lines.join('\n'));
  }
  const cite = async (...args: string[]) =>
    (await drivemcp(['rules', 'cite', ...args, '--packs', packs, '--json'])).objects();
  t.match(await cite('de:stvo:p3', '3.2.a'), [
    {
      text: 'official',
      span: [1356, 1666],
      quote: /bb\) Personenkraftwagen mit Anhänger,\n[\s\S]*\n80 km\/h,$/,
    },
  ]);
  t.match(await cite('de:stvo:p3', '1658-1665'), [{ quote: '80 km/h' }]);
  const limit = await drivemcp([
    'rules',
    'limit',
    '--jurisdiction',
    'DEU',
    '--as-of',
    '2026-11-30',
    '--packs',
    packs,
    '--json',
    '--context',
    '{"road":"rural","vehicle":"car_trailer"}',
  ]);
  t.match(limit.objects()[0], {
    limit: { value: 80 },
    citations: [{ doc_id: 'de:stvo:p3', span: [1356, 1666], quote: /80 km\/h/ }],
  });
  const loaded = loadRulepacks(packs);
  const before = loadRulepacks(packageFile('rulepacks'));
  for (const context of [
    { road: 'urban' },
    { road: 'rural' },
    { road: 'rural', vehicle: 'hgv', mass_t: 8 },
    { road: 'rural', vehicle: 'coach' },
    { road: 'motorway', visibility_m: 40 },
    { road: 'rural', chains: true },
  ]) {
    const ask = (world: typeof loaded) =>
      (lookupLimit(world, { jurisdiction: 'DEU', as_of: '2026-11-30', context }) as { limit: unknown }).limit;
    t.same(ask(loaded), ask(before), JSON.stringify(context));
  }
  t.match(
    loaded.get('DEU')?.manifest.sources.find(({ id }) => id === 'stvo'),
    {
      sha256: 'ca1a156643f52a97a3482ed33e065a7689b7022ac4d20bd3469062ed1f8dc04c',
      retrieved: '2026-11-30',
      licence: { id: 'DE-UrhG-5' },
    },
  );
});

t.test('RIS, CLML and the whole of a German ordinance: every number, and the tails', { skip }, async (t) => {
  const bodies = (...parts: string[]) => versionsOf(sample(...parts) ?? '');
  const [ris] = bodies('at', 'NOR12030057.excerpt.risdok.xml');
  t.match(ris, { unit: 'p1', validFrom: '1975-01-17', validUntil: '1994-10-15' });
  t.same(numberTokens(ris?.text?.body ?? ''), ['1', '1', '54', '1972', '54', '1972', '187', '1972']);
  t.match(ris?.text?.body, /187\/1972,\nvorgesehene Kennzeichnung in Tabellenform/);
  t.notOk(
    [...(ris?.text?.spans ?? [])].some(([name, [, end]]) => name === 'b' && end > 361),
    'the tail is not letter b',
  );
  const gb = bodies('gb', 'wsi-2026-14.excerpt.clml.xml');
  t.same(
    gb.map(({ unit, extent, validFrom }) => [unit, extent, validFrom]),
    [
      ['a1', ['GB-WLS'], '2026-01-22'],
      ['a2', ['GB-WLS'], '2026-01-22'],
    ],
  );
  t.same(numberTokens(gb[1]?.text?.body ?? ''), ['2', '18', '2024', '1', '2026']);
  const advisory = bodies('de', 'BJNR018240978.gii.xml');
  t.same(
    advisory.map(({ unit }) => unit),
    ['p1', 'p2', 'p3', 'p4'],
  );
  t.match(advisory[0]?.text?.body, /haben,\nnicht schneller als 130 km\/h zu fahren/);
  t.same(numberTokens(advisory[0]?.text?.body ?? ''), [
    '3,5',
    '1',
    '330.1',
    '2',
    '3',
    '295',
    '340',
    '130',
    '274',
  ]);
});
