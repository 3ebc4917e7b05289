/** Packs beside OSM's table of default limits: what the tags mean, what is told, and what is refused. */
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { parseOsmSpeedTable } from '../../mcp/rules/crosscheck/osm-speed-table.js';
import { osmLimit, type TaggedVehicle } from '../../mcp/rules/crosscheck/osm-tag-limit.js';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

const car: TaggedVehicle = { kinds: [], weightTonnes: 2, lengthM: 5, hasTrailer: false, isWet: false };
const lorry: TaggedVehicle = { ...car, kinds: ['goods', 'hgv'], weightTonnes: 18 };
const bus: TaggedVehicle = { ...car, kinds: ['bus'], weightTonnes: 18, lengthM: 12 };
const kmh = (value: number) => ({ kind: 'limit', value, unit: 'km/h' });

t.test(
  'tags: a cap of a kind never raises the limit of the road, and goes before conditions for all',
  async (t) => {
    const town = { maxspeed: '50', 'maxspeed:hgv': '70', 'maxspeed:conditional': '80 @ (trailer)' };
    t.same(osmLimit(town, lorry), kmh(50));
    t.same(osmLimit(town, { ...car, hasTrailer: true }), kmh(50));
    const motorway = {
      maxspeed: '130',
      'maxspeed:bus': '100',
      'maxspeed:conditional': '110 @ (wet); 80 @ (weightrating>3.5); 60 @ (weightrating>3.5 AND trailer)',
    };
    t.same(osmLimit(motorway, car), kmh(130));
    t.same(osmLimit(motorway, { ...car, isWet: true }), kmh(110));
    t.same(osmLimit(motorway, { ...car, weightTonnes: 3.5 }), kmh(130));
    t.same(osmLimit(motorway, { ...car, weightTonnes: 3.501 }), kmh(80));
    t.same(osmLimit(motorway, { ...car, weightTonnes: 4, hasTrailer: true }), kmh(60));
    t.same(osmLimit(motorway, bus), kmh(100));
    t.same(osmLimit({ maxspeed: '70 mph' }, car), { kind: 'limit', value: 70, unit: 'mph' });
    t.same(osmLimit({ maxspeed: 'walk' }, car), { kind: 'walk' });
    t.same(osmLimit({ 'maxspeed:advisory': '130' }, car), { kind: 'none' }, 'advice is no limit');
    t.equal(
      osmLimit({ maxspeed: '50', 'maxspeed:conditional': '30 @ (22:00-06:00)' }, car),
      null,
      'not decidable',
    );
    t.equal(osmLimit({ maxspeed: 'signals' }, car), null, 'not readable');
  },
);

t.test('no tag leads above the limit of the road', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('70', '130', 'walk', 'none', '80 @ (trailer)', '90 @ (wet)'),
  );
  const tags = fc.dictionary(
    fc.constantFrom('maxspeed:hgv', 'maxspeed:conditional', 'maxspeed:hgv:conditional', 'maxspeed:bus'),
    text,
  );
  fc.assert(
    fc.property(tags, fc.constantFrom(car, lorry, bus), (others, vehicle) => {
      const limit = osmLimit({ ...others, maxspeed: '60' }, vehicle);
      return limit === null || limit.kind === 'walk' || (limit.kind === 'limit' && limit.value <= 60);
    }),
  );
});

t.test('a table that is none is refused with line and key', async (t) => {
  const cases: [string, number | undefined, string | undefined][] = [
    ['{"speedLimitsByCountryCode": {', 1, undefined],
    [
      '{\n "speedLimitsByCountryCode": {\n  "AT": [{"tags": {"maxspeed": 50}}]\n }\n}',
      3,
      'speedLimitsByCountryCode.AT.0.tags.maxspeed',
    ],
    ['{\n "speedLimitsByCountryCode": {"AT": {}}\n}', 2, 'speedLimitsByCountryCode.AT'],
    ['[]', undefined, undefined],
  ];
  for (const [text, line, key] of cases) {
    try {
      parseOsmSpeedTable('table.json', text);
      t.fail(text);
    } catch (error) {
      t.ok(error instanceof DriveMcpError && error.code === 'SPEED_TABLE_INVALID', text);
      if (!(error instanceof DriveMcpError)) continue;
      t.equal(error.location.file, 'table.json');
      if (line !== undefined) t.equal(error.location.line, line, text);
      if (key !== undefined) t.equal(error.location.key, key);
    }
  }
});

t.test('the command tells both values and our provision, and exits with 0', async (t) => {
  const table = {
    meta: { revisionId: '1', license: 'test' },
    speedLimitsByCountryCode: {
      AT: [
        { name: 'urban', tags: { maxspeed: '50', 'maxspeed:hgv': '70' } },
        { name: 'motorway', tags: { maxspeed: '120', 'maxspeed:hgv': '80', 'maxspeed:bus': '100' } },
        { name: 'goat track', tags: { maxspeed: '20' } },
      ],
      XX: [{ name: 'urban', tags: { maxspeed: '50' } }],
    },
  };
  const folder = t.testdir({
    'osm.json': JSON.stringify(table),
    'broken.json': '{"speedLimitsByCountryCode": 7}',
  });
  const osm = join(folder, 'osm.json');
  const run = await drivemcp([
    'rulepack',
    'crosscheck',
    'AUT',
    '--osm',
    osm,
    '--as-of',
    '2026-11-30',
    '--json',
  ]);
  t.equal(run.code, 0, run.stderr);
  const rows = run.objects();
  t.match(rows[0], {
    pack: 'AUT',
    road: 'motorway',
    vehicle: 'car',
    osm: '120 km/h',
    ours: '130 km/h',
    doc_id: 'at:stvo:p20',
    rule: 'at.speed.motorway',
  });
  const { summary } = rows.at(-1) as { summary: Record<string, unknown> };
  t.equal(summary['disagreements'], rows.length - 1);
  t.same(summary['unmapped'], ['AUT goat track']);
  t.match(summary['table'], { revision: '1', licence: 'test' });
  const people = await drivemcp(['rulepack', 'crosscheck', 'AUT', 'DEU', '--osm', osm]);
  t.equal(people.code, 0);
  t.match(people.stdout, /never truth/);
  t.match(people.stderr, /no row for DE/);
  const broken = await drivemcp(['rulepack', 'crosscheck', '--osm', join(folder, 'broken.json')]);
  t.equal(broken.code, 78);
  t.match(broken.stderr, /speedLimitsByCountryCode/);
  t.equal((await drivemcp(['rulepack', 'crosscheck', '--osm', join(folder, 'none.json')])).code, 69);
  t.equal((await drivemcp(['rulepack', 'crosscheck'])).code, 2);
  t.equal((await drivemcp(['rulepack', 'crosscheck', 'NOPE', '--osm', osm])).code, 2);
});

const sample = corpusFile('rules/samples/osm/legal_default_speeds.subset.json');
t.test(
  'a real table: passenger cars of the central packs agree',
  { skip: sample === null && corpusMissing },
  async (t) => {
    if (sample === null) return;
    const packs = ['AUT', 'CHE', 'POL', 'ITA'];
    const run = await drivemcp([
      'rulepack',
      'crosscheck',
      ...packs,
      '--osm',
      sample,
      '--as-of',
      '2026-11-30',
      '--json',
    ]);
    t.equal(run.code, 0, run.stderr);
    const rows = run.objects();
    t.same(
      rows.filter((row) => row['vehicle'] === 'car' || row['vehicle'] === 'car, wet'),
      [],
    );
    const { summary } = rows.at(-1) as { summary: { compared: number } };
    t.ok(summary.compared > 100, `${summary.compared} comparisons`);
  },
);
