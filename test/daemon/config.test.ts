import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { configDigest, loadConfig, parseConfig } from '../../daemon/runtime/config.js';
import { configSchema, unitSuffixes } from '../../daemon/runtime/config-schema.js';
import { drivemcp } from '../helpers/command.js';

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly additionalProperties?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

/** Every leaf of the schema with its path. */
function leaves(schema: JsonSchema, path: string[] = []): { path: string[]; schema: JsonSchema }[] {
  if (!schema.properties) return [{ path, schema }];
  return Object.entries(schema.properties).flatMap(([key, part]) => leaves(part, [...path, key]));
}

const schema = z.toJSONSchema(configSchema, { io: 'output' }) as JsonSchema;

function refusal(toml: string): DriveMcpError {
  try {
    parseConfig(toml, 'f.toml');
  } catch (error) {
    if (error instanceof DriveMcpError) return error;
    throw error;
  }
  throw new Error(`was accepted: ${toml}`);
}

t.test('every number carries its unit in the key, every key has a default', async (t) => {
  const all = leaves(schema);
  t.ok(all.length > 15);
  for (const { path, schema: leaf } of all) {
    const isNumber =
      leaf.type === 'number' ||
      leaf.type === 'integer' ||
      (leaf.enum?.some((v) => typeof v === 'number') ?? false);
    if (isNumber)
      t.ok(
        unitSuffixes.some((suffix) => path.at(-1)?.endsWith(suffix)),
        path.join('.'),
      );
    t.not(leaf.default, undefined, `${path.join('.')} has a default`);
  }
  t.equal(configSchema.parse({}).act.sink, 'none', 'ACT goes nowhere unless somebody says so');
});

t.test('each key: a wrong type, and a misspelt name, are refused with section, key and line', async (t) => {
  for (const { path } of leaves(schema)) {
    const [section = '', key = ''] = path;
    const wrongType = refusal(`# comment\n[${section}]\n${key} = { a = 1 }\n`);
    t.match(wrongType, {
      code: 'CONFIG_INVALID',
      exitCode: 78,
      location: { line: 3, key: `${section}.${key}` },
    });
    const unknown = refusal(`[${section}]\n\n${key}x = 1\n`);
    t.match(unknown, { code: 'CONFIG_INVALID', location: { line: 3, key: `${section}.${key}x` } });
  }
});

t.test('a number without a unit, a value out of range, an unknown section, broken TOML', async (t) => {
  const bare = refusal('[tick]\nperiod = 50\n');
  t.match(bare.message, 'write period_ms');
  t.match(bare.location, { file: 'f.toml', line: 2, key: 'tick.period' });
  t.match(refusal('[tick]\nperiod_s = 1\n').message, 'did you mean period_ms');
  t.match(refusal('[tick]\nperiod_ms = 55\n').message, 'got 55');
  t.match(refusal('[store]\nmax_size_mb = nan\n').location, { line: 2, key: 'store.max_size_mb' });
  t.match(refusal('[tools]\nbreaker_open_ms = inf\n').location.key, 'tools.breaker_open_ms');
  t.match(refusal('tick.period_ms = 33\n').location, { line: 1, key: 'tick.period_ms' });
  t.match(refusal('[tick]\n[rocket]\nthrust_s = 1\n').location, { line: 2, key: 'rocket' });
  t.match(refusal('[tick\nperiod_ms = 50\n').location, { file: 'f.toml', line: 1 });
  t.match(refusal('[vehicle]\njurisdiction = "germany"\n').message, 'a path in capitals such as DEU');
  const several = refusal('[tick]\nperiod = 1\n[act]\nsink = "brake"\n');
  t.match(several.message, /also: f\.toml:4: act\.sink/, 'all findings are told at once');
  t.match(refusal('[__proto__]\nx = 1\n').code, 'CONFIG_INVALID');
});

t.test('of very many findings twenty are told and the others counted', async (t) => {
  const keys = Array.from({ length: 50_000 }, (_, i) => `k${i} = 1\n`).join('');
  const { message } = refusal(`[tick]\n${keys}`);
  t.equal(message.split('\n').length, 21);
  t.match(message, /\n {2}and 49980 more findings$/);
  t.notMatch(refusal('[tick]\na = 1\nb = 1\n').message, 'more finding');
  t.ok(refusal(`[vehicle]\njurisdiction = "${'x'.repeat(100_000)}"\n`).message.length < 500);
});

t.test('the digest tells configurations apart and nothing else does', async (t) => {
  const plain = configDigest(parseConfig('', 'a'));
  t.match(plain, /^[0-9a-f]{64}$/);
  t.equal(configDigest(parseConfig('[tick]\nperiod_ms = 50\n# words\n', 'b')), plain);
  t.not(configDigest(parseConfig('[tick]\nperiod_ms = 20\n', 'c')), plain);
});

t.test('files: missing, binary, huge; paths start at the file; the command line wins', async (t) => {
  const folder = t.testdir({
    'ok.toml': '[vehicle]\ndbc = ["car.dbc", "/abs.dbc"]\n[tick]\nperiod_ms = 20\n',
    'huge.toml': `# ${'x'.repeat(1_100_000)}`,
  });
  writeFileSync(join(folder, 'binary.toml'), Buffer.from([0xff, 0xfe, 0x00, 0x80]));
  t.throws(() => loadConfig(join(folder, 'none.toml')), { code: 'FILE_MISSING' });
  t.throws(() => loadConfig(folder), { code: 'FILE_UNREADABLE' });
  t.throws(() => loadConfig('/dev/zero'), { code: 'FILE_UNREADABLE' }, 'a device has no end');
  t.throws(() => loadConfig(join(folder, 'binary.toml')), { code: 'CONFIG_INVALID' });
  t.throws(() => loadConfig(join(folder, 'huge.toml')), { code: 'CONFIG_INVALID' });
  const { config } = loadConfig(join(folder, 'ok.toml'), { tick: { period_ms: 100 } });
  t.same(config.vehicle.dbc, [join(folder, 'car.dbc'), '/abs.dbc']);
  const given = loadConfig(join(folder, 'ok.toml'), { vehicle: { dbc: ['mine.dbc'], profile: './car' } });
  t.same(given.config.vehicle.dbc, [resolve('mine.dbc')], 'on the command line they start where it is typed');
  t.equal(given.config.vehicle.profile, resolve('car'));
  t.equal(loadConfig(null, { vehicle: { profile: 'sim-car' } }).config.vehicle.profile, 'sim-car');
  t.equal(config.tick.period_ms, 100);
  t.throws(() => loadConfig(null, { vehicle: { jurisdiction: 'de' } }), { code: 'USAGE' });
});

t.test('drivemcp config', async (t) => {
  const folder = t.testdir({
    'a.toml': '[driver]\nunits = "mph"\n',
    'bad.toml': '[driver]\nunit = "mph"\n',
    'lawless.toml': '[vehicle]\njurisdiction = "XXX"\n',
  });
  const toml = await drivemcp(['config', '--effective', '--config', join(folder, 'a.toml')]);
  t.equal(toml.code, 0, toml.stderr);
  t.same(
    parseConfig(toml.stdout, 'printed'),
    parseConfig('[driver]\nunits = "mph"\n', 'a'),
    'what is printed can be used',
  );
  const json = await drivemcp(['config', '--json']);
  t.match(json.objects(), [{ config: { tick: { period_ms: 50 } }, file: null }]);
  t.equal(toml.stderr, '');
  const lawless = await drivemcp(['config', '--json', '--config', join(folder, 'lawless.toml')]);
  t.equal(lawless.code, 0);
  t.match(lawless.stderr, 'there is no rulepack for XXX');
  const bad = await drivemcp(['config', '--config', join(folder, 'bad.toml')]);
  t.equal(bad.code, 78);
  t.match(bad.stderr, /bad\.toml:2: driver\.unit: unknown key/);
  t.equal(bad.stdout, '');
});
