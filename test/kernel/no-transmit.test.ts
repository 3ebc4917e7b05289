/** Sending fails by every route, in a real kernel, while receiving goes on. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { drivemcp } from '../helpers/command.js';
import { addVcan, ip, kernelSkip, sender } from './bus.js';

const skip = kernelSkip();
const EPERM = '1';
const ENOBUFS = 105;

t.test('after the sandbox is on', { skip }, async (t) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./sandboxed.js', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  const bus = sender('vcan0');
  t.teardown(() => {
    bus.stop();
    child.kill();
  });
  let text = '';
  const code = await new Promise<number | null>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        lines.push(JSON.parse(text.slice(0, end)) as Record<string, unknown>);
        text = text.slice(end + 1);
        if (lines.length === 1) bus.send(0x321, [1]);
      }
    });
    child.on('close', resolve);
  });
  t.equal(code, 0);
  t.equal(lines[0]?.['denied'], 0, 'the filter was installed on every thread');
  t.match(lines[0]?.['before'], { pythonSocket: 'done' });
  const after = lines[0]?.['after'] as Record<string, string>;
  t.equal(after['write'], 'EPERM');
  t.equal(after['writev'], 'EPERM');
  t.not(after['package'], 'done', `another package: ${after['package']}`);
  t.equal(after['secondPort'], 'CAN_UNAVAILABLE');
  t.not(after['inherit'], 'done', `a child that would inherit the socket: ${after['inherit']}`);
  t.equal(after['pythonSocket'], EPERM, 'a child process');
  t.equal(after['uring'], EPERM, 'io_uring would go around the filter');
  const heard = lines[0]?.['heard'] as Record<string, number>;
  for (const route of ['write', 'writev', 'package', 'secondPort', 'pythonSocket', 'uring'])
    t.ok((heard[route] ?? 0) > 0, `${route} was noticed (${heard[route]} denied calls)`);
  t.match(
    lines[0]?.['told'],
    /write \d.*; of child processes: .*socket 1/,
    'by name, own and children apart',
  );
  t.equal(after['ordinaryWrite'], '0', 'other descriptors are as they were');
  t.same(lines[1], { received: [0x321] }, 'and nothing but the frame of the other side was ever on the bus');
});

t.test(
  'an attempt inside the daemon is denied, on record, and makes it careful',
  { skip, timeout: 120_000 },
  async (t) => {
    const state = t.testdir();
    const attempt = new URL('./attempt-later.js', import.meta.url).href;
    const ended = await drivemcp(
      ['run', '--can', 'vcan0', '--profile', 'sim-car', '--jurisdiction', 'DEU', '--state', state, '--json'],
      { env: { NODE_OPTIONS: `--import=${attempt}`, STATUS_FILE: `${state}/status.json` } },
    );
    t.equal(ended.code, 0, ended.stderr);
    const summary = ended.objects().at(-1)?.['summary'] as { input: Record<string, unknown> };
    t.equal(summary.input['transmit_attempts'], 1);
    const exported = await drivemcp(['audit', 'export', '--state', state]);
    const told = exported.stdout
      .split('\n')
      .filter((line) => line.includes('can:transmit') && line.includes('denied: write 1'));
    t.ok(
      told.some((line) => line.includes('source_change')),
      'a record of the attempt',
    );
    t.equal((await drivemcp(['audit', 'verify', '--state', state])).code, 0);
  },
);

t.test(
  'with the egress filter of the service',
  { skip: skip || (spawnSync('tc', ['-V']).error ? 'tc is not installed' : false) },
  async (t) => {
    const script = packageFile('systemd', 'can-egress-drop');
    const run = (...words: string[]): number | null => spawnSync(script, words).status;
    addVcan('vcan8');
    t.teardown(() => ip('link del vcan8'));
    t.equal(run('--check', 'vcan8'), 1, 'not in force at first');
    const bus = sender('vcan8');
    t.equal(await bus.attempt(1), 0);
    t.equal(run('vcan8'), 0);
    t.equal(run('vcan8'), 0, 'twice is once');
    t.equal(run('--check', 'vcan8'), 0);
    t.equal(await bus.attempt(1), ENOBUFS, 'dropped before the driver');
    t.equal(run('--remove', 'vcan8'), 0);
    t.equal(await bus.attempt(1), 0);
    bus.stop();
    t.equal(run('nosuchcan'), 1);
    t.equal(run(), 2);
  },
);
