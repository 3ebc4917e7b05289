import { readFileSync } from 'node:fs';
import t from 'tap';
import { actLine, ttcStar } from '../../daemon/core/params/reachability.js';
import { createParams } from '../../daemon/core/params.js';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

type Json = Record<string, unknown>;

/** Numbers to 1e-9 relative or absolute, everything else exactly; only what is expected is looked at. */
function differences(found: unknown, expected: unknown, path = ''): string[] {
  if (typeof expected === 'number' && typeof found === 'number') {
    const isClose = Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
    return isClose ? [] : [`${path}: ${found} instead of ${expected}`];
  }
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (found.length !== expected.length) return [`${path}: ${JSON.stringify(found)}`];
    return expected.flatMap((item, i) => differences(found[i], item, `${path}[${i}]`));
  }
  if (typeof expected === 'object' && expected !== null && typeof found === 'object' && found !== null) {
    return Object.entries(expected).flatMap(([key, value]) =>
      differences((found as Json)[key], value, `${path}.${key}`),
    );
  }
  return found === expected
    ? []
    : [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
}

/** What a vector expects, by id and preset. */
function expectations(vector: Json): [key: string, expected: Json][] {
  const id = String(vector['id']);
  if ('safe_distance' in vector) {
    const { safe_distance, safe } = vector;
    return [[id, safe === undefined ? { safe_distance } : { safe_distance, safe }]];
  }
  const expected = vector['expected'] as Json;
  if (vector['kind'] !== undefined) return [[id, expected]];
  return Object.entries(expected).map(([preset, values]) => [`${id} ${preset}`, values as Json]);
}

for (const name of ['arbiter_vectors.json', 'tick_vectors.json', 'rss_full_vectors.json']) {
  const file = corpusFile('core', name);
  t.test(`the core computes ${name}`, { skip: file === null ? corpusMissing : false }, async (t) => {
    const result = await drivemcp(['core', 'eval', file ?? '', '--json']);
    t.equal(result.code, 0, result.stderr);
    const found = new Map<string, Json>();
    for (const object of result.objects()) {
      found.set([object['id'], object['preset']].filter((part) => part !== undefined).join(' '), object);
    }
    const { vectors } = JSON.parse(readFileSync(file ?? '', 'utf8')) as { vectors: Json[] };
    const wanted = vectors.flatMap(expectations);
    t.ok(wanted.length > 0);
    t.same(
      wanted.flatMap(([key, expected]) => differences(found.get(key), expected, key)),
      [],
      `${wanted.length} results`,
    );
  });
}

const arbiterFile = corpusFile('core', 'arbiter_vectors.json');
t.test('thresholds of ACT', { skip: arbiterFile === null ? corpusMissing : false }, (t) => {
  const { thresholds } = JSON.parse(readFileSync(arbiterFile ?? '', 'utf8')) as {
    thresholds: {
      preset: 'default' | 'paper-literal';
      delta: number;
      h: number;
      r_star: number;
      ttc_star: unknown;
    }[];
  };
  for (const { preset, delta, h, r_star, ttc_star } of thresholds) {
    const params = createParams(preset);
    const found = { r_star: actLine(params, delta).rStar, ttc_star: ttcStar(params, delta, h) };
    t.same(differences(found, { r_star, ttc_star }, `${preset} Δ ${delta} h ${h}`), []);
  }
  t.end();
});

const vector = {
  id: 'one',
  inputs: { v: 20, lead: { d: 9, dv: 9 }, mu: { est: 0.8, lo: 0.7 }, road: 'dry', h: 0 },
};

t.test('expected values are never read and words stand for numbers', async (t) => {
  const text = JSON.stringify({
    presets: 'not looked at',
    vectors: [
      { ...vector, expected: { get: 'nothing' } },
      { ...vector, id: 'two', inputs: { ...vector.inputs, v: 'NaN', conf: 'Infinity' } },
    ],
  });
  const result = await drivemcp(['core', 'eval', '-', '--json'], { stdin: text });
  t.equal(result.code, 0, result.stderr);
  const objects = result.objects();
  t.same(
    objects.map(({ id, preset, decision }) => [id, preset, decision]),
    [
      ['one', 'paper-literal', 'SPEAK'],
      ['one', 'default', 'ACT'],
      ['two', 'paper-literal', 'SPEAK'],
      ['two', 'default', 'SPEAK'],
    ],
  );
  t.same(objects[3]?.['flags'], ['missing:v', 'nonfinite:conf', 'nonfinite:v']);
  t.equal(objects[3]?.['dmin'], null);
});

t.test('people get a table', async (t) => {
  const result = await drivemcp(['core', 'eval', '-'], { stdin: JSON.stringify({ vectors: [vector] }) });
  t.equal(result.code, 0);
  const lines = result.stdout.split('\n');
  t.match(lines[1], /^ {2}id +preset +mu_used +dmin/);
  t.match(result.stdout, /1 of 1 vectors computed/);
});

t.test('files that are no vectors are refused with their place', async (t) => {
  const cases: [text: string | Uint8Array, says: RegExp][] = [
    ['', /the file is empty/],
    ['{"vectors":\n  [}', /standard input:2:4: /],
    ['{"vectors":[{"id":"a"', /standard input:1:\d+: /],
    [new Uint8Array([0xff, 0xfe, 0x00, 0x80]), /not UTF-8/],
    ['[]', /vectors: there is no array/],
    ['{"vectors":{}}', /vectors: there is no array/],
    ['null', /vectors: there is no array/],
  ];
  for (const [text, says] of cases) {
    const result = await drivemcp(['core', 'eval', '-', '--json'], { stdin: text });
    t.equal(result.code, 78, String(text).slice(0, 30));
    t.equal(result.stdout, '');
    t.match(result.stderr, says);
  }
  const missing = await drivemcp(['core', 'eval', 'no-such-file.json']);
  t.equal(missing.code, 69);
  const endless = await drivemcp(['core', 'eval', '/dev/zero']);
  t.equal(endless.code, 69);
  t.match(endless.stderr, 'is no regular file');
});

t.test('one bad vector is named and does not stop the others', async (t) => {
  const vectors = [
    3,
    { id: 'kind', kind: 'constructor', inputs: {} },
    { ...vector, inputs: { v: 'fast' } },
    { id: 'steps', kind: 'adaptation', inputs: { sequence: [{ t: 0 }] } },
    { id: 'forever', kind: 'trace', inputs: { dt: 0, ticks: 1e9, deltas: [0.2], v: 1, dv: 1, d0: 1, mu: 1 } },
    vector,
  ];
  const result = await drivemcp(['core', 'eval', '-', '--json'], { stdin: JSON.stringify({ vectors }) });
  t.equal(result.code, 78);
  t.same(
    result.objects().map(({ id }) => id),
    ['one', 'one'],
  );
  for (const key of [
    'vectors[0].id',
    'vectors[1].kind',
    'vectors[2].inputs.v',
    'vectors[3].inputs.sequence[0].events',
    'vectors[4].inputs.dt',
  ]) {
    t.ok(result.stderr.includes(`${key}: `), key);
  }
});

t.test('of very many bad vectors twenty are named and the others counted; depth is no trouble', async (t) => {
  const bad = Array.from({ length: 5000 }, () => '{"id":1}').join();
  const many = await drivemcp(['core', 'eval', '-'], { stdin: `{"vectors":[${bad}]}` });
  t.equal(many.code, 78);
  t.equal(many.stderr.split('\n').filter((line) => line.includes('.id: must be')).length, 20);
  t.match(many.stderr, 'and 4980 more vectors');
  t.match(many.stderr, '5000 of 5000 vectors could not be computed');
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const deep = await drivemcp(['core', 'eval', '-'], {
    stdin: `{"vectors":[{"id":"deep","inputs":${nested}},{"id":"v","inputs":{"v":${nested}}},${nested}]}`,
  });
  t.equal(deep.code, 78);
  t.match(deep.stderr, 'vectors[0].inputs: must be an object, is an array');
  t.match(deep.stderr, 'vectors[1].inputs.v: must be a number, is an array');
  t.match(deep.stderr, '3 of 3 vectors could not be computed');
});
