/** `dbc check`, `can decode` and `can stats` as users run them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { columns, compact } from '../../daemon/cli/table.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';

const folder = t.testdir();
const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const dbc = file(
  'car.dbc',
  [
    'BO_ 291 STATUS: 8 ECU',
    ' SG_ Speed : 0|16@1+ (0.01,0) [0|0] "km/h" X',
    ' SG_ Gear : 16|4@1+ (1,0) [0|0] "" X',
    ' SG_ Counter : 32|64@1+ (1,0) [0|0] "" X',
    'BO_ 292 WIDE: 8 ECU',
    ' SG_ Big : 0|64@1+ (1,0) [0|0] "" X',
    'BO_ 293 FLOATS: 4 ECU',
    ' SG_ F : 0|32@1- (1,0) [0|0] "" X',
    'BO_ 294 MUX: 2 ECU',
    ' SG_ 7 m1 : 8|8@1+ (1,0) [0|0] "" X',
    ' SG_ Sel M : 0|8@1+ (1,0) [0|0] "" X',
    'BO_ 2364540158 EEC1: 8 ECU',
    ' SG_ EngineSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X',
    'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";',
    'BA_DEF_DEF_ "VFrameFormat" "ExtendedCAN";',
    'BA_ "VFrameFormat" BO_ 2364540158 3;',
    'VAL_ 291 Gear 3 "third" 15 "invalid" ;',
    'SIG_VALTYPE_ 293 F : 1;',
    '',
  ].join('\n'),
);
const log = [
  '(1.000000) can0 123#1027030000000000',
  '(1.010000) can0 123#10',
  '(1.020000) can0 123#102703000000000011223344',
  '(1.030000) can1 124#0123456789abcdef',
  '(1.040000) can1 125#0000c07f',
  '(1.050000) can1 125#0000803f',
  '(1.060000) can1 126#0105',
  '(1.070000) can1 126#0905',
  '(1.080000) can1 18F00427#FFFFFF6813FFFFFF',
  '(1.090000) can1 7FF#0102',
  'this line is damaged',
  '(1.100000) can1 123#R8',
  '(1.110000) can1 20000004#0004000000000000',
  '',
].join('\n');
const logPath = file('drive.log', log);

t.test('can decode --json: values, notes, order', async (t) => {
  const run = await drivemcp(['can', 'decode', logPath, '--dbc', dbc, '--json']);
  t.equal(run.code, 0, run.stderr);
  const lines = run.stdout.trimEnd().split('\n');
  const base = '"ext":false,"fd":false';
  t.same(lines, [
    `{"t":1,"bus":"can0","id":291,${base},"name":"STATUS","signals":{"Speed":100,"Gear":3}}`,
    `{"t":1.01,"bus":"can0","id":291,${base},"name":"STATUS","signals":{},"diag":["short"]}`,
    `{"t":1.03,"bus":"can1","id":292,${base},"name":"WIDE","signals":{"Big":"17279655951921914625"}}`,
    `{"t":1.04,"bus":"can1","id":293,${base},"name":"FLOATS","signals":{"F":"NaN"}}`,
    `{"t":1.05,"bus":"can1","id":293,${base},"name":"FLOATS","signals":{"F":1}}`,
    `{"t":1.06,"bus":"can1","id":294,${base},"name":"MUX","signals":{"7":5,"Sel":1}}`,
    `{"t":1.07,"bus":"can1","id":294,${base},"name":"MUX","signals":{"Sel":9},"diag":["mux_unknown"]}`,
    '{"t":1.08,"bus":"can1","id":418382887,"ext":true,"fd":false,"name":"EEC1","signals":{"EngineSpeed":621}}',
  ]);
  t.match(run.stderr, /damaged/);
});

t.test('can decode --all --labels', async (t) => {
  const run = await drivemcp(['can', 'decode', logPath, '--dbc', dbc, '--json', '--all', '--labels']);
  t.equal(run.code, 0);
  const objects = run.objects();
  t.same(objects[0]?.['labels'], { Gear: 'third' });
  t.match(
    objects.find((o) => o['id'] === 0x7ff),
    { name: null, data: '0102' },
  );
  t.match(
    objects.find((o) => o['remote'] === true),
    { id: 291, dlc: 8, name: 'STATUS' },
  );
  t.ok(objects.some((o) => o['error'] === true));
});

t.test('can decode for people, from a pipe and from gzip', async (t) => {
  const run = await drivemcp(['can', 'decode', '-', '--dbc', dbc, '--labels'], { stdin: log });
  t.equal(run.code, 0);
  t.match(run.stdout.split('\n')[0], /1\.000000 +can0 +123 +STATUS +Speed=100 km\/h +Gear=3 \(third\)/);
  const packed = file('drive.log.gz', gzipSync(log));
  const json = await drivemcp(['can', 'decode', packed, '--dbc', dbc, '--json']);
  t.equal(json.objects().length, 8);
});

t.test('can decode --profile: what the profile marks as not available is null', async (t) => {
  const profile = file(
    'profile.json',
    JSON.stringify({
      profile: 1,
      name: 'test-car',
      dbc: [{ file: 'car.dbc' }],
      signals: {
        'STATUS.Speed': { vss: 'Vehicle.Speed', invalid_raw: [10000] },
        'EEC1.EngineSpeed': { vss: 'Vehicle.Powertrain.CombustionEngine.Speed' },
      },
    }),
  );
  // The DBC beside the profile is found without being named.
  for (const extra of [[], ['--dbc', dbc]]) {
    const run = await drivemcp(['can', 'decode', logPath, '--profile', profile, '--json', ...extra]);
    t.equal(run.code, 0, run.stderr);
    t.same(run.objects()[0]?.['signals'], { Speed: null, Gear: 3 });
    t.same(run.objects().at(-1)?.['signals'], { EngineSpeed: 621 });
  }
  const text = await drivemcp(['can', 'decode', logPath, '--profile', profile]);
  t.match(text.stdout, /Speed=n\/a/);
  t.equal((await drivemcp(['can', 'decode', logPath, '--profile', join(folder, 'none.json')])).code, 69);
});

t.test('can stats', async (t) => {
  const run = await drivemcp(['can', 'stats', logPath, '--dbc', dbc, '--json']);
  t.equal(run.code, 0, run.stderr);
  const [stats] = run.objects();
  t.match(stats, { frames: 11, known: 8, unknown: 1, short: 1, errors: 1, remote: 1 });
  t.equal(
    stats?.['frames'] as number,
    ['known', 'unknown', 'errors', 'remote'].reduce((sum, key) => sum + (stats?.[key] as number), 0),
  );
  t.ok((stats?.['damaged'] as number) >= 1);
  const signals = stats?.['signals'] as Record<string, unknown>;
  t.same(Object.keys(signals), [
    'STATUS.Speed',
    'STATUS.Gear',
    'WIDE.Big',
    'FLOATS.F',
    'MUX.7',
    'MUX.Sel',
    'EEC1.EngineSpeed',
  ]);
  t.same(signals['STATUS.Speed'], { count: 1, min: 100, max: 100, sum: 100, last: 100 });
  t.same(signals['FLOATS.F'], { count: 2, min: 1, max: 1, sum: 1, last: 1 }, 'NaN counts, no more');
  t.same(signals['MUX.Sel'], { count: 2, min: 1, max: 9, sum: 10, last: 9 });
  const text = await drivemcp(['can', 'stats', logPath, '--dbc', dbc]);
  t.match(text.stdout, /11 frames: 8 known, 1 unknown/);
  t.match(text.stdout, /EEC1\.EngineSpeed +1 +621/);
  t.match(text.stdout, /id +message +frames +per s\n/, 'a table of the messages');
  t.match(text.stdout, /and 1 signal that never changed|and \d+ signals that never changed/);
  t.match((await drivemcp(['can', 'stats', logPath, '--dbc', dbc, '--all'])).stdout, /FLOATS\.F +2 +1 +1 /);
});

t.test('tables keep to the width of a terminal: texts are cut, numbers stay', (t) => {
  const rows = [
    ['a text that is long', '123456', 'another long text'],
    ['short', '7', 'x'],
  ];
  const align = ['left', 'right', 'left'] as const;
  for (const width of [20, 26, 30, 34, 60]) {
    for (const line of columns(rows, align, width)) {
      t.ok(line.length <= Math.max(width, 26), `${width}: ${line}`);
    }
  }
  t.match(columns(rows, align, 30)[0], /123456/);
  t.match(columns(rows, align)[0], 'another long text', 'whole in a pipe');
  t.same([0.1600000000000037, 1e20, 621, -0.25, null].map(compact), ['0.16', '1e+20', '621', '-0.25', '-']);
  t.end();
});

t.test('decoded frames of a pipe are shown at once, and SIGINT ends the wait for more', async (t) => {
  const child = spawn(process.execPath, [drivemcpScript, 'can', 'decode', '-', '--dbc', dbc, '--json']);
  child.stdin.write('(1.000000) can0 123#1027\n');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  t.match(JSON.parse(line.toString()), { signals: { Speed: 100 } });
  // stdin stays open: only the signal can end the command.
  child.kill('SIGINT');
  t.same(await once(child, 'close'), [0, null]);
});

t.test('several DBC files: the later one counts', async (t) => {
  const other = file('other.dbc', 'BO_ 291 OTHER: 8 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\n');
  const run = await drivemcp(['can', 'decode', logPath, '--dbc', dbc, '--dbc', other, '--json']);
  t.same(run.objects()[0]?.['signals'], { A: 0x10 });
  t.match(run.stderr, /OTHER of the later file is used, not STATUS/);
});

const findingsOf = (report: Record<string, unknown> | undefined): { line: number; code: string }[] =>
  (report?.['diagnostics'] ?? []) as { line: number; code: string }[];

t.test('dbc check', async (t) => {
  const good = await drivemcp(['dbc', 'check', dbc, '--json']);
  t.equal(good.code, 0);
  const [report] = good.objects();
  t.match(report, { ok: true, messages: 5, signals: 8 });
  t.same(
    findingsOf(report).map((d) => `${d.line} ${d.code}`),
    ['4 signal_outside_message', '10 name_not_identifier'],
  );
  const damaged = file('damaged.dbc', 'BO_ 1 A: 8 X\n SG_ S : 0|8 1+ (1,0) [0|0] "" X\nBO_ 2 B: 8 X\n');
  const bad = await drivemcp(['dbc', 'check', damaged, dbc, '--json']);
  t.equal(bad.code, 1);
  t.same(bad.objects()[0], {
    file: damaged,
    ok: false,
    messages: 2,
    signals: 0,
    sha256: bad.objects()[0]?.['sha256'],
    diagnostics: [
      {
        line: 2,
        column: 14,
        severity: 'error',
        code: 'syntax_error',
        message: "SG_: expected '@' before the byte order, found '1+ (1,0) [0|0] \"\" X'",
      },
    ],
  });
  const text = await drivemcp(['dbc', 'check', damaged]);
  t.match(text.stdout, /not ok, 2 messages, 0 signals, 1 error\n {2}2:14 {2}error {2}syntax_error/);

  const empty = await drivemcp(['dbc', 'check', file('empty.dbc', ''), '--json']);
  t.equal(empty.code, 78);
  t.match(empty.objects()[0], { ok: false, messages: 0, signals: 0 });
  t.match(empty.objects()[0]?.['diagnostics'], [
    { line: 1, column: 1, severity: 'error', code: 'empty_file' },
  ]);
  const missing = await drivemcp(['dbc', 'check', join(folder, 'none.dbc'), damaged]);
  t.equal(missing.code, 69);
  t.match(missing.stderr, /none\.dbc.*FILE_MISSING/s);
  t.match(missing.stdout, /damaged\.dbc/, 'the other files are still looked at');
  t.equal((await drivemcp(['dbc', 'check'])).code, 2);
});

t.test('bad input: exit codes and located messages', async (t) => {
  mkdirSync(join(folder, 'dir.dbc'));
  const binary = file(
    'binary.dbc',
    Uint8Array.from({ length: 4096 }, (_, i) => (i * 37) & 0xff),
  );
  const damaged = file('part.dbc', 'BO_ 291 A: 8 X\n SG_ S : 0|8@1+ (1,0) [0|0] "" X\nBO_ x B: 8 X\n');
  const cases: [args: string[], code: number, stderr: RegExp][] = [
    [['can', 'decode', logPath], 2, /--dbc/],
    [['can', 'decode', '--dbc', dbc], 2, /takes LOG/],
    [['can', 'stats', logPath, '--dbc', dbc, '--nope'], 2, /nope/],
    [['can', 'decode', logPath, '--dbc', join(folder, 'none.dbc')], 69, /none\.dbc.*FILE_MISSING/],
    [['can', 'decode', logPath, '--dbc', join(folder, 'dir.dbc')], 69, /FILE_UNREADABLE/],
    [['can', 'decode', logPath, '--dbc', binary], 78, /binary\.dbc:1:\d+: .*DBC_INVALID/],
    [['can', 'decode', logPath, '--dbc', file('e.dbc', '')], 78, /e\.dbc:1:1: .*DBC_INVALID/],
    [['can', 'decode', logPath, '--dbc', logPath], 78, /drive\.log:1:1: .*DBC_INVALID/],
    [['can', 'decode', join(folder, 'none.log'), '--dbc', dbc], 69, /none\.log/],
    [['can', 'stats', file('empty.log', ''), '--dbc', dbc], 78, /empty\.log/],
    [['can', 'stats', binary, '--dbc', dbc], 78, /binary\.dbc/],
    [['can', 'decode', logPath, '--dbc', damaged], 0, /part\.dbc:3:5: .*syntax_error/],
  ];
  for (const [args, code, stderr] of cases) {
    const run = await drivemcp(args);
    t.equal(run.code, code, `${args.join(' ')}: ${run.stderr}`);
    t.match(run.stderr, stderr);
    t.notMatch(run.stderr, /unexpected error/);
  }
  const nothing = await drivemcp([
    'can',
    'decode',
    logPath,
    '--dbc',
    file('x.dbc', 'BO_ 1 A: 8 X\n'),
    '--json',
  ]);
  t.equal(nothing.code, 0);
  t.equal(nothing.stdout, '');
  t.match(nothing.stderr, /none of .* frames has an id that the DBC knows/);
});
