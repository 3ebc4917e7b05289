import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createParams } from '../../daemon/core/params.js';
import type { TickInputs } from '../../daemon/core/tick.js';
import { RecordingWriter } from '../../daemon/record/recording-writer.js';
import { printable, printableJson, printableLines } from '../../daemon/runtime/printable.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { summaryOf, tiny, tinyFiles } from './tiny-drive.js';

t.test('a drive in, decisions out; replayed twice; explained; audited', async (t) => {
  const { state, drive, at } = tiny(t);
  const run = await drivemcp(['run', ...drive, ...state, '--json']);
  t.equal(run.code, 0, run.stderr);
  const summary = summaryOf(run);
  t.equal(summary.ticks, 81, 'four seconds, the first tick at 0 and the last after the last frame');
  t.equal(summary.decisions.act + summary.decisions.speak + summary.decisions.none, summary.ticks);
  t.match(summary.decision_hash, /^[0-9a-f]{64}$/);
  t.match(summary.audit_head, /^[0-9a-f]{64}$/);
  t.match(summary.late_us, { p50: Number, p99: Number, max: Number });
  t.match(summary.act, { sink: 'none', released: 0 });
  const spoken = run.objects().filter((one) => one['decision'] === 'speak');
  t.equal(spoken.length, summary.decisions.speak, 'one object a decision that is not none');

  const again = await drivemcp(['run', ...drive, '--state', at('other'), '--speed', '40', '--json']);
  t.equal(summaryOf(again).decision_hash, summary.decision_hash, 'the same decisions at another speed');

  for (const word of [[], [summary.run], [summary.recording]]) {
    const replay = await drivemcp(['replay', ...word, ...state, '--json']);
    t.equal(replay.code, 0, replay.stderr);
    t.match(summaryOf(replay), {
      equal: true,
      first_difference: null,
      decision_hash: summary.decision_hash,
      audit_head: summary.audit_head,
      ticks: summary.ticks,
      decisions: summary.decisions,
    });
  }

  const tick = String(spoken[0]?.['tick']);
  const explained = await drivemcp(['explain', tick, ...state, '--run', summary.run, '--json']);
  t.match(explained.objects(), [
    { tick: Number(tick), as_recorded: true, record: { safety: {}, fused: {} } },
  ]);
  const words = await drivemcp(['explain', '70', ...state]);
  t.equal(words.code, 0, words.stderr);
  for (const part of [
    'events',
    'experts',
    'fused',
    'numbers',
    'arbitration',
    'driver hears',
    'as recorded',
    'time to collision',
  ]) {
    t.match(words.stdout, part);
  }
  const verify = await drivemcp(['audit', 'verify', ...state]);
  t.equal(verify.code, 0, verify.stderr);
  t.strictSame(
    summary.inputs_missing,
    ['road_class', 'signs_or_gantries', 'vehicles_ahead', 'weather'],
    'a car that tells its speed and its brake pedal, started in a country',
  );
  t.match(verify.stdout, summary.audit_head, 'the head that the summary names');
});

t.test('output for people: header, lines, summary, and next commands that work as printed', async (t) => {
  const { state, drive } = tiny(t);
  const run = await drivemcp(['run', ...drive, ...state]);
  t.equal(run.code, 0, run.stderr);
  t.match(run.stdout, /SPEAK {5}\S/);
  t.notMatch(run.stdout, '\u001b', 'no colour in a pipe');
  const next = run.stdout.split('where to look next')[1] ?? '';
  const commands = [...next.matchAll(/drivemcp (\w.*?) {2,}/g)].map((match) => (match[1] ?? '').split(' '));
  t.same(
    commands.map((words) => words[0]),
    ['explain', 'audit', 'replay'],
  );
  for (const words of commands) {
    const result = await drivemcp(words);
    t.equal(result.code, 0, `${words.join(' ')}: ${result.stderr}`);
  }
});

t.test('ACT is off by default, with a car as with a simulator, and only the log is a sink', async (t) => {
  const { state, drive } = tiny(t);
  t.match(summaryOf(await drivemcp(['run', ...drive, ...state, '--json'])).act, { sink: 'none' });
  const refused = await drivemcp(['run', ...drive, ...state, '--act', 'brakes']);
  t.equal(refused.code, 2);
  t.match(refused.stderr, '--act brakes: one of none, log');
  t.match(summaryOf(await drivemcp(['run', ...drive, ...state, '--act', 'log', '--json'])).act, {
    sink: 'log',
  });
});

t.test('the bundled drive: decides as pinned, ACT only into the log, own state directory', async (t) => {
  const folder = t.testdir({});
  const run = await drivemcp(['run', '--json'], { env: { TMPDIR: folder } });
  const summary = summaryOf(run);
  t.not(summary.pinned, 'differs', `decision hash ${summary.decision_hash}`);
  t.equal(run.code, 0, run.stderr);
  t.ok(summary.decisions.act > 0, 'the hard-braking lead leads to ACT');
  t.equal(summary.act.released, summary.decisions.act, 'each tick of it went to the log, none anywhere else');
  t.match(
    run.objects().filter((one) => 'act_end' in one),
    [{ t: Number, tick: Number, act_end: { seconds: Number, reason: 'driver' } }],
    'the end of the ACT, as the lines for people tell it',
  );
  t.equal(readdirSync(folder).length, 1, 'a temporary state directory');
  const acting = run.objects().find((one) => one['decision'] === 'act');
  const state = join(folder, readdirSync(folder)[0] ?? '');
  const why = await drivemcp(['explain', String(acting?.['tick']), '--state', state]);
  t.match(
    why.stdout,
    /“Nobody may drive on a motorway faster than 70 mph\.” Motorways Traffic \(Speed Limit\) Regulations 1974/,
    'the sentence cited',
  );
  t.match(why.stdout, /gap [\d.]+ m, closing [\d.]+ m\/s, .*confidence .*provenance perception/);
  const off = await drivemcp(['run', '--act', 'none', '--json', '--state', join(folder, 's')]);
  t.match(summaryOf(off), { decisions: { act: 0 }, act: { released: 0 }, pinned: 'not compared' });
  const literal = await drivemcp([
    'run',
    '--preset',
    'paper-literal',
    '--json',
    '--state',
    join(folder, 's'),
  ]);
  t.match(
    summaryOf(literal),
    { decisions: { act: 0 }, pinned: 'not compared' },
    'Table II as printed never acts',
  );
});

t.test(
  'replay finds a changed core, a cut recording, a drive instead of a run, and no run at all',
  async (t) => {
    const { state, drive, at } = tiny(t);
    const nothing = await drivemcp(['replay', ...state]);
    t.equal(nothing.code, 69);
    t.match(nothing.stderr, 'RUN_UNKNOWN');
    const { recording } = summaryOf(await drivemcp(['run', ...drive, ...state, '--json']));
    const unknown = await drivemcp(['explain', '9999', ...state]);
    t.equal(unknown.code, 69);
    t.match(unknown.stderr, /it holds 0 to 80/);
    t.equal((await drivemcp(['explain', 'x', ...state])).code, 2);
    const length = readFileSync(recording).length;
    truncateSync(recording, length - 40);
    const cut = await drivemcp(['replay', ...state, '--json']);
    t.equal(cut.code, 0, 'what is there was decided alike');
    t.match(summaryOf(cut), { truncated: true, equal: true });
    writeFileSync(recording, 'not a recording');
    t.equal((await drivemcp(['replay', ...state])).code, 78);
    const isDrive = await drivemcp(['replay', at('drive.log'), ...state]);
    t.equal(isDrive.code, 78);
  },
);

t.test('a recording made by somebody else: hostile heads and inputs are refused, not run into', async (t) => {
  const { at } = tiny(t);
  const inputs: TickInputs = {
    tick: 0,
    tUs: 0,
    wallMs: 0,
    lateUs: 0,
    missedTicks: 0,
    signals: [],
    facts: [],
    answers: [],
    sources: [],
    store: { healthy: true, durableTick: -1, lagUs: 0 },
    commands: [],
    actAuthorised: false,
  };
  const context = { params: createParams('default'), settings: {} };
  const cases: [string, Record<string, unknown>, object, RegExp][] = [
    ['no-context', {}, inputs, /no parameters/],
    ['no-params', { params: {}, settings: {} }, inputs, /parameter/],
    ['no-signal', context, { ...inputs, signals: [null] }, /signals\[0\]/],
    [
      'no-path',
      context,
      { ...inputs, signals: [{ value: 1, observedAtUs: 0, changes: 0 }] },
      /signals\[0\]\.path/,
    ],
    ['no-answer', context, { ...inputs, answers: [7] }, /answers\[0\]/],
    ['no-store', context, { ...inputs, store: undefined }, /store/],
    ['no-time', context, { ...inputs, tUs: Number.NaN }, /tick/],
    ['before-0', context, { ...inputs, tick: -1 }, /tick/],
  ];
  for (const [name, head, recorded, message] of cases) {
    const path = at(`${name}.drec`);
    const writer = await RecordingWriter.open(path, {
      kind: 'run',
      productVersion: '0',
      runId: '\u001b[31mred',
      description: '\u001b[2J',
      preset: 'default',
      tickPeriodUs: 50_000,
      isSimulated: false,
      startWallMs: null,
      digests: {},
      context: head,
    });
    writer.inputs(recorded as TickInputs);
    await writer.end({});
    for (const words of [
      ['replay', path],
      ['explain', '0', '--run', path],
    ]) {
      const result = await drivemcp(words);
      t.equal(result.code, 78, `${name}: ${result.stderr}`);
      t.match(result.stderr, message, name);
      t.notMatch(result.stdout + result.stderr, '\u001b', 'nothing moves the cursor');
    }
  }
});

t.test(
  'standard output that cannot be written: a line, exit code 69, and the run is closed all the same',
  async (t) => {
    const { state, drive } = tiny(t);
    const full = openSync('/dev/full', 'w');
    t.teardown(() => closeSync(full));
    const intoFull = (args: readonly string[]) =>
      spawnSync(process.execPath, [drivemcpScript, ...args], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
    for (const args of [
      ['run', ...drive, ...state],
      ['run', ...drive, ...state, '--json'],
      ['audit', 'export', ...state],
      ['replay', ...state],
      ['config'],
    ]) {
      const result = intoFull(args);
      t.equal(result.status, 69, `${args[0]}: ${result.stderr}`);
      t.match(
        result.stderr,
        /^drivemcp: standard output cannot be written: .*\(ENOSPC\) \[OUTPUT_FAILED\]$/m,
      );
      t.notMatch(result.stderr, /\n {4}at /, 'no stack');
    }
    t.equal((await drivemcp(['audit', 'verify', ...state])).code, 0);
    const runs = (await drivemcp(['audit', 'show', ...state, '--json'])).objects();
    t.ok(runs.every((run) => typeof run['end_ms'] === 'number'));
    t.equal((await drivemcp(['replay', ...state])).code, 0);
  },
);

t.test('messages that cannot be written stop nothing', async (t) => {
  const { state, drive } = tiny(t);
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  const result = spawnSync(process.execPath, [drivemcpScript, 'run', ...drive, ...state], {
    stdio: ['ignore', 'pipe', full],
    encoding: 'utf8',
  });
  t.equal(result.status, 0);
  t.match(result.stdout, 'decision hash');
});

t.test(
  'a reader that goes away ends a run before its time, with its records closed and exit code 0',
  async (t) => {
    const { state, drive, at } = tiny(t, tinyFiles({ seconds: 120, kmh: (tS) => (tS % 2 < 1 ? 20 : 90) }));
    const untilFirstByte = (args: readonly string[]) =>
      spawnSync('bash', ['-o', 'pipefail', '-c', 'node "$0" "$@" | head -c 1', drivemcpScript, ...args], {
        encoding: 'utf8',
      });
    const filter = untilFirstByte(['can', 'decode', at('drive.log'), '--dbc', at('tiny.dbc')]);
    t.match(filter, { status: 0, stderr: '' });
    const run = untilFirstByte(['run', ...drive, ...state]);
    t.equal(run.status, 0, run.stderr);
    t.notMatch(run.stderr, /\n {4}at /);
    const [only] = (await drivemcp(['audit', 'show', ...state, '--json'])).objects();
    t.type(only?.['end_ms'], 'number');
    t.equal((await drivemcp(['replay', ...state])).code, 0);
  },
);

t.test('no control or bidi character from a file reaches a terminal', async (t) => {
  const hostile = 'a\u001b[2J\u009b1m\u202e\u2066\u200f\u007fb';
  const isClean = /^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]*$/;
  t.match(printable(`${hostile}\n`), /^[^\n]*$/);
  t.match(printable(hostile), isClean);
  t.match(printableLines(`${hostile}\n`, false), isClean);
  t.equal(printableLines('\u001b[31mred\u001b[0m\u001b[2J', true), '\u001b[31mred\u001b[0m\ufffd[2J');
  t.same(JSON.parse(printableJson(JSON.stringify({ [hostile]: hostile }))), { [hostile]: hostile });
  const { at, dbc, log } = { at: tiny(t).at, dbc: 'tiny.dbc', log: 'hostile.log' };
  writeFileSync(at(log), '(1.000000) c\u009b2Jn\u202e 100#0000\n(1.100000) c\u009b2Jn\u202e 7FF#00\n');
  for (const json of [[], ['--json']]) {
    const result = await drivemcp(['can', 'decode', at(log), '--dbc', at(dbc), '--all', ...json]);
    t.equal(result.code, 0, result.stderr);
    t.match(result.stdout, isClean);
    t.match(result.stdout, /7FF|2047/);
    if (json.length > 0) t.equal(result.objects().length, 2);
  }
});
