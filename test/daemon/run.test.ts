import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing, drivemcpScript } from '../helpers/paths.js';
import { tinyFiles, tinyFrame, tinyLog } from './tiny-drive.js';

interface Summary {
  readonly run: string;
  readonly ticks: number;
  readonly decisions: { act: number; speak: number; none: number };
  readonly late_us: { p50: number; p99: number; max: number };
  readonly decision_hash: string;
  readonly audit_head: string;
  readonly modes: Record<string, number>;
  readonly recording: string;
  readonly act: { sink: string; released: number };
  readonly input: Record<string, number>;
  readonly ended_by?: string;
  readonly equal?: boolean;
  readonly first_difference?: number | null;
  readonly pinned?: string;
  readonly truncated?: boolean;
}

function summaryOf(result: { objects(): Record<string, unknown>[]; stderr: string }): Summary {
  const last = result.objects().at(-1);
  if (!last || !('summary' in last)) throw new Error(`no summary: ${result.stderr}`);
  return last['summary'] as Summary;
}

/** A tiny drive in a folder of its own; runs in it by default go to the state directory `state`. */
function tiny(t: Test, files = tinyFiles()) {
  const folder = t.testdir(files);
  const at = (...parts: string[]) => join(folder, ...parts);
  const state = ['--state', at('state')];
  const drive = ['--source', at('drive.log'), '--profile', folder, '--jurisdiction', 'DEU'];
  return { folder, at, state, drive };
}

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
  t.match(refused.stderr, 'act.sink');
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
  t.equal(readdirSync(folder).length, 1, 'a temporary state directory');
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

t.test('what is missing is said: no mapping, no speed, no file, no frames', async (t) => {
  const { at, state, folder } = tiny(t, {
    ...tinyFiles(),
    'other.dbc': 'VERSION ""\nBU_: A\nBO_ 1 X: 8 A\n SG_ Foo : 0|8@1+ (1,0) [0|0] "" A\n',
    'empty.log': '',
    'words.log': 'this is no log\n',
  });
  writeFileSync(at('bytes.log'), Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)));
  const cases: [string[], number, RegExp][] = [
    [['--source', at('drive.log')], 78, /INPUTS_MISSING/],
    [['--source', at('drive.log'), '--dbc', at('other.dbc')], 78, /Vehicle\.Speed.*INPUTS_MISSING/s],
    [['--source', at('none.log'), '--dbc', at('tiny.dbc')], 69, /FILE_MISSING/],
    [['--source', at('drive.log'), '--dbc', at('none.dbc')], 69, /FILE_MISSING/],
    [['--source', folder, '--dbc', at('tiny.dbc')], 69, /FILE_UNREADABLE/],
    [['--source', at('empty.log'), '--dbc', at('tiny.dbc')], 78, /LOG_NO_FRAMES/],
    [['--source', at('words.log'), '--dbc', at('tiny.dbc')], 78, /LOG_FORMAT_UNKNOWN/],
    [['--source', at('bytes.log'), '--dbc', at('tiny.dbc')], 78, /LOG_FORMAT_UNKNOWN/],
    [['--source', at('drive.log'), '--speed', '0'], 2, /--speed/],
    [['--source', at('drive.log'), '--period-ms', '33'], 2, /tick\.period_ms/],
    [['--source', at('drive.log'), '--preset', 'bold'], 2, /core\.preset/],
    [['--nonsense'], 2, /nonsense/],
  ];
  for (const [args, code, message] of cases) {
    const result = await drivemcp(['run', ...args, ...state]);
    t.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`);
    t.match(result.stderr, message);
    t.equal(result.stdout, '');
  }
  const drafted = await drivemcp(['run', '--source', at('drive.log'), '--dbc', at('tiny.dbc'), ...state]);
  t.equal(drafted.code, 0);
  t.match(drafted.stderr, /no vehicle profile was given: one was drafted/);
});

t.test('configuration: unknown key, number without unit, from the state directory too', async (t) => {
  const { state, drive, at } = tiny(t, {
    ...tinyFiles(),
    'bad.toml': '[tick]\nperiod = 20\n',
    state: { 'drivemcp.toml': '[driver]\nlanguages = "de"\n' },
  });
  const bare = await drivemcp(['run', ...drive, ...state, '--config', at('bad.toml')]);
  t.equal(bare.code, 78);
  t.match(bare.stderr, /bad\.toml:2: tick\.period: .*write period_ms/);
  const own = await drivemcp(['run', ...drive, ...state]);
  t.equal(own.code, 78);
  t.match(own.stderr, /drivemcp\.toml:2: driver\.languages/);
});

t.test('a second daemon on a state directory, and one that cannot be written', async (t) => {
  const { state, drive, at } = tiny(t);
  const first = live(['run', '--source', '-', '--profile', at(), ...state, '--json']);
  first.feed();
  await first.started(at('state'));
  const second = await drivemcp(['run', ...drive, ...state]);
  t.equal(second.code, 69, second.stderr);
  t.match(second.stderr, 'STATE_LOCKED');
  t.equal((await first.stop('SIGTERM')).code, 0);
  t.equal((await drivemcp(['run', ...drive, ...state])).code, 0, 'free again');
  const file = at('a-file');
  writeFileSync(file, '');
  const unwritable = await drivemcp(['run', ...drive, '--state', join(file, 'state')]);
  t.equal(unwritable.code, 69, unwritable.stderr);
  t.match(unwritable.stderr, 'STATE_UNWRITABLE');
});

t.test('a pipe that is being filled runs live and ends with a summary on a signal', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { state, at } = tiny(t);
    const daemon = live(['run', '--source', '-', '--profile', at(), ...state, '--json']);
    daemon.feed();
    await daemon.started(at('state'));
    const result = await daemon.stop(signal);
    t.equal(result.code, 0, result.stderr);
    const summary = summaryOf(result);
    t.match(summary, { ended_by: 'signal' });
    t.ok((summary.input['frames'] ?? 0) > 0);
    t.equal((await drivemcp(['replay', ...state, '--json'])).code, 0, 'what was live is replayed alike');
  }
});

t.test('a silent pipe: a signal ends the wait', async (t) => {
  const { state, at } = tiny(t);
  const daemon = live(['run', '--source', '-', '--profile', at(), ...state]);
  await daemon.waiting();
  const result = await daemon.stop('SIGTERM');
  t.equal(result.code, 0, result.stderr);
});

t.test('a recorded log through a pipe is played on its own time', async (t) => {
  const { state, drive, at } = tiny(t);
  const piped = await drivemcp(
    ['run', '--source', '-', '--profile', at(), '--jurisdiction', 'DEU', ...state, '--json'],
    {
      stdin: readFileSync(at('drive.log')),
    },
  );
  const file = await drivemcp(['run', ...drive, ...state, '--json']);
  t.equal(summaryOf(piped).decision_hash, summaryOf(file).decision_hash);
});

t.test('a clock set back an hour, and one set forward by years', async (t) => {
  const back = tinyLog({ seconds: 2 }) + tinyLog({ seconds: 2, startS: 1_700_000_002 - 3600 });
  const forward = tinyLog({ seconds: 2, startS: 10 }) + tinyLog({ seconds: 2 });
  const { at, state, folder } = tiny(t, { ...tinyFiles(), 'back.log': back, 'forward.log': forward });
  const run = (file: string) =>
    drivemcp(['run', '--source', at(file), '--profile', folder, ...state, '--json']);
  const straight = summaryOf(await run('drive.log'));
  t.match(summaryOf(await run('back.log')), {
    ticks: straight.ticks,
    input: { frames: 200, clock_steps_back: 1 },
  });
  t.match(
    summaryOf(await run('forward.log')),
    { ticks: straight.ticks + 1199, input: { gaps_shortened: 1 } },
    'fifty years are a minute',
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

t.test('doctor: every check has a status, failures have advice', async (t) => {
  const { at } = tiny(t);
  const good = await drivemcp(['doctor', '--state', at('state'), '--json']);
  const checks = good.objects();
  t.equal(good.code, (checks.at(-1)?.['summary'] as { fail: number }).fail > 0 ? 1 : 0);
  t.ok(checks.length > 10);
  t.ok(checks.some((check) => check['check'] === 'sqlite' && check['status'] === 'ok'));
  t.notOk(existsSync(at('state')), 'it changes nothing');
  writeFileSync(at('bad.toml'), 'x = 1\n');
  const bad = await drivemcp(['doctor', '--state', at('drive.log'), '--config', at('bad.toml')]);
  t.equal(bad.code, 1);
  t.match(bad.stdout, /FAIL {2}configuration.*bad\.toml:1/);
  t.match(bad.stdout, /FAIL {2}state directory/);
});

t.test('recordings of real cars lead to decisions', async (t) => {
  const cases = [
    ['ford_gt350_modes_engine_on.log', 'ford_lincoln_base_pt.dbc'],
    ['hyundai_kona_turnon_v11.trc', 'hyundai_2015_ccan.dbc'],
  ] as const;
  for (const [log, dbc] of cases) {
    const [source, dbcFile] = [corpusFile('can', 'logs', log), corpusFile('can', 'dbc', dbc)];
    if (source === null || dbcFile === null) {
      t.skip(corpusMissing);
      return;
    }
    const state = ['--state', join(t.testdir({}), 'state')];
    const run = await drivemcp(['run', '--source', source, '--dbc', dbcFile, ...state, '--json']);
    t.equal(run.code, 0, run.stderr);
    t.ok(summaryOf(run).ticks > 200);
    t.match(summaryOf(await drivemcp(['replay', ...state, '--json'])), { equal: true });
  }
});

/** A daemon on a pipe that a test fills and stops. */
function live(args: readonly string[]) {
  const child = spawn(process.execPath, [drivemcpScript, ...args], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.on('error', () => {});
  let feeding: NodeJS.Timeout | undefined;
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  const until = async (isTrue: () => boolean) => {
    while (!isTrue() && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return {
    feed: () => {
      feeding = setInterval(() => child.stdin.write(tinyFrame(Date.now() / 1000, 50)), 20);
    },
    /** its recording exists: the run has begun, records and lock are held */
    started: (stateDir: string) =>
      until(
        () =>
          existsSync(join(stateDir, 'recordings')) && readdirSync(join(stateDir, 'recordings')).length > 0,
      ),
    waiting: () => new Promise((resolve) => child.once('spawn', () => setTimeout(resolve, 1000))),
    stop: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      const code = await ended;
      clearInterval(feeding);
      const objects = () =>
        stdout
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as Record<string, unknown>);
      return { code, stdout, stderr, objects };
    },
  };
}
