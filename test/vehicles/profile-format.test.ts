import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { packageRoot } from '../../daemon/runtime/package-root.js';
import { parseLocatedJson } from '../../daemon/vehicles/profile/located-json.js';
import { parseProfile } from '../../daemon/vehicles/profile/parse-profile.js';
import { vssCatalogue } from '../../daemon/vehicles/vss/catalogue.js';
import { dimensionOf, fromCoreUnit, toCoreUnit, unitFor } from '../../daemon/vehicles/vss/units.js';

function errorOf(run: () => unknown): DriveMcpError {
  try {
    run();
  } catch (error) {
    if (error instanceof DriveMcpError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

t.test('JSON with positions reads what JSON.parse reads', async () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      // Refused by design, and tested where broken JSON is.
      fc.pre(!text.includes('"__proto__"'));
      const { value: read } = parseLocatedJson(text, 'x.json', 'PROFILE_INVALID');
      return JSON.stringify(read) === JSON.stringify(JSON.parse(text));
    }),
  );
});

t.test('broken JSON is refused at its place', async (t) => {
  const cases: readonly [text: string, line: number, column: number, words: RegExp][] = [
    ['', 1, 1, /ends too early/],
    ['{"a": 1,\n "a": 2}', 2, 2, /second time/],
    ['{"a": 1\n "b": 2}', 2, 2, /',' or '}'/],
    ['{"a": [1, 2}', 1, 12, /',' or ']'/],
    ['{"a": tru}', 1, 7, /'tru' is not a JSON value/],
    ['{"a": 01}', 1, 7, /'01' is not/],
    ['{"a": 1e999}', 1, 7, /too large/],
    ['{"a": NaN}', 1, 7, /'NaN' is not/],
    ['{"a": "x}\n', 1, 7, /closing quote/],
    ['{"a": "\\q"}', 1, 7, /unknown escape/],
    ['{"a": 1} x', 1, 10, /after the end/],
    ['{a: 1}', 1, 2, /double quotes/],
    ['{"a" 1}', 1, 6, /':' is expected/],
    ['{"__proto__": {"vss": "Vehicle.Speed"}}', 1, 2, /not allowed/],
    ['[1,]', 1, 4, /unexpected character/],
    ['\u0000\u0001', 1, 1, /unexpected character/],
    ['['.repeat(100), 1, 34, /levels of nesting/],
  ];
  for (const [text, line, column, words] of cases) {
    const error = errorOf(() => parseLocatedJson(text, 'p.json', 'PROFILE_INVALID'));
    t.match(error.message, words, JSON.stringify(text.slice(0, 20)));
    t.equal(error.location.line, line, text.slice(0, 20));
    t.equal(error.location.column, column, text.slice(0, 20));
  }
});

const good = {
  profile: 1,
  name: 'car',
  dbc: [{ file: 'car.dbc' }],
  signals: { 'M.S': { vss: 'Vehicle.Speed' } },
};

t.test('each fault of a profile is told with key and line', async (t) => {
  t.same(parseProfile(JSON.stringify(good), 'p.json').profile, good);
  const signal = (more: object) => ({ ...good, signals: { 'M.S': { vss: 'Vehicle.Speed', ...more } } });
  const cases: readonly [profile: unknown, key: string, words: RegExp][] = [
    [{ ...good, profile: 2 }, 'profile', /expected 1/],
    [{ ...good, name: 'my car' }, 'name', /letters, digits/],
    [{ ...good, name: '../x' }, 'name', /letters, digits/],
    [{ ...good, dbc: [] }, 'dbc', /1/],
    [{ ...good, dbc: [{ file: 'a.dbc', sha256: 'ABC' }] }, 'dbc.0.sha256', /64 lower-case/],
    [{ ...good, dbc: [{ file: '../car.dbc' }] }, 'dbc.0.file', /without folders/],
    [{ ...good, dbc: [{ file: '/dev/zero' }] }, 'dbc.0.file', /without folders/],
    [{ ...good, dbc: [{ file: '..' }] }, 'dbc.0.file', /without folders/],
    [{ ...good, extra: 1 }, 'extra', /unknown key 'extra'/],
    [{ ...good, signals: {} }, 'signals', /without signals/],
    [{ ...good, signals: { S: { vss: 'Vehicle.Speed' } } }, 'signals.S', /MESSAGE.SIGNAL/],
    [signal({ speling: 1 }), 'signals."M.S".speling', /unknown key/],
    [signal({ vss: 'Vehicle.Sped' }), 'signals."M.S".vss', /not a VSS path/],
    [signal({ vss: 'vehicle.speed' }), 'signals."M.S".vss', /did you mean Vehicle\.Speed/],
    [signal({ scale: 0 }), 'signals."M.S".scale', /same/],
    [signal({ scale: '2' }), 'signals."M.S".scale', /number/],
    [signal({ period_ms: 0 }), 'signals."M.S".period_ms', /0/],
    [signal({ min: 2, max: 1 }), 'signals."M.S".min', /above max/],
    [signal({ invalid_raw: [1.5] }), 'signals."M.S".invalid_raw.0', /./],
    [signal({ invalid_raw: [2 ** 60] }), 'signals."M.S".invalid_raw.0', /./],
    [signal({ invalid_raw: ['0x10'] }), 'signals."M.S".invalid_raw.0', /./],
    [signal({ checksum: { kind: 'md5', signal: 'C' } }), 'signals."M.S".checksum.kind', /xor8/],
    [signal({ counter: { signal: 'C', modulo: 1 } }), 'signals."M.S".counter.modulo', /2/],
    [signal({ required: 'yes' }), 'signals."M.S".required', /boolean/],
    [
      { ...good, signals: { 'M.S': { vss: 'Vehicle.Speed' }, 'M.T': { vss: 'Vehicle.Speed' } } },
      'signals."M.T".vss',
      /already comes from M\.S/,
    ],
  ];
  for (const [profile, key, words] of cases) {
    const error = errorOf(() => parseProfile(JSON.stringify(profile, null, 1), 'p.json'));
    t.equal(error.code, 'PROFILE_INVALID');
    t.equal(error.exitCode, 78);
    t.equal(error.location.key, key);
    t.match(error.message, words, key);
    t.ok((error.location.line ?? 0) > 1, `${key} has a line`);
  }
});

t.test('units: the spellings of real files, exact factors', async (t) => {
  const cases: readonly [
    unit: string,
    dimension: Parameters<typeof unitFor>[1],
    value: number,
    core: number,
  ][] = [
    ['km/h', 'speed', 36, 10],
    ['Unit_KiloMeterPerHour', 'speed', 3.6, 1],
    ['KPH', 'speed', 90, 25],
    ['mph', 'speed', 100, 44.704],
    ['m/s', 'speed', 7, 7],
    ['deg', 'temperature', -40, -40],
    ['deg', 'angle', 180, Math.PI],
    ['°C', 'temperature', 20, 20],
    ['ºC', 'temperature', 20, 20],
    ['F', 'temperature', 212, 100],
    ['K', 'temperature', 273.15, 0],
    ['bar', 'pressure', 2.5, 250],
    ['Degrees / s', 'angular_rate', 180, Math.PI],
    ['deg', 'angular_rate', 180, Math.PI],
    ['g', 'acceleration', 1, 9.80665],
    ['mV', 'voltage', 12_500, 12.5],
    ['km', 'distance', 1.5, 1500],
    ['mi', 'distance', 1, 1609.344],
    ['U/min', 'rotation', 900, 900],
    ['SED', 'none', 1, 1],
  ];
  for (const [unit, dimension, value, core] of cases) {
    const conversion = unitFor(unit, dimension);
    t.ok(conversion, `${unit} is a ${dimension}`);
    if (conversion)
      t.ok(Math.abs(toCoreUnit(value, conversion) - core) <= 1e-12 * Math.max(1, Math.abs(core)), unit);
  }
  t.equal(unitFor('km/h', 'temperature'), null);
  t.equal(unitFor('furlong', 'distance'), null);
  t.equal(dimensionOf(''), null);
  fc.assert(
    fc.property(
      fc.constantFrom(...cases),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      ([unit, dimension], value) => {
        const conversion = unitFor(unit, dimension)!;
        const back = fromCoreUnit(toCoreUnit(value, conversion), conversion);
        return Math.abs(back - value) <= 1e-9 * Math.max(1, Math.abs(value));
      },
    ),
  );
});

t.test('the catalogue is consistent, and the only paths in the program are its', async (t) => {
  for (const signal of vssCatalogue.values()) {
    t.ok(signal.min < signal.max, signal.path);
    t.equal(signal.fromVss.dimension, signal.dimension, signal.path);
    if (signal.datatype === 'boolean') t.same([signal.min, signal.max], [0, 1], signal.path);
    for (const code of Object.values(signal.codes ?? {})) {
      t.ok(code >= signal.min && code <= signal.max, `${signal.path} code ${code}`);
    }
    t.equal(
      signal.path.startsWith('Vehicle.OBD.'),
      signal.overlay === 'OBD',
      `${signal.path}: overlay is marked`,
    );
  }
  // VSS has it as a list of texts, which no DBC signal can be mapped to: not in the catalogue of signals.
  const known = [...vssCatalogue.keys(), 'Vehicle.Diagnostics.DTCList'];
  for (const folder of ['daemon', 'mcp', 'hil']) {
    for (const file of readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(join(packageRoot, folder, file), 'utf8');
      for (const [, path] of text.matchAll(/['"`](Vehicle\.[A-Za-z0-9.]+)['"`]/g)) {
        t.ok(
          known.some((each) => each === path || each.startsWith(`${path}.`)),
          `${path} in ${folder}/${file}`,
        );
      }
    }
  }
});
