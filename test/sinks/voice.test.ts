import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { Utterance } from '../../daemon/core/tick.js';
import { parseConfig } from '../../daemon/runtime/config.js';
import { createLog } from '../../daemon/runtime/log.js';
import { openVoice } from '../../daemon/sinks/voice/open-voice.js';
import { voiceCommand } from '../../daemon/sinks/voice/voice-command.js';
import type { VoiceSink } from '../../daemon/sinks/voice/voice-sink.js';
import { drivemcp } from '../helpers/command.js';
import { soundFile } from './sound-file.js';

const hasEspeak = spawnSync('espeak-ng', ['--version']).error === undefined;
const needsEspeak = hasEspeak ? {} : { skip: 'espeak-ng is not installed (Debian package espeak-ng)' };

const said = (l1: string, more: Partial<Utterance> = {}): Utterance =>
  ({ key: 'k', l1, l2: '', lang: 'en', urgent: false, ...more }) as Utterance;

function voice(toml: string, environment: NodeJS.ProcessEnv = process.env) {
  const notices: string[] = [];
  let clockMs = 0;
  const sink = openVoice(parseConfig(`[speech]\n${toml}`, 'test.toml'), {
    environment,
    monoMs: () => clockMs,
    log: createLog('silent'),
    notice: (text) => notices.push(text),
  }) as VoiceSink;
  return {
    sink,
    notices,
    pass: (ms: number) => {
      clockMs += ms;
    },
  };
}

/** A program in the place of espeak-ng: says what it was given by writing it down, then does as told. */
function standIn(folder: string, then: string): NodeJS.ProcessEnv {
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${folder}/args'\ncat > "${folder}/said.$$"\n${then}\n`;
  writeFileSync(join(folder, 'espeak-ng'), script, { mode: 0o755 });
  return { PATH: `${folder}:${process.env['PATH']}` };
}

const pids = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('said.'));

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

t.test('speech is off by default', async (t) => {
  const { speech } = parseConfig('', '');
  t.equal(speech.sink, 'log');
  t.throws(() => parseConfig('[speech]\nsink = "say"', 'x'), { code: 'CONFIG_INVALID' });
  t.throws(() => parseConfig('[speech]\nvoice_en = "-w/etc/passwd;"', 'x'), { code: 'CONFIG_INVALID' });
});

t.test(
  'the real espeak-ng makes sound: longer text is longer, each language has its voice',
  needsEspeak,
  async (t) => {
    const folder = t.testdir();
    const { sink, notices } = voice(`sink = "espeak-ng"\nwav_dir = "${folder}/wav"\nqueue_max_count = 16`);
    const text = 'Slow down: vehicle ahead, 15 m.';
    sink.speak(1, said('Slow to 50 km/h.'));
    sink.speak(2, said(`${text} ${text} ${text}`));
    for (const lang of ['en', 'de', 'fr']) sink.speak(3, said(text, { lang }));
    await sink.close(20_000);
    t.same(notices, []);
    t.match(sink.counters, { spoken: 5, failed: 0, dropped: 0 });
    const files = readdirSync(join(folder, 'wav')).sort();
    const [short, long, ...languages] = files.map((name) => soundFile(join(folder, 'wav', name)));
    for (const { rms } of [short, long, ...languages] as { rms: number }[]) t.ok(rms > 0.01, `rms ${rms}`);
    t.ok((short?.seconds ?? 0) > 0.5);
    t.ok((long?.seconds ?? 0) > 2 * (short?.seconds ?? 9));
    const contents = files.slice(2).map((name) => readFileSync(join(folder, 'wav', name)).toString('base64'));
    t.equal(new Set(contents).size, 3, 'three languages, three sounds');
  },
);

t.test('an urgent utterance ends a calm one of the real program', needsEspeak, async (t) => {
  const folder = t.testdir();
  const { sink } = voice(`sink = "espeak-ng"\nrate_wpm = 80\nwav_dir = "${folder}"`);
  const calm = 'Drop back: keep 3.8 s to the vehicle ahead. '.repeat(400);
  sink.speak(1, said(calm));
  await new Promise((resolve) => setImmediate(resolve));
  sink.speak(2, said('Never said.'));
  sink.speak(3, said('Brake! Vehicle ahead, 6 m.', { urgent: true }));
  await sink.close(20_000);
  t.match(sink.counters, { spoken: 1, interrupted: 1, dropped: 1, failed: 0 });
  const seconds = (name: string): number =>
    existsSync(join(folder, name)) ? soundFile(join(folder, name)).seconds : 0;
  const urgentS = seconds('0002.wav');
  t.ok(urgentS > 0.5 && urgentS < 6, `${urgentS} s`);
  t.ok(seconds('0001.wav') < 600, 'the calm one, which takes more than 20 minutes to say, was cut off');
});

t.test('text is data: no shell, no option, whatever it holds', async (t) => {
  const settings = { rateWpm: 175, volumeRatio: 1, voices: {}, wavFolder: null } as const;
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, urgent) => {
      const espeak = voiceCommand({ ...settings, engine: 'espeak-ng' }, { text, lang: 'de', urgent }, null);
      const spd = voiceCommand(
        { ...settings, engine: 'speech-dispatcher' },
        { text, lang: 'de', urgent },
        null,
      );
      const options = spd.args.slice(0, -2);
      return (
        espeak.stdin === text &&
        !espeak.args.some((arg, i) => arg === text && espeak.args.indexOf(arg) === i && text.length > 9) &&
        spd.args.at(-2) === '--' &&
        spd.args.at(-1) === text &&
        options.includes(urgent ? 'important' : 'message')
      );
    }),
  );
  const folder = t.testdir();
  const { sink } = voice('sink = "espeak-ng"', standIn(folder, 'exit 0'));
  const hostile = `$(touch ${folder}/pwned); \`touch ${folder}/pwned\` -w /tmp/x | cat`;
  sink.speak(1, said(hostile));
  await sink.close(5000);
  const [file] = pids(folder);
  t.equal(readFileSync(join(folder, file ?? ''), 'utf8'), hostile);
  t.notOk(existsSync(join(folder, 'pwned')));
});

t.test('the queue has a bound; what waited too long is no news', async (t) => {
  const folder = t.testdir();
  const go = join(folder, 'go');
  const environment = standIn(folder, `while [ ! -e '${go}' ]; do sleep 0.02; done`);
  const { sink, pass } = voice('sink = "espeak-ng"\nqueue_max_count = 2\nstale_ms = 1000', environment);
  sink.speak(1, said('first'));
  await until(() => pids(folder).length === 1);
  for (const name of ['second', 'third', 'fourth']) sink.speak(1, said(name));
  t.match(sink.counters, { dropped: 1 }, 'one is being said, two wait, the oldest of three was left out');
  pass(1500);
  sink.speak(2, said('fifth'));
  writeFileSync(go, '');
  await sink.close(5000);
  t.match(sink.counters, { spoken: 2, dropped: 2, stale: 1, interrupted: 0 });
});

t.test('an urgent one begins at once; the process that was speaking is gone', async (t) => {
  const folder = t.testdir();
  const { sink } = voice('sink = "espeak-ng"', standIn(folder, 'exec sleep 30'));
  sink.speak(1, said('calm'));
  await until(() => pids(folder).length === 1);
  const pid = Number(pids(folder)[0]?.slice(5));
  t.doesNotThrow(() => process.kill(pid, 0));
  sink.speak(2, said('urgent', { urgent: true }));
  await until(() => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
  await until(() => pids(folder).length === 2);
  t.match(sink.counters, { interrupted: 1, late: 0 });
  await sink.close(1);
});

t.test('without the program, or where it fails, the log takes over and it is told once', async (t) => {
  const missing = voice('sink = "espeak-ng"', { PATH: t.testdir() });
  for (let i = 0; i < 5; i++) missing.sink.speak(i, said(`text ${i}`));
  await missing.sink.close(5000);
  missing.sink.speak(9, said('later'));
  t.equal(missing.notices.length, 1);
  t.match(missing.notices[0], /espeak-ng is not installed; what would be said goes to the log/);
  t.match(missing.sink.counters, { spoken: 0, failed: 1, logged: 6 - missing.sink.counters.dropped });
  const folder = t.testdir();
  const broken = voice('sink = "espeak-ng"', standIn(folder, 'echo "no audio device" >&2; exit 1'));
  for (let i = 0; i < 4; i++) broken.sink.speak(i, said(`text ${i}`));
  await broken.sink.close(5000);
  t.equal(broken.notices.length, 1);
  t.match(broken.notices[0], /no audio device/);
});

t.test('a run with a voice says what it decides, and decides the same', needsEspeak, async (t) => {
  const folder = t.testdir({ 'drivemcp.toml': '' });
  const config = join(folder, 'drivemcp.toml');
  writeFileSync(
    config,
    `[speech]\nsink = "espeak-ng"\nwav_dir = "${folder}/wav"\nstale_ms = 60000\nqueue_max_count = 16\n`,
  );
  const run = await drivemcp(['run', '--config', config, '--state', join(folder, 'state'), '--json']);
  t.equal(run.code, 0, run.stderr);
  const summary = run.objects().at(-1)?.['summary'] as Record<string, Record<string, unknown>>;
  t.match(summary['speech'], { sink: 'espeak-ng', failed: 0 });
  t.ok(Number(summary['speech']?.['spoken']) >= 1);
  t.equal(readdirSync(join(folder, 'wav')).length > 0, true);
  t.equal(summary['pinned'] as unknown, 'equal');
});
