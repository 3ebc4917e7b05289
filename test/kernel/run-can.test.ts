/** The built command on a real bus: decides, notices the loss of its interface, comes back, and can be replayed. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { addVcan, ip, kernelSkip } from './bus.js';
import { framesOfDrive, play } from './play-drive.js';

const skip = kernelSkip();
const drive = packageFile('hil', 'drives', 'border-rain-braking.drive');

interface Status {
  readonly state: string;
  readonly tick: number;
  readonly mode: string;
  readonly interfaces: readonly { readonly name: string; readonly state: string }[];
}

t.test(
  'run --can: decisions, loss of the bus, return, summary, replay',
  { skip, timeout: 180_000 },
  async (t) => {
    addVcan('vcan4');
    t.teardown(() => spawnSync('ip', ['link', 'del', 'vcan4']));
    const state = t.testdir();
    const frames = await framesOfDrive(drive, 30);
    const args = ['run', '--can', 'vcan4', '--profile', 'sim-car', '--jurisdiction', 'DEU', '--state', state];
    const daemon = spawn(process.execPath, [drivemcpScript, ...args, '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.teardown(() => daemon.kill('SIGKILL'));
    const ended = new Promise<number | null>((resolve) => daemon.on('close', resolve));
    let stdout = '';
    let stderr = '';
    daemon.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    daemon.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    // The daemon's own status tells its mode on every second; decisions alone are rare on a quiet road.
    const status = (): Status | null => {
      const path = join(state, 'status.json');
      return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Status) : null;
    };
    const seen = async (what: string, find: () => boolean): Promise<void> => {
      const deadlineMs = performance.now() + 40_000;
      while (!find()) {
        const isLate = performance.now() > deadlineMs;
        if (daemon.exitCode !== null || isLate) {
          throw new Error(`in vain: ${what}\n${JSON.stringify(status())}\n${stderr}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const isDown = () => status()?.interfaces[0]?.state === 'down';

    await seen(
      'the interface',
      () => stderr.includes('absent → up') || status()?.interfaces[0]?.state === 'up',
    );
    let bus = play(frames, 'vcan4');
    await seen('a mode that decides', () => status() !== null && status()?.mode !== 'MONITOR');
    bus.stop();
    ip('link set vcan4 down');
    await seen('MONITOR', () => isDown() && status()?.mode === 'MONITOR');
    const told = await drivemcp(['status', '--state', state]);
    t.equal(told.code, 0, told.stderr);
    t.match(told.stdout, /vcan4 +down/);
    ip('link set vcan4 up');
    bus = play(frames, 'vcan4');
    await seen('the return', () => status()?.mode !== 'MONITOR');
    daemon.kill('SIGINT');
    const code = await ended;
    bus.stop();
    t.equal(code, 0, stderr);

    const { summary } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
      summary: Record<string, unknown>;
    };
    const input = summary['input'] as { frames: number; interfaces: Record<string, unknown>[] };
    t.ok(input.frames > 0);
    t.match(input.interfaces[0], {
      name: 'vcan4',
      state: 'up',
      malformed: 0,
      ring_drops: 0,
      outages: 1,
      time_source: 'kernel',
    });
    t.equal(summary['ended_by'], 'signal');
    t.equal((await drivemcp(['status', '--state', state])).code, 69, 'it has ended');

    const replayed = await drivemcp(['replay', '--state', state, '--frames', '--json']);
    t.equal(replayed.code, 0, replayed.stderr);
    const again = replayed.objects().at(-1)?.['summary'] as Record<string, unknown>;
    t.equal(again['decision_hash'], summary['decision_hash']);
    t.match(again['frames'], { equal: true, frames: input.frames, ticks_compared: summary['ticks'] });

    const exported = await drivemcp(['audit', 'export', '--state', state]);
    const kinds = exported.stdout.split('\n').filter((line) => line.includes('"source_change"'));
    t.ok(
      kinds.some((line) => line.includes('"can:vcan4"') && line.includes('"down"')),
      'the loss of the bus is on record',
    );
    t.equal((await drivemcp(['audit', 'verify', '--state', state])).code, 0);
  },
);

t.test('what cannot be promised is refused', { skip, timeout: 120_000 }, async (t) => {
  const config = t.testdir({ 'drivemcp.toml': '[can]\nrequire_listen_only = true\n' });
  const run = (...args: string[]): ReturnType<typeof drivemcp> =>
    drivemcp([
      'run',
      '--profile',
      'sim-car',
      '--state',
      t.testdirName,
      '--config',
      `${config}/drivemcp.toml`,
      ...args,
    ]);
  const virtual = await run('--can', 'vcan0');
  t.equal(virtual.code, 69);
  t.match(virtual.stderr, /CAN_NOT_LISTEN_ONLY/);
  const package_ = await run('--can', 'vcan0', '--can-driver', 'socketcan');
  t.equal(package_.code, 69);
  t.match(package_.stderr, /can send/);
  const both = await drivemcp(['run', '--can', 'vcan0', '--source', 'x.log', '--profile', 'sim-car']);
  t.equal(both.code, 2);
  t.equal((await drivemcp(['run', '--can', 'no/such', '--profile', 'sim-car'])).code, 2);
});
