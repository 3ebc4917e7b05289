import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { OperatorCommand } from '../../daemon/core/tick.js';
import { BoundedLog, readBoundedLog } from '../../daemon/runtime/bounded-log.js';
import { Inbox } from '../../daemon/runtime/inbox.js';
import { inboxDir, inboxMaxCount, leaveLetter } from '../../daemon/runtime/inbox-letter.js';
import { preferencesPath, readPreferences, writePreferences } from '../../daemon/runtime/preferences-file.js';
import { readRulepackHistory, rememberRulepacks } from '../../daemon/runtime/rulepack-history.js';
import { EvdevButton } from '../../daemon/sources/input/evdev-button.js';
import { keysLost, readKeyEvents } from '../../daemon/sources/input/evdev-event.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { tiny, tinyFrame } from './tiny-drive.js';

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** One record of an input device, as the kernel writes it. */
function keyRecord(key: number, value: number, timeUs = Date.now() * 1000, type = 1): Buffer {
  const record = Buffer.alloc(24);
  record.writeBigInt64LE(BigInt(Math.floor(timeUs / 1e6)), 0);
  record.writeBigInt64LE(BigInt(Math.floor(timeUs % 1e6)), 8);
  record.writeUInt16LE(type, 16);
  record.writeUInt16LE(key, 18);
  record.writeInt32LE(value, 20);
  return record;
}

t.test(
  'the inbox: letters once and in order; what is none is removed, told, and never followed',
  async (t) => {
    const stateDir = t.testdir();
    const notices: string[] = [];
    const first = leaveLetter(stateDir, { wall_ms: 1000, kind: 'late_warning', note: 'why so late' });
    leaveLetter(stateDir, { wall_ms: 2000, kind: 'mute', subject: 'speed' });
    const folder = inboxDir(stateDir);
    const secret = join(stateDir, 'secret.json');
    writeFileSync(secret, JSON.stringify({ v: 1, id: '0'.repeat(16), wall_ms: 5, kind: 'cancel' }));
    symlinkSync(secret, join(folder, '0-link.json'));
    writeFileSync(join(folder, '1-huge.json'), 'x'.repeat(100_000));
    writeFileSync(
      join(folder, '2-act.json'),
      JSON.stringify({ v: 1, id: '0'.repeat(16), wall_ms: 5, kind: 'act' }),
    );
    execFileSync('mkfifo', [join(folder, '3-pipe.json')]);
    const inbox = new Inbox({ stateDir, wallMs: () => 62_000, notice: (text) => notices.push(text) });
    t.teardown(() => inbox.close());
    await until(() => readdirSync(folder).length === 0);
    await until(() => inbox.count.taken === 2);
    const [one, two, ...rest] = inbox.take();
    t.same(one, { kind: 'late_warning', id: first, note: 'why so late', ageUs: 61_000_000 });
    t.match(two, { kind: 'mute', subject: 'speed', ageUs: 60_000_000 });
    t.same([rest, inbox.take()], [[], []]);
    t.equal(inbox.count.refused, 4);
    t.match(notices, [/no letter/]);
    t.ok(existsSync(secret), 'the link was removed, not what it names');
  },
);

t.test('an inbox that everybody may write is not read; a full one refuses', async (t) => {
  const stateDir = t.testdir();
  mkdirSync(inboxDir(stateDir));
  chmodSync(inboxDir(stateDir), 0o777);
  const notices: string[] = [];
  leaveLetter(stateDir, { wall_ms: 1, kind: 'cancel' });
  const inbox = new Inbox({ stateDir, wallMs: () => 0, notice: (text) => notices.push(text) });
  await until(() => notices.length > 0);
  await inbox.close();
  t.match(notices, [/everybody may write/]);
  t.same(inbox.take(), []);
  for (let i = 1; i < inboxMaxCount; i++) leaveLetter(stateDir, { wall_ms: 1, kind: 'cancel' });
  t.throws(() => leaveLetter(stateDir, { wall_ms: 1, kind: 'cancel' }), { code: 'FILE_UNWRITABLE' });
});

t.test('an input device: whole records whatever the pieces, other keys and repeats left out', async (t) => {
  const path = join(t.testdir(), 'event0');
  execFileSync('mkfifo', [path]);
  const nowMs = 1_800_000_000_000;
  const notices: string[] = [];
  const button = new EvdevButton({
    path,
    key: 582,
    wallMs: () => nowMs,
    notice: (text) => notices.push(text),
  });
  t.teardown(() => button.close());
  t.ok(button.isOpen);
  t.same(button.take(0), [], 'nobody writes yet');
  const pipe = openSync(path, 'w');
  const bytes = Buffer.concat([
    keyRecord(30, 1, nowMs * 1000),
    keyRecord(582, 1, nowMs * 1000 - 30_000),
    keyRecord(582, 2, nowMs * 1000),
    keyRecord(0, 0, nowMs * 1000, 0),
    keyRecord(582, 0, 5_000_000),
    keyRecord(3, 0, nowMs * 1000, 0),
  ]);
  const taken: OperatorCommand[] = [];
  for (let from = 0; from < bytes.length; from += 37) {
    writeSync(pipe, bytes.subarray(from, from + 37));
    taken.push(...button.take(1_000_000));
  }
  t.same(taken, [
    { kind: 'button', isPressed: true, atUs: 970_000 },
    { kind: 'button', isPressed: false, atUs: 1_000_000 },
    { kind: 'button', isPressed: false, atUs: 1_000_000 },
  ]);
  closeSync(pipe);
  t.same(button.take(2_000_000), [], 'the writer has gone, another may come');
  t.same(notices, []);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => readKeyEvents(Buffer.from(noise)).length <= 12),
  );
  t.same(readKeyEvents(keyRecord(3, 0, 0, 0)), [keysLost]);
  const missing = new EvdevButton({
    path: `${path}.not`,
    key: null,
    wallMs: () => 0,
    notice: (n) => notices.push(n),
  });
  t.same(missing.take(0), []);
  missing.close();
  t.match(notices, [/cannot be opened/]);
});

t.test('a log that grows at its end: bounded, cut lines cost themselves alone', async (t) => {
  const path = join(t.testdir(), 'a.jsonl');
  const notices: string[] = [];
  const write = async (from: number, to: number) => {
    const log = new BoundedLog(path, (text) => notices.push(text), 1000);
    for (let i = from; i < to; i++) log.append({ i });
    await log.close();
  };
  await write(0, 10);
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"i":`);
  await write(10, 20);
  const { lines, damaged } = readBoundedLog(path);
  t.same([lines.map(({ i }) => i), damaged], [Array.from({ length: 20 }, (_, i) => i), 1]);
  for (let from = 20; from < 2000; from += 200) await write(from, from + 200);
  t.ok(readFileSync(path).length <= 1000 && readFileSync(`${path}.1`).length <= 1000);
  t.equal(readBoundedLog(path).lines.at(-1)?.['i'], 2019, 'the newest stay');
  t.same(notices, []);
});

t.test(
  'preferences: kept, checked, damaged ones said and worth nothing; hazards cannot be muted',
  async (t) => {
    const { at, state } = tiny(t);
    const set = (...words: string[]) => drivemcp(['preferences', 'set', ...words, ...state, '--json']);
    t.match((await set('language=de', 'muted=speed,law')).objects()[0], {
      language: 'de',
      muted: ['speed', 'law'],
    });
    t.match((await set('units=mph', 'language=')).objects()[0], {
      language: 'en',
      units: 'mph',
      preferred: ['units', 'muted'],
    });
    for (const [wrong, says] of [
      ['muted=hazard', 'hazards cannot be muted'],
      ['muted=speed,hazard', 'hazards cannot be muted'],
      ['language=tlh', 'language'],
      ['volume=11', 'KEY=VALUE'],
    ] as const) {
      const result = await set(wrong);
      t.equal(result.code, 2, wrong);
      t.match(result.stderr, says);
    }
    const path = preferencesPath(at('state'));
    t.same(readPreferences(at('state')).preferences, { units: 'mph', muted: ['speed', 'law'] });
    const whole = readFileSync(path, 'utf8');
    for (const text of [
      '',
      '{',
      whole.replace('mph', 'auto'),
      whole.replace('"speed"', '"hazard"'),
      'x'.repeat(99_999),
    ]) {
      writeFileSync(path, text);
      const read = readPreferences(at('state'));
      t.same(read.preferences, {});
      t.match(read.notice, /damaged/);
    }
    writePreferences(at('state'), { muted: [] });
    t.same(readPreferences(at('state')), { preferences: { muted: [] }, notice: null });
  },
);

t.test('which rulepacks decided is remembered when it changes', async (t) => {
  const stateDir = t.testdir();
  const remember = (version: string) =>
    rememberRulepacks(
      stateDir,
      { runId: 'r', wallMs: 5 },
      { 'rulepack:DEU': version, config: 'x' },
      () => {},
    );
  await remember('DEU@1');
  await remember('DEU@1');
  await remember('DEU@2');
  t.same(
    readRulepackHistory(stateDir).lines.map(({ packs }) => packs),
    [{ DEU: 'DEU@1' }, { DEU: 'DEU@2' }],
  );
});

t.test(
  'a live run hears feedback, a button and preferences; the log says what became; replay is alike',
  async (t) => {
    const { folder, at, state } = tiny(t);
    const device = at('event0');
    execFileSync('mkfifo', [device]);
    writeFileSync(at('button.toml'), `[feedback]\ndevice = ${JSON.stringify(device)}\n`);
    const daemon = spawn(
      process.execPath,
      [
        drivemcpScript,
        'run',
        '--source',
        '-',
        '--live',
        '--profile',
        folder,
        '--config',
        at('button.toml'),
        ...state,
        '--json',
      ],
      { env: { ...process.env, NO_COLOR: '1' } },
    );
    let stderr = '';
    daemon.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    daemon.stdout.resume();
    daemon.stdin.on('error', () => {});
    const ended = new Promise((resolve) => daemon.once('close', resolve));
    const feeding = setInterval(() => daemon.stdin.write(tinyFrame(Date.now() / 1000, 50)), 20);
    t.teardown(() => clearInterval(feeding));
    await until(() => existsSync(at('state', 'status.json')) || daemon.exitCode !== null);
    const given = await drivemcp(['feedback', 'late', '--note', 'why so late', ...state, '--json']);
    t.match(given.objects()[0], { taken: true, outcome: 'late_warning', delta: 0.19, c_min: 0.58 }, stderr);
    const again = await drivemcp(['feedback', 'late', ...state]);
    t.match(again.stdout, /within the last minute/);
    const pipe = openSync(device, 'w');
    const tap = async (isDown: number) => {
      writeSync(pipe, keyRecord(582, isDown));
      await new Promise((resolve) => setTimeout(resolve, 100));
    };
    for (const isDown of [1, 0, 1, 0]) await tap(isDown);
    const log = () => readBoundedLog(join(at('state'), 'feedback.jsonl')).lines;
    await until(() => log().length >= 3 || daemon.exitCode !== null);
    t.match(log()[2], {
      given: [{ kind: 'false_positive', origin: 'device', outcome: 'false_positive' }],
      delta: 0.2,
    });
    closeSync(pipe);
    await drivemcp(['preferences', 'set', 'language=de', 'muted=speed', ...state]);
    await until(() => readdirSync(join(at('state'), 'inbox')).length === 0 || daemon.exitCode !== null);
    daemon.kill('SIGTERM');
    await ended;
    t.equal(daemon.exitCode, 0, stderr);
    const replayed = await drivemcp(['replay', ...state, '--json']);
    t.equal(replayed.code, 0, replayed.stderr);
    const memory = (await drivemcp(['memory', ...state, '--json'])).objects()[0];
    t.match(memory, {
      thresholds: { delta: 0.2, c_min: 0.6 },
      preferences: { language: 'de', muted: ['speed'] },
    });
    t.match(
      (await drivemcp(['memory', ...state])).stdout,
      /late_warning by command: late_warning "why so late"/,
    );
    t.equal((await drivemcp(['audit', 'verify', ...state])).code, 0);
  },
);
