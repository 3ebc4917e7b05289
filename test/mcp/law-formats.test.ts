/** Official texts of four countries, in made-up files of their structure: words, spans, dates and places. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { documentOn } from '../../mcp/rules/format/citations.js';
import { loadRulepack, readRulepack } from '../../mcp/rules/format/load-pack.js';
import { importLaw, readLaw } from '../../mcp/rules/import/import-law.js';
import { newLawPack } from '../../mcp/rules/import/new-law-pack.js';
import { readLawFiles } from '../../mcp/rules/import/read-law-files.js';
import { drivemcp } from '../helpers/command.js';
import { fixture } from '../helpers/paths.js';

const law = (...parts: string[]) => readLaw(readLawFiles(fixture('law', ...parts)), 'auto');
const textsOf = (...parts: string[]) =>
  new Map(
    law(...parts).files.flatMap(({ law: { versions } }) => versions.map((one) => [one.unit, one] as const)),
  );
/** What a span of a unit says. */
const quote = (units: ReturnType<typeof textsOf>, unit: string, span: string): string | undefined => {
  const text = units.get(unit)?.text;
  const range = text?.spans.get(span);
  return range && text?.body.slice(range[0], range[1]);
};
const rulepacks = packageFile('rulepacks');
const choices = { select: [], retrieved: '2026-12-01', replacesParaphrase: false };

t.test(
  'gii-norm: lists with their tails, no-break spaces, raised numbers, footnotes, annexes by number',
  async (t) => {
    const units = textsOf('annex.gii.xml');
    t.same([...units.keys()], ['p1', 'p2', 'anl2', 'anl2.49', 'anl2.49.1']);
    t.equal(quote(units, 'p1', 'text'), 'Vorsatz mit 7 Wörtern.');
    t.match(
      quote(units, 'p1', '1'),
      /^\(1\) Es gelten 30 km\/h bis 10\^3 Meter, und zwar\n[\s\S]*\nnach Ablauf von 3 Tagen\.\nSatz ohne Nummer mit 12\.$/,
    );
    t.equal(quote(units, 'p1', '1.1'), '1. für Busse 40 km/h, außer am 1. Mai,');
    t.equal(
      quote(units, 'p1', '1.2'),
      '2. für\na) Räder über 2 kg,\nb) Roller\n20 km/h,',
      'the tail belongs to number 2',
    );
    t.equal(quote(units, 'p1', '1.2.b'), 'b) Roller', 'and not to letter b');
    t.equal(quote(units, 'p1', '1.b3'), '– sonst 15 km/h');
    t.equal(quote(units, 'p1', '2.1-2'), '1. nochmals 9.', 'a second list of the same paragraph');
    t.match(quote(units, 'p1', '2'), /Spalte 81 \| 82$/);
    t.equal(quote(units, 'p1', 'fn1'), 'Fußnote mit 77.');
    t.equal(units.get('p1')?.heading, 'Tempo und Masse');
    t.equal(units.get('p2')?.text, null, 'repealed');
    t.equal(quote(units, 'anl2.49', 'n2'), '2. Nicht unter 5 km/h.');
    t.match(
      quote(units, 'anl2.49', 'text'),
      /^49 \| Zeichen 274\nTempo \| Gebot\n1\. [\s\S]*\nErläuterung\nSiehe Nummer 8\.$/,
    );
    t.equal(
      units.get('anl2.49.1')?.text?.body,
      '49.1 | | Bei Nässe\ngilt 20 km/h.\n| | Auch nach 6 Uhr.\n',
      'rows without a first cell go on in the one before',
    );
    t.match(units.get('anl2')?.text?.body, /Abschnitt 7 Tempo\nZu 49\nbis 50 \| \| Gilt bis 99 m\.\n$/);
    t.match(units.get('anl2.49'), { cite: 'Anlage 2 lfd. Nr. 49 MusterV', label: 'Anlage 2 lfd. Nr. 49' });
  },
);

t.test('norms of one name, and of a name that nobody foresaw, are law all the same', async (t) => {
  const norm = (label: string, text: string): string =>
    `<norm><metadaten><enbez>${label}</enbez></metadaten><textdaten><text><Content><P>${text}</P></Content></text></textdaten></norm>`;
  const xml = `<dokumente doknr="BJNR1" builddate="20260101"><norm><metadaten><jurabk>X</jurabk></metadaten></norm>${norm('Anlage', 'eins 1')}${norm('Anlage', 'zwei 2')}${norm('§ 12 u. 13', 'drei 3')}${norm('Schlußformel', 'vier 4')}</dokumente>`;
  const german = readLaw([{ file: 'f.xml', bytes: Buffer.from(xml) }], 'auto');
  t.same(
    german.files[0]?.law.versions.map(({ unit }) => unit),
    ['anl', 'anl-2', 'p-12-u-13'],
  );
  const twice = {
    ...german,
    files: [...german.files, ...german.files].map((one, i) => ({
      ...one,
      law: {
        ...one.law,
        versions: one.law.versions.map((version) => ({
          ...version,
          text: version.text && { ...version.text, body: `${i} ${version.text.body}` },
        })),
      },
    })),
  };
  const { rows } = importLaw(twice, readRulepack(join(rulepacks, 'DEU')), { ...choices, source: 'x' }).plan;
  t.match(rows.map(({ state }) => state).sort(), [
    'imported',
    'imported',
    'imported',
    'skipped',
    'skipped',
    'skipped',
    'skipped',
    'skipped',
  ]);
  t.match(
    rows.filter(({ reason }) => /a second text/.test(reason)).length,
    3,
    'none replaces another of the same files',
  );
});

t.test('CLML: words after lists, quoted acts, schedules with tables, dates, extent', async (t) => {
  const units = textsOf('order.clml.xml');
  t.equal(quote(units, 's81', '1.a'), '(a) 20 mph or 25 mph in a lane; or');
  t.equal(quote(units, 's81', '1.b'), '(b) in any of—\n(i) a mews,\n(ii) a yard,\n15 mph,');
  t.match(quote(units, 's81', '1'), /^\(1\) Nobody [\s\S]*\n15 mph,\non any of 7 days\.$/);
  t.equal(quote(units, 's81', '3.quote.4'), '4. Not a section of this Act: 99 mph.');
  t.notOk(units.has('s4'), 'a section of another act is none of this one');
  t.equal(quote(units, 's81', 'fn1'), 'See S.I. 2098/11.');
  t.equal(quote(units, 'sch6', '1'), '1. The table holds.');
  t.match(units.get('sch6')?.text?.body, /\nGoods over 7\.5 t \| 60 \| 40\n$/);
  t.notMatch(
    [...units.values()].map((one) => one.text?.body).join(''),
    /12345/,
    'no commentary of the editors',
  );
  t.match(units.get('s82'), { text: null, validFrom: '2010-05-06' });
  t.match(units.get('s83'), { validFrom: '2001-02-03', validUntil: '2015-04-06' });
  t.same(units.get('s84')?.extent, ['GB-SCT']);
  t.same(units.get('s85')?.extent, ['GB-ENG', 'GB-WLS']);
  t.same(units.get('s81')?.extent, [], 'all of it');
  t.match(law('order.clml.xml').files[0]?.law.skipped, [{ label: 's. 86', reason: /prospective/ }]);
});

t.test('LEGI: parts, numbers and letters, notes, markup escaped once more', async (t) => {
  const units = textsOf('legi', 'LEGIARTI000000000002.xml');
  t.equal(quote(units, 'r900-2', '1.1'), '1° 130 km/h sur autoroute ;');
  t.equal(quote(units, 'r900-2', '1.2'), '2° 80 km/h sur les routes :\na) à 2 voies ;\nb) à 3 voies ;');
  t.equal(quote(units, 'r900-2', '1.2.b'), 'b) à 3 voies ;');
  t.match(quote(units, 'r900-2', '1'), /\nsauf les dimanches avant 22 heures\.$/);
  t.match(
    quote(units, 'r900-2', '2'),
    /^II\. - Par temps de pluie :\n- 110 km\/h ;\nClasse \| Vitesse\nCar \| 100$/,
  );
  t.match(quote(units, 'r900-2', 'nota'), /article 5/);
  const escaped = textsOf('legi', 'LEGIARTI000000000004.xml');
  t.equal(quote(escaped, 'r900-3', '2'), 'Second alinéa, 6 mois.');
});

t.test('RIS: deeper lists, the words that close them, the page around the text', async (t) => {
  const units = textsOf('ris');
  t.equal(
    quote(units, 'p20', '1.1'),
    '1. im Ort 50 km/h,\na) bei Nebel 30 km/h,\nb) bei Eis 20 km/h,\nhöchstens aber 8 Stunden,',
  );
  t.equal(quote(units, 'p20', '1.2'), '2. sonst 100 km/h');
  t.match(quote(units, 'p20', '1'), /^§ 20\. \(1\) Wer fährt, hat\n[\s\S]*\neinzuhalten, und dies 7 Tage\.$/);
  t.equal(quote(units, 'p20', '2'), '(2) Die Tafel gilt.\nBus | 80');
  t.notMatch(units.get('p20')?.text?.body, /Seite/);
  t.match(units.get('p20'), {
    heading: 'Fahrgeschwindigkeit',
    cite: '§ 20 MusterO',
    validFrom: '1998-07-22',
    validUntil: null,
  });
});

t.test('versions of an article become texts with dates; what begins later is not today’s', async (t) => {
  const pack = readRulepack(join(rulepacks, 'FRA'));
  const { plan } = importLaw(law('legi'), pack, { ...choices, source: 'ci' });
  t.same(
    plan.rows.map(({ document, state, validFrom, validUntil }) => [document, state, validFrom, validUntil]),
    [
      [null, 'skipped', null, null],
      ['fr:ci:r900-3', 'imported', '1990-01-01', '2010-01-01'],
      ['fr:ci:r900-2', 'imported', '2001-06-01', '2018-07-01'],
      ['fr:ci:r900-2', 'imported', '2018-07-01', '2031-01-01'],
      ['fr:ci:r900-2', 'skipped', '2031-01-01', null],
    ],
  );
  t.match(plan.rows[4]?.reason, /not law on 2026-12-01/);
  t.same([...plan.writes.keys()].sort(), [
    'docs/ci.r900-2.md',
    'docs/ci.r900-2@2001-06-01.md',
    'docs/ci.r900-3@1990-01-01.md',
  ]);
  const on = (id: string, day: string) => documentOn([{ ...pack, documents: plan.documents }], id, day)?.body;
  t.match(on('fr:ci:r900-2', '2018-06-30'), /90 km\/h/);
  t.match(on('fr:ci:r900-2', '2018-07-01'), /80 km\/h/);
  t.equal(on('fr:ci:r900-2', '2031-01-01'), undefined, 'what has ended is not quoted as law');
  t.match(on('fr:ci:r900-3', '2009-12-31'), /45 km\/h/);
  t.equal(on('fr:ci:r900-3', '2010-01-01'), undefined, 'repealed');
  t.notMatch([...plan.writes.values()].join(''), /70 km\/h partout|33 km\/h/);
});

/** A pack with one document of its own words, in a folder with the built-in packs. */
function own(t: Test, id: string, doc: string, head: string, body: string) {
  const packs = join(t.testdir(), 'packs');
  cpSync(rulepacks, packs, { recursive: true });
  const folder = join(packs, id);
  writeFileSync(
    join(folder, 'docs', doc),
    `---\n${head}\nlang: en\ntext: paraphrase\nspans:\n  "1": [0, ${body.length}]\n---\n${body}\n`,
  );
  return { packs, folder };
}

t.test('places: an act goes where it holds, one nation’s law has ids of its own', async (t) => {
  const gb = importLaw(law('order.clml.xml'), readRulepack(join(rulepacks, 'GBR')), {
    ...choices,
    source: 'act',
  }).plan;
  const state = (plan: typeof gb, label: string) => plan.rows.find((row) => row.label === label)?.state;
  t.equal(state(gb, 's. 81'), 'imported');
  t.equal(state(gb, 's. 84'), 'skipped', 'Scotland alone');
  t.equal(state(gb, 's. 87'), 'skipped', 'of 2098');
  t.match(gb.writes.get('docs/act.s85.md'), /^extent: \[GB-ENG, GB-WLS\]$/m);
  const scotland = importLaw(law('order.clml.xml'), readRulepack(join(rulepacks, 'GBR-SCT')), {
    ...choices,
    source: 'act',
  }).plan;
  t.equal(state(scotland, 's. 84'), 'imported');
  t.ok(scotland.documents.has('gb-sct:act:s84'));
  t.equal(state(scotland, 's. 85'), 'skipped', 'England and Wales');
  t.throws(() => importLaw(law('order.clml.xml'), readRulepack(join(rulepacks, 'DEU')), choices), {
    code: 'USAGE',
  });
});

t.test('own words stay, are followed on or are closed; rules that no longer hold are named', async (t) => {
  const { folder } = own(
    t,
    'GBR',
    'act.s82.md',
    'doc_id: gb:act:s82\nsource: rtra1984\ntitle: T\ncite: C\nvalid_from: 2001-01-01',
    'Own words.',
  );
  writeFileSync(
    join(folder, 'docs', 'act.s81.md'),
    readFileSync(join(folder, 'docs', 'act.s82.md'), 'utf8')
      .replace('s82', 's81')
      .replace('2001-01-01', '2000-01-01'),
  );
  const row = (rows: readonly { label: string }[], label: string) => rows.find((one) => one.label === label);
  const kept = importLaw(law('order.clml.xml'), readRulepack(folder), { ...choices, source: 'act' }).plan;
  t.match(row(kept.rows, 's. 81'), { state: 'kept' });
  t.match(
    row(kept.rows, 's. 82'),
    { state: 'closed', validUntil: '2010-05-06' },
    'a repeal closes own words too',
  );
  t.match(kept.writes.get('docs/act.s82@2001-01-01.md'), /valid_until: 2010-05-06\ntext: paraphrase/);
  t.equal(kept.writes.get('docs/act.s82.md'), null);
  const replaced = importLaw(law('order.clml.xml'), readRulepack(folder), {
    ...choices,
    source: 'act',
    replacesParaphrase: true,
  }).plan;
  t.same(
    replaced.rows
      .filter(({ label }) => label === 's. 81')
      .map(({ state, validFrom, validUntil }) => [state, validFrom, validUntil]),
    [
      ['closed', '2000-01-01', '2001-02-03'],
      ['changed', '2001-02-03', null],
    ],
    'the official text begins later: the own words hold until then',
  );
});

t.test(
  'the command: a new pack, again without change, then a later text; pack.yaml changes where it must',
  async (t) => {
    const root = t.testdir();
    const pack = join(root, 'AUT');
    const source = join(root, 'files');
    mkdirSync(source);
    cpSync(fixture('law', 'ris', 'NOR99990001.xml'), join(source, 'a.xml'));
    const run = (...args: string[]) =>
      drivemcp([
        'rulepack',
        'import',
        source,
        '--into',
        pack,
        '--retrieved',
        '2026-12-01',
        ...args,
        '--json',
      ]);
    const dry = await run('--new', 'AUT', '--source', 'muster', '--dry-run');
    t.equal(dry.code, 0, dry.stderr);
    t.same(readdirSync(root), ['files'], 'a dry run leaves nothing');
    const first = await run('--new', 'AUT', '--source', 'muster');
    t.match(first.objects()[0], { document: 'at:muster:p20', state: 'imported', path: 'docs/muster.p20.md' });
    t.same(readdirSync(root).sort(), ['AUT', 'files'], 'nothing is left beside the pack');
    const loaded = loadRulepack(pack, new Map());
    t.match(loaded.manifest.sources, [
      {
        id: 'muster',
        origin: 'ris',
        locator: '10099999',
        licence: { id: 'CC-BY-4.0' },
        retrieved: '2026-12-01',
      },
    ]);
    t.match(first.objects().at(-1), {
      summary: { sha256: loaded.manifest.sources[0]?.sha256, written: true },
    });
    const before = readFileSync(join(pack, 'docs', 'muster.p20.md'), 'utf8');
    t.match((await run()).objects()[0], { state: 'unchanged', path: null });
    t.equal(readFileSync(join(pack, 'docs', 'muster.p20.md'), 'utf8'), before, 'the same bytes');
    writeFileSync(
      join(source, 'a.xml'),
      readFileSync(join(source, 'a.xml'), 'utf8')
        .replace('22.07.1998', '01.01.2026')
        .replace('sonst 100', 'sonst 80'),
    );
    const manifest = readFileSync(join(pack, 'pack.yaml'), 'utf8').split('\n');
    const later = await run();
    t.same(
      later
        .objects()
        .map(({ state, valid_from, valid_until }) => [state, valid_from, valid_until])
        .slice(0, 2),
      [
        ['closed', '1998-07-22', '2026-01-01'],
        ['changed', '2026-01-01', null],
      ],
    );
    t.same(readdirSync(join(pack, 'docs')).sort(), ['muster.p20.md', 'muster.p20@1998-07-22.md']);
    const changed = readFileSync(join(pack, 'pack.yaml'), 'utf8')
      .split('\n')
      .filter((line, i) => line !== manifest[i]);
    t.equal(changed.length, 1, `one line of the manifest changes: ${changed.join()}`);
    t.match(changed[0], /^ {4}sha256: /);
    t.equal((await drivemcp(['rulepack', 'build', pack])).code, 0);
    const lint = await drivemcp(['rulepack', 'lint', pack, '--json']);
    t.match(lint.objects().at(-1), { summary: { errors: 0 } });
  },
);

t.test('what is wrong with how it is asked is said with what there is', async (t) => {
  const german = law('annex.gii.xml');
  const pack = readRulepack(join(rulepacks, 'DEU'));
  const ask = (more: object) => () => importLaw(german, pack, { ...choices, ...more });
  t.throws(ask({}), { code: 'USAGE', message: /locator BJNR999990099/, hint: /--source ID/ });
  t.throws(ask({ source: 'stvo' }), { code: 'USAGE', message: /the source stvo is BJNR036710013/ });
  t.throws(ask({ source: 'Muster X' }), { code: 'USAGE', message: /--source 'Muster X'/ });
  t.throws(ask({ source: 'muster', select: ['p1', 'p99'] }), {
    code: 'USAGE',
    message: /no unit p99/,
    hint: /p1, p2, anl2/,
  });
  const wanted = () => readLaw(readLawFiles(fixture('law', 'annex.gii.xml')), 'clml');
  t.throws(wanted, { code: 'LAW_FORMAT_UNKNOWN', message: /is gii-norm, not clml/ });
  const begin = (id: string) => () =>
    newLawPack('x', id, german.format, new Map([['DEU', pack]]), '2026-12-01');
  t.throws(begin('GBR'), { code: 'USAGE', message: /no id for a pack of gii-norm/ });
  t.match(begin('DEU-TOWN')().pack.manifest, { kind: 'overlay', jurisdiction: { path: ['DE', 'DE-TOWN'] } });

  const run = (...args: string[]) =>
    drivemcp(['rulepack', 'import', fixture('law', 'annex.gii.xml'), '--source', 'muster', ...args]);
  const nowhere = await run();
  t.equal(nowhere.code, 2);
  t.match(nowhere.stderr, /--into PACKDIR/);
  const taken = await run('--into', join(rulepacks, 'DEU'), '--new', 'DEU');
  t.equal(taken.code, 69);
  t.match(taken.stderr, /not empty/);
  const into = ['--into', join(rulepacks, 'DEU'), '--dry-run'];
  const table = await run(...into, '--select', 'anl2', '--valid-from', '2026-01-02');
  t.match(table.stdout, /^imported +de:muster:anl2\.49 +3 +\d+ {2}holds from 2026-01-02/m);
  t.notMatch(table.stdout, /de:muster:p1/, 'only what was chosen');
});
