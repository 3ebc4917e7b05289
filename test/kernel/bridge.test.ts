/**
 * The ego of a served world on a wire: `hil serve` and `hil bridge` on one side, an unmodified `run --can` on the other, and
 * in between a virtual bus of a real kernel. What it does when it is not alone, when the kernel takes nothing, when the
 * interface goes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { askDaemon } from '../../daemon/rpc/client/ask-daemon.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { addVcan, ip, kernelSkip, sender } from './bus.js';

const skip = kernelSkip();
const timeout = 240_000;

interface Running {
  readonly child: ChildProcess;
  readonly objects: Record<string, unknown>[];
  stderr(): string;
  readonly ended: Promise<number | null>;
}

function start(t: Test, args: readonly string[]): Running {
  const child = spawn(process.execPath, [drivemcpScript, ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  const objects: Record<string, unknown>[] = [];
  let [text, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      objects.push(JSON.parse(text.slice(0, end)) as Record<string, unknown>);
      text = text.slice(end + 1);
    }
  });
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, objects, stderr: () => stderr, ended };
}

async function seen(running: Running, what: string, find: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 90_000;
  while (!(await find())) {
    if (running.child.exitCode !== null || performance.now() > deadlineMs)
      throw new Error(`in vain: ${what}\n${JSON.stringify(running.objects.at(-1))}\n${running.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** `hil serve` on free ports; resolves with HOST:PORT. */
async function serve(t: Test, ...args: string[]): Promise<string> {
  const server = start(t, ['hil', 'serve', '--port', '0', ...args]);
  await seen(server, 'the server', () => server.objects.length > 0);
  return `127.0.0.1:${server.objects[0]?.['rpc_port']}`;
}

function bus(t: Test, name: string): string {
  addVcan(name);
  t.teardown(() => spawnSync('ip', ['link', 'del', name]));
  return name;
}

const wire = (running: Running, name: string, key: string): number => {
  const { can = {} } = (running.objects.at(-1)?.['outputs'] ?? {}) as Record<string, Record<string, number>>;
  return Number(can[`${name}.${key}`] ?? 0);
};

async function mustBeReleased(t: Test, address: string): Promise<void> {
  const doctor = await drivemcp(['hil', 'doctor', address, '--json']);
  const { synchronous, frozen } = doctor.objects().at(-1) as Record<string, unknown>;
  t.match({ synchronous, frozen }, { synchronous: false, frozen: false }, 'the server is asynchronous again');
}

t.test('the daemon at the other end of the wire drives as fast as the ego', { skip, timeout }, async (t) => {
  const name = bus(t, 'vcan30');
  const address = await serve(t, '--map', 'motorway-deu');
  const state = t.testdir();
  const daemon = start(t, [
    'run',
    '--can',
    name,
    '--profile',
    'sim-car',
    '--jurisdiction',
    'DEU',
    '--state',
    state,
  ]);
  // What is sent before its socket is open cannot be received.
  await seen(daemon, 'the daemon', () => existsSync(join(state, 'signals.sock')));
  // Without the exchanges of diagnostics, which the daemon's filters leave out.
  const bridge = start(t, ['hil', 'bridge', address, '--can', name, '--no-fault-reading']);
  const speedMps = async (): Promise<number> => {
    const asked = { subject: 'signals', scopes: ['read:Vehicle.Speed'], paths: ['Vehicle.Speed'] } as const;
    const told = await askDaemon(join(state, 'signals.sock'), asked, new AbortController().signal).catch(
      () => null,
    );
    const signals = (told?.['signals'] ?? {}) as Record<string, { value?: number }>;
    return signals['Vehicle.Speed']?.value ?? Number.NaN;
  };
  const egoMps = (): number => Number(bridge.objects.at(-1)?.['speed_mps'] ?? Number.NaN);
  // Once the ego has settled: a status is up to a second old.
  await seen(bridge, 'a speed', () => egoMps() > 12);
  await seen(bridge, 'the same speed', async () => Math.abs((await speedMps()) - egoMps()) < 0.05);
  bridge.child.kill('SIGINT');
  t.equal(await bridge.ended, 0, bridge.stderr());
  daemon.child.kill('SIGINT');
  t.equal(await daemon.ended, 0, daemon.stderr());
  const { summary } = daemon.objects.at(-1) as { summary: Record<string, { frames?: number }> };
  t.equal(summary['input']?.frames, wire(bridge, name, 'sent'), 'each frame that was sent was received');
  t.equal(wire(bridge, name, 'dropped'), 0);
  await mustBeReleased(t, address);
  const replayed = await drivemcp(['replay', '--state', state, '--frames', '--json']);
  t.equal(replayed.code, 0, replayed.stderr);
});

t.test('a fault of the served world reaches the health of the daemon', { skip, timeout }, async (t) => {
  const name = bus(t, 'vcan34');
  const state = t.testdir({
    'faults.yaml': [
      'id: faults',
      'family: other',
      'title: The ABS breaks, a tyre leaks',
      'map: motorway-deu',
      'weather: [{ at_s: 0 }]',
      'ego: { spawn: { road: 1, lane: -2, s_m: 20 }, speed_mps: 20 }',
      'can_faults:',
      '  - { kind: abs, at_s: 30 }',
      '  - { kind: tyre_leak, at_s: 25, wheel: FL, kpa_per_s: 20 }',
      'stop: { at_s: 300 }',
    ].join('\n'),
  });
  const address = await serve(t, '--scenario', join(state, 'faults.yaml'));
  const daemon = start(t, [
    'run',
    '--can',
    name,
    '--profile',
    'sim-car',
    '--jurisdiction',
    'DEU',
    '--state',
    state,
  ]);
  const bridge = start(t, ['hil', 'bridge', address, '--sync', 'async', '--can', name]);
  const indicators = async (): Promise<string[] | null> => {
    const never = new AbortController().signal;
    const asked = { subject: 'health', scopes: ['read:health'] } as const;
    const told = await askDaemon(join(state, 'signals.sock'), asked, never).catch(() => null);
    const { contributions } = (told?.['health'] ?? {}) as { contributions?: { indicator: string }[] };
    return contributions?.map(({ indicator }) => indicator) ?? null;
  };
  await seen(bridge, 'a healthy car', async () => (await indicators())?.length === 0);
  await seen(bridge, 'both faults', async () => {
    const found = (await indicators()) ?? [];
    return found.includes('abs') && found.includes('tyre_pressure');
  });
  bridge.child.kill('SIGTERM');
  t.equal(await bridge.ended, 0, bridge.stderr());
  daemon.child.kill('SIGINT');
  t.equal(await daemon.ended, 0, daemon.stderr());
});

t.test(
  'who else speaks on the bus stops it, before the first frame and later',
  { skip, timeout },
  async (t) => {
    const name = bus(t, 'vcan31');
    const address = await serve(t, '--map', 'town-deu');
    const other = sender(name);
    t.teardown(() => other.stop());
    const first = start(t, ['hil', 'bridge', address, '--can', name]);
    await seen(first, 'that it listens', () => first.stderr().includes('listening'));
    other.send(0x1a0, [1, 2, 3]);
    t.equal(await first.ended, 69);
    t.match(
      first.stderr(),
      /vcan31: the bus is not free: 1 frame of others: 1A0; nothing was sent.*BUS_OCCUPIED/,
    );

    const second = start(t, ['hil', 'bridge', address, '--real-can', name, '--no-vehicle-connected']);
    await seen(second, 'frames', () => wire(second, name, 'sent') > 50);
    // An identifier of our own, from somebody else.
    other.send(0x0c0, [1, 2, 3]);
    t.equal(await second.ended, 69);
    t.match(second.stderr(), /somebody else speaks on the bus \(0C0\): fell silent after \d+ frames/);
    await mustBeReleased(t, address);

    const shared = start(t, ['hil', 'bridge', address, '--can', name, '--share-bus', '--duration-s', '2']);
    await seen(shared, 'frames', () => wire(shared, name, 'sent') > 0);
    other.send(0x1a0, [1]);
    t.equal(await shared.ended, 0, shared.stderr());
    t.ok(wire(shared, name, 'foreign') >= 1);
  },
);

t.test(
  'a kernel that takes no frame is waited for; an interface that goes is the end',
  { skip: skip || (spawnSync('tc', ['-V']).error ? 'tc is not installed' : false), timeout },
  async (t) => {
    const name = bus(t, 'vcan32');
    const address = await serve(t, '--map', 'town-deu');
    const drop = packageFile('systemd', 'can-egress-drop');
    const bridge = start(t, ['hil', 'bridge', address, '--can', name]);
    await seen(bridge, 'frames', () => wire(bridge, name, 'sent') > 50);
    t.equal(spawnSync(drop, [name]).status, 0);
    await seen(bridge, 'refusals (ENOBUFS)', () => wire(bridge, name, 'refused') > 10);
    const sent = wire(bridge, name, 'sent');
    t.equal(spawnSync(drop, ['--remove', name]).status, 0);
    await seen(bridge, 'frames again', () => wire(bridge, name, 'sent') > sent + 50);
    ip(`link set ${name} down`);
    t.equal(await bridge.ended, 69);
    t.match(bridge.stderr(), new RegExp(`${name} (went down|is down).*CAN_UNAVAILABLE`));
    await mustBeReleased(t, address);

    ip(`link set ${name} up`);
    const again = start(t, ['hil', 'bridge', address, '--can', name]);
    await seen(again, 'frames', () => wire(again, name, 'sent') > 50);
    ip(`link del ${name}`);
    t.equal(await again.ended, 69);
    t.match(again.stderr(), new RegExp(`${name} (went down|is down|is gone).*CAN_UNAVAILABLE`));
    await mustBeReleased(t, address);

    const full = bus(t, 'vcan33');
    const hopeless = start(t, ['hil', 'bridge', address, '--can', full]);
    await seen(hopeless, 'frames', () => wire(hopeless, full, 'sent') > 50);
    t.equal(spawnSync(drop, [full]).status, 0);
    t.equal(await hopeless.ended, 69);
    t.match(hopeless.stderr(), /has taken no frame for 5 s/);
    t.match(await drivemcp(['hil', 'bridge', address, '--can', full]), { code: 69 });
  },
);
