/** The status of a daemon: whether it runs, hangs, was killed or has ended is told apart. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { tiny, tinyFiles } from './tiny-drive.js';

t.test('running, killed, stale, ended, absent, damaged', async (t) => {
  const { state, drive, at } = tiny(t, tinyFiles({ seconds: 60 }));
  const path = join(at('state'), 'status.json');
  const absent = await drivemcp(['status', ...state]);
  t.equal(absent.code, 69);
  t.match(absent.stderr, /DAEMON_ABSENT/);

  const daemon = spawn(process.execPath, [drivemcpScript, 'run', ...drive, ...state, '--speed', '1'], {
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => daemon.on('close', resolve));
  t.teardown(() => daemon.kill('SIGKILL'));
  while (!existsSync(path) && daemon.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const running = await drivemcp(['status', ...state, '--json']);
  t.equal(running.code, 0, running.stderr);
  t.match(running.objects()[0], {
    state: 'running',
    running: true,
    pid: daemon.pid,
    live: false,
    mode: /^[A-Z]+$/,
    store: { healthy: true },
    sources: [{ name: 'Vehicle.Speed', kind: 'can', required: true }],
  });
  t.match((await drivemcp(['status', ...state])).stdout, /^mode +[A-Z]+/m);

  daemon.kill('SIGKILL');
  await ended;
  const killed = await drivemcp(['status', ...state]);
  t.equal(killed.code, 69);
  t.match(killed.stderr, 'ended without a word');

  const last = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...last, pid: process.pid, written_wall_ms: Date.now() - 60_000 }));
  const stale = await drivemcp(['status', ...state]);
  t.equal(stale.code, 69);
  t.match(stale.stderr, 'stale');

  for (const text of [
    '',
    '[]',
    '{"format":99}',
    '\u0000'.repeat(1000),
    JSON.stringify({ format: 1, pid: 'x' }),
  ]) {
    writeFileSync(path, text);
    t.equal((await drivemcp(['status', ...state, '--json'])).code, 69, JSON.stringify(text.slice(0, 20)));
  }

  t.equal((await drivemcp(['run', ...drive, ...state, '--speed', 'max'])).code, 0);
  const over = await drivemcp(['status', ...state, '--json']);
  t.equal(over.code, 69);
  t.match(over.objects()[0], { state: 'ended: end of source', running: false });
});
