import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { summaryOf, tiny, tinyFiles, tinyLog } from './tiny-drive.js';

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
    [['--source', at('drive.log'), '--period-ms', '33'], 2, /--period-ms 33: one of 20, 50, 100/],
    [['--source', at('drive.log'), '--preset', 'bold'], 2, /--preset bold: one of default, paper-literal/],
    [['--source', at('drive.log'), '--jurisdiction', 'deu'], 2, /--jurisdiction deu: a path in capitals/],
    [['--source', at('drive.log'), '--language', 'xx'], 2, /--language xx: one of en, de, fr/],
    [['--nonsense'], 2, /run has no option --nonsense/],
    [['--sorce', at('drive.log')], 2, /did you mean --source\?/],
    [['--source'], 2, /--source needs a value/],
    [['--source', '--live'], 2, /--source needs a value .*--source=--live/],
    [['--live=yes'], 2, /--live takes no value/],
    [['--config', at('none.toml')], 69, /none\.toml: there is no such file/],
  ];
  for (const [args, code, message] of cases) {
    const result = await drivemcp(['run', ...args, ...state]);
    t.equal(result.code, code, `${args.join(' ')}: ${result.stderr}`);
    t.match(result.stderr, message);
    t.equal(result.stdout, '');
  }
  const nowhere = await drivemcp(['run', '--state', '/proc/no']);
  t.equal(nowhere.code, 69);
  t.match(nowhere.stderr, /cannot make the state directory: there is no .*STATE_UNWRITABLE/);
  t.equal(nowhere.stdout, '', 'what ends a run comes before its header');
  const drafted = await drivemcp(['run', '--source', at('drive.log'), '--dbc', at('tiny.dbc'), ...state]);
  t.equal(drafted.code, 0);
  t.match(drafted.stderr, /no vehicle profile was given: one was drafted/);
});

t.test('unknown commands are guessed, help is found in every way one asks', async (t) => {
  const cases: [string[], number, 'stdout' | 'stderr', RegExp][] = [
    [['rn'], 2, 'stderr', /did you mean 'run'\?/],
    [['explian'], 2, 'stderr', /did you mean 'explain'\?/],
    [['xyzzy'], 2, 'stderr', /no command 'xyzzy' \[/],
    [['can', 'decdoe', 'x'], 2, 'stderr', /did you mean 'decode'\?/],
    [['can', '--json'], 2, 'stderr', /can decode/],
    [['can'], 2, 'stderr', /can decode/],
    [['help', 'run'], 0, 'stdout', /--record-frames/],
    [['help', 'can', 'decode'], 0, 'stdout', /--labels/],
    [['help', 'rn'], 2, 'stderr', /did you mean 'run'\?/],
    [['audit', 'show', '--kind', 'desision'], 2, 'stderr', /one of decision, .*did you mean decision\?/],
  ];
  for (const [words, code, stream, message] of cases) {
    const result = await drivemcp(words);
    t.equal(result.code, code, words.join(' '));
    t.match(result[stream], message);
    t.equal(result[stream === 'stdout' ? 'stderr' : 'stdout'], '', words.join(' '));
  }
});

t.test('configuration: unknown key, number without unit, from the state directory too', async (t) => {
  const { state, drive, at } = tiny(t, {
    ...tinyFiles(),
    'bad.toml': '[tick]\nperiod = 20\n',
  });
  mkdirSync(at('state'));
  writeFileSync(at('state', 'drivemcp.toml'), '[driver]\nlanguages = "de"\n');
  const bare = await drivemcp(['run', ...drive, ...state, '--config', at('bad.toml')]);
  t.equal(bare.code, 78);
  t.match(bare.stderr, /bad\.toml:2: tick\.period: .*write period_ms/);
  const own = await drivemcp(['run', ...drive, ...state]);
  t.equal(own.code, 78);
  t.match(own.stderr, /drivemcp\.toml:2: driver\.languages/);
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
    { ticks: straight.ticks + 1200, input: { gaps_shortened: 1 } },
    'fifty years are a minute',
  );
});

t.test('doctor: every check has a status, failures have advice', async (t) => {
  const { at } = tiny(t);
  const good = await drivemcp(['doctor', '--state', at('state'), '--json']);
  const checks = good.objects();
  const isFailing = checks.some((check) => check['status'] === 'fail');
  t.equal(good.code, isFailing ? 1 : 0);
  t.ok(checks.length > 10);
  t.ok(checks.some((check) => check['check'] === 'sqlite' && check['status'] === 'ok'));
  t.notOk(existsSync(at('state')), 'it changes nothing');
  writeFileSync(at('bad.toml'), 'x = 1\n');
  const bad = await drivemcp(['doctor', '--state', at('drive.log'), '--config', at('bad.toml')]);
  t.equal(bad.code, 1);
  t.match(bad.stdout, /FAIL {2}configuration.*bad\.toml:1/);
  t.match(bad.stdout, /FAIL {2}state directory/);
});

const realDrives = [
  ['ford_gt350_modes_engine_on.log', 'ford_lincoln_base_pt.dbc'],
  ['hyundai_kona_turnon_v11.trc', 'hyundai_2015_ccan.dbc'],
] as const;
for (const [log, dbc] of realDrives) {
  const [source, dbcFile] = [corpusFile('can', 'logs', log), corpusFile('can', 'dbc', dbc)];
  const skip = source === null || dbcFile === null ? corpusMissing : false;
  t.test(`a recording of a real car leads to decisions: ${log}`, { skip }, async (t) => {
    const state = ['--state', join(t.testdir({}), 'state')];
    const words = ['run', '--source', source ?? '', '--dbc', dbcFile ?? ''];
    const run = await drivemcp([...words, ...state, '--json']);
    t.equal(run.code, 0, run.stderr);
    t.ok(summaryOf(run).ticks > 200);
    t.match(summaryOf(await drivemcp(['replay', ...state, '--json'])), { equal: true });
  });
}

t.test('a named pipe is read once, also where a profile is drafted', async (t) => {
  const { at, state } = tiny(t, tinyFiles());
  const pipe = at('pipe');
  spawnSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', at('drive.log'), pipe], { stdio: 'ignore' });
  t.teardown(() => writer.kill());
  const result = await drivemcp(['run', '--source', pipe, '--dbc', at('tiny.dbc'), '--json', ...state]);
  t.equal(result.code, 0, result.stderr);
  t.ok((summaryOf(result)['ticks'] as number) > 0);
});
