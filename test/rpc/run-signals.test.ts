/** The signal service of a running daemon: there while it runs, back after it was killed, off where that was asked. */
import { spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { askDaemon } from '../../daemon/rpc/client/ask-daemon.js';
import { summaryOf, tiny, tinyFiles } from '../daemon/tiny-drive.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';

t.test('a run offers its signals to this user', async (t) => {
  const files = tinyFiles({ seconds: 60 });
  // A control unit answers somebody's question (service 03): one code, P0301.
  const codeFrame = '(1700000000.001000) can0 7E8#0443010301000000\n';
  const log = files['drive.log'] ?? '';
  const { state, drive, at } = tiny(t, {
    ...files,
    'drive.log': log.replace('\n', `\n${codeFrame}`),
  });
  const socket = join(at('state'), 'signals.sock');
  const never = new AbortController().signal;
  const ask = () =>
    askDaemon(
      socket,
      { subject: 'signals', scopes: ['read:Vehicle.Speed'], paths: ['Vehicle.Speed'] },
      never,
    );
  const start = async () => {
    const daemon = spawn(
      process.execPath,
      [drivemcpScript, 'run', ...drive, ...state, '--speed', '1', '--json'],
      { stdio: ['ignore', 'pipe', 'ignore'] },
    );
    let stdout = '';
    daemon.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    const ended = new Promise((resolve) => daemon.on('close', resolve));
    t.teardown(() => daemon.kill('SIGKILL'));
    for (;;) {
      const tick = await ask().then(
        (answer) => answer['tick'] as number,
        () => -1,
      );
      if (tick >= 0 || daemon.exitCode !== null) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return { daemon, ended, stdout: () => stdout };
  };

  const first = await start();
  t.match(await ask(), { mode: /^[A-Z]+$/, signals: { 'Vehicle.Speed': { unit: 'm/s' } } });
  const codes = () => askDaemon(socket, { subject: 'dtcs', scopes: ['read:dtcs'] }, never);
  let heard = await codes();
  for (; heard['codes'] === null; heard = await codes())
    await new Promise((resolve) => setTimeout(resolve, 20));
  t.match(heard, {
    heard: true,
    codes: [{ code: 'P0301', status: 'confirmed', ecu: '7E8' }],
  });
  t.equal(statSync(socket).mode & 0o777, 0o600);
  const status = await drivemcp(['status', ...state]);
  t.match(status.stdout, /^signals +.*signals\.sock, \d+ clients, \d+ requests$/m);
  first.daemon.kill('SIGKILL');
  await first.ended;
  t.ok(existsSync(socket), 'a killed daemon leaves its socket');
  await t.rejects(ask(), { code: 'DAEMON_ABSENT', message: /gone/ });

  const second = await start();
  t.ok(await ask());
  second.daemon.kill('SIGINT');
  await second.ended;
  t.notOk(existsSync(socket));
  t.ok(
    second
      .stdout()
      .trim()
      .split('\n')
      .every((line) => JSON.parse(line)),
    'nothing but objects on standard output',
  );

  writeFileSync(socket, 'mine');
  const blocked = await drivemcp(['run', ...drive, ...state, '--speed', 'max', '--json']);
  t.equal(blocked.code, 0, 'a run goes on without');
  t.match(blocked.stderr, /signals are not offered: .*no socket/);
  writeFileSync(join(at('state'), 'off.toml'), '[signals]\nsocket = false\n');
  const off = await drivemcp([
    'run',
    ...drive,
    ...state,
    '--config',
    join(at('state'), 'off.toml'),
    '--json',
  ]);
  t.equal(off.code, 0, off.stderr);
  t.notMatch(off.stderr, /signals/);
  t.equal(summaryOf(off).decision_hash, summaryOf(blocked).decision_hash, 'who looks changes no decision');
});
