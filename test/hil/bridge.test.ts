/** The ego of a served world as a car on a bus: what the frames say, how it ends, what is put back. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { CandumpSocket } from '../../daemon/cli/candump-socket.js';
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { BridgeOutput } from '../../hil/bridge/bridge-output.js';
import { Bridge } from '../../hil/bridge/run-bridge.js';
import { carlaProfiles } from '../../hil/carla/profile/profile.js';
import { CarlaSession } from '../../hil/carla/session/carla-session.js';
import { sensorProducers } from '../../hil/sim/server/producers.js';
import { SimServer } from '../../hil/sim/server/sim-server.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { busyTown, serveWorld } from './serve-world.js';

t.test(
  'hil bridge writes a log that an unmodified run decides on, and leaves the server as it was',
  async (t) => {
    const { server } = await serveWorld(t, '0.9.15', busyTown);
    const dir = t.testdir();
    const log = join(dir, 'drive.log');
    const car = join(dir, 'car');
    const args = [
      'hil',
      'bridge',
      `127.0.0.1:${server.ports.rpc}`,
      '--pacing',
      'lockstep',
      '--duration-s',
      '10',
    ];
    const bridged = await drivemcp([...args, '--candump', log, '--write-dbc', car, '--json']);
    t.equal(bridged.code, 0, bridged.stderr);
    const ended = bridged.objects().at(-1) as Record<string, unknown>;
    t.match(ended, { event: 'ended', steps: 200, is_ours: true, reconnects: 0 });
    t.match(bridged.stderr, /spawned vehicle.drivemcp.estate as the ego/);
    t.equal(server.settings.synchronousMode, false);
    t.equal(server.episode.sensors.size, 0);
    t.notOk([...server.episode.world.actors.values()].some(({ roleName }) => roleName === 'hero'));

    const lines = readFileSync(log, 'utf8').trim().split('\n');
    t.match(ended['outputs'], { can: { frames: lines.length, 'candump.frames': lines.length } });
    // 100 messages of 10 ms, 5 × 50 of 20 ms … a second, a first step without them.
    t.ok(Math.abs(lines.length / 10 - 326) < 8, `${lines.length / 10} frames a second`);
    const run = await drivemcp([
      'run',
      '--source',
      log,
      '--profile',
      car,
      '--state',
      join(dir, 'state'),
      '--json',
    ]);
    t.equal(run.code, 0, run.stderr);
    const { summary } = run.objects().at(-1) as { summary: Record<string, unknown> };
    t.match(summary['input'], { frames: lines.length });
  },
);

t.test('what cannot be is refused before anything is asked of a server', async (t) => {
  t.match(await drivemcp(['hil', 'bridge']), { code: 2, stderr: /where to/ });
  t.match(await drivemcp(['hil', 'bridge', '--candump', '-', '--json']), {
    code: 2,
    stderr: /both want standard/,
  });
  t.match(await drivemcp(['hil', 'bridge', '--candump', '-', '--step-ms', '0']), { code: 2 });
  t.match(await drivemcp(['hil', 'bridge', '--candump', '-', '--sync', 'async', '--step-ms', '20']), {
    code: 2,
  });
  t.match(await drivemcp(['hil', 'bridge', 'a:b:c', '--candump', '-']), { code: 2, stderr: /HOST:PORT/ });
});

interface Running {
  readonly stderr: () => string;
  readonly objects: () => Record<string, unknown>[];
  stop(signal: NodeJS.Signals): void;
  readonly ended: Promise<number | null>;
}

function start(t: { teardown(run: () => void): void }, args: readonly string[]): Running {
  const child = spawn(process.execPath, [drivemcpScript, 'hil', 'bridge', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    stderr: () => stderr,
    objects: () =>
      stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    stop: (signal) => void child.kill(signal),
    ended: new Promise((resolve) => child.on('close', resolve)),
  };
}

/** Waits for something that a running bridge says; throws where it has ended without. */
async function until(running: Running, holds: () => boolean): Promise<void> {
  let code: number | null | undefined;
  void running.ended.then((ended) => {
    code = ended;
  });
  while (!holds()) {
    if (code !== undefined) throw new Error(`ended with ${code}: ${running.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Streams on the port behind the RPC's, as a server that is to come back there needs it: two that are free are looked for. */
async function servePair(): Promise<SimServer> {
  for (let port = 21_000 + 2 * (process.pid % 4000); ; port += 2) {
    const server = new SimServer({
      host: '127.0.0.1',
      port,
      profile: carlaProfiles['0.9.15'],
      scenario: busyTown,
      producers: sensorProducers('first'),
      version: '0.9.15',
      isSynchronous: false,
      speed: 1,
    });
    try {
      await server.start();
      return server;
    } catch (error) {
      if (!(error instanceof DriveMcpError) || error.code !== 'SIM_PORT_TAKEN') throw error;
    }
  }
}

const isReleased = (server: SimServer): boolean =>
  !server.settings.synchronousMode &&
  server.episode.sensors.size === 0 &&
  ![...server.episode.world.actors.values()].some(({ roleName }) => roleName === 'hero');

t.test('Ctrl-C ends it at any time: nobody there, nobody ticks, in the middle', async (t) => {
  const dir = t.testdir();
  const waiting = start(t, ['127.0.0.1:1', '--candump', join(dir, 'a.log')]);
  await until(waiting, () => waiting.stderr().includes('trying for'));
  waiting.stop('SIGINT');
  t.equal(await waiting.ended, 0, waiting.stderr());

  const { server } = await serveWorld(t, '0.9.15', busyTown);
  const address = `127.0.0.1:${server.ports.rpc}`;
  const driving = start(t, [address, '--candump', join(dir, 'b.log')]);
  await until(driving, () => driving.objects().length >= 1);
  driving.stop('SIGTERM');
  t.equal(await driving.ended, 0, driving.stderr());
  t.ok(isReleased(server));
  const ended = driving.objects().at(-1) as { event: string; outputs: { can: { frames: number } } };
  t.match(ended, { event: 'ended' });
  t.equal(readFileSync(join(dir, 'b.log'), 'utf8').trim().split('\n').length, ended.outputs.can.frames);

  // Synchronous, and somebody ticks until the bridge follows; then nobody does.
  const owner = await CarlaSession.open({
    host: '127.0.0.1',
    port: server.ports.rpc,
    timeoutMs: 5000,
    sync: 'owner',
    fixedDeltaS: 0.05,
    profile: null,
  });
  const following = start(t, [address, '--sync', 'passive', '--candump', join(dir, 'c.log')]);
  while (following.objects().length === 0) await owner.step();
  following.stop('SIGINT');
  t.equal(await following.ended, 0, following.stderr());
  t.equal(server.settings.synchronousMode, true, 'who owns the ticks keeps them');
  t.notOk([...server.episode.world.actors.values()].some(({ roleName }) => roleName === 'hero'));
  await owner.close();
});

t.test(
  'a server that dies is waited for; its frames go on in time, and the next one is left alone',
  async (t) => {
    const first = await servePair();
    const { rpc: port } = first.ports;
    const log = join(t.testdir(), 'drive.log');
    const running = start(t, [
      `127.0.0.1:${port}`,
      '--candump',
      log,
      '--timeout-s',
      '2',
      '--duration-s',
      '6',
    ]);
    await until(running, () => running.objects().length >= 1);
    await first.stop();
    await until(running, () => running.stderr().includes('connecting again'));
    const second = new SimServer({
      ...first.options,
      profile: carlaProfiles['0.9.13'],
      version: '0.9.13',
      producers: sensorProducers('second'),
    });
    await second.start();
    t.teardown(() => second.stop());
    t.equal(await running.ended, 0, running.stderr());
    t.match(running.objects().at(-1), { reconnects: 1, steps: 120, t_s: 6 });
    t.match(running.stderr(), /connected again \(1\): 0.9.13 at/);
    t.ok(isReleased(second));
    const times = readFileSync(log, 'utf8').match(/(?<=^\()[0-9.]+/gm) ?? [];
    t.ok(times.length > 1800);
    t.ok(times.every((time, i) => i === 0 || Number(time) > Number(times[i - 1])));
  },
);

t.test('an ego that is destroyed by somebody else is the end, and said', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', busyTown);
  const log = join(t.testdir(), 'drive.log');
  const running = start(t, [`127.0.0.1:${server.ports.rpc}`, '--candump', log]);
  await until(running, () => running.objects().length >= 1);
  const { id } = [...server.episode.world.actors.values()].find(({ roleName }) => roleName === 'hero') ?? {};
  server.episode.destroy(Number(id));
  t.equal(await running.ended, 69);
  t.match(running.stderr(), new RegExp(`vehicle ${id} is gone.*EGO_GONE`));
  t.equal(server.settings.synchronousMode, false);
  t.equal(server.episode.sensors.size, 0);
});

t.test('whatever an output does, its error is told and the server is left as it was', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', busyTown);
  const full = new DriveMcpError('FILE_UNWRITABLE', 'no space left');
  const bad: readonly Partial<BridgeOutput>[] = [
    { open: () => Promise.reject(full) },
    { open: async (fail) => fail(full) },
    { begin: () => Promise.reject(full) },
    {
      step: () => {
        throw full;
      },
    },
  ];
  for (const faulty of bad) {
    const told: string[] = [];
    const quiet: BridgeOutput = {
      name: 'quiet',
      step: () => told.push('step'),
      counters: () => ({}),
      close: async () => void told.push('close'),
    };
    const bridge = new Bridge({
      session: {
        host: '127.0.0.1',
        port: server.ports.rpc,
        timeoutMs: 5000,
        sync: 'owner',
        fixedDeltaS: 0.05,
        profile: null,
      },
      seed: 'x',
      isRealTime: false,
      endsAfterS: 5,
      outputs: [quiet, { ...quiet, name: 'bad', ...faulty }],
      intervene: null,
      patienceMs: 0,
      nowMs: () => performance.now(),
      signal: new AbortController().signal,
      notice: () => {},
    });
    await t.rejects(bridge.run(), full);
    t.strictSame(told.slice(-2), ['close', 'close']);
    t.ok(isReleased(server));
  }
  const args = ['hil', 'bridge', `127.0.0.1:${server.ports.rpc}`, '--duration-s', '2'];
  t.match(await drivemcp([...args, '--candump', '/no/such/folder/a.log']), {
    code: 69,
    stderr: /FILE_UNWRITABLE/,
  });
  const log = join(t.testdir({ 'a.log': '' }), 'a.log');
  t.match(await drivemcp([...args, '--candump', log]), { code: 2, stderr: /there already/ });
  t.ok(isReleased(server));
});

t.test(
  'a Unix socket gives the frames to whoever reads, in whole lines; who does not read is cut off',
  async (t) => {
    const { server } = await serveWorld(t, '0.9.15', busyTown);
    // A client's own address of a socket holds 107 bytes; the folder of a test is longer.
    const dir = mkdtempSync(join(tmpdir(), 'bridge-'));
    t.teardown(() => rmSync(dir, { recursive: true }));
    const path = join(dir, 'can.sock');
    const address = `127.0.0.1:${server.ports.rpc}`;
    const running = start(t, [address, '--can-socket', path, '--candump', join(dir, 'a.log')]);
    await until(running, () => existsSync(path));
    t.equal(statSync(path).mode & 0o777, 0o600);
    let text = '';
    const reader = connect(path).on('data', (chunk) => (text += chunk.toString()));
    const closed = new Promise((resolve) => reader.on('close', resolve));
    await until(running, () => text.split('\n').length > 500);
    const second = start(t, [address, '--can-socket', path]);
    t.equal(await second.ended, 69);
    t.match(second.stderr(), /another process listens there.*ADDRESS_UNAVAILABLE/);
    running.stop('SIGINT');
    t.equal(await running.ended, 0, running.stderr());
    await closed;
    t.notOk(existsSync(path));
    const log = readFileSync(join(dir, 'a.log'), 'utf8');
    t.ok(text.endsWith('\n') && log.endsWith(text), 'the same lines, from when it began to read to the end');
    // The second one is who asked whether anybody listens there.
    t.match(running.objects().at(-1), {
      outputs: { can: { 'can_socket.accepted': 2, 'can_socket.cut_slow': 0 } },
    });
    t.match(await drivemcp(['hil', 'bridge', '--can-socket', path, '--pacing', 'lockstep']), { code: 2 });

    const socket = new CandumpSocket(path, 0);
    await socket.open();
    const deaf = connect(path)
      .pause()
      .on('error', () => {});
    while (socket.counters().readers === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    const batch = new FrameBatch(1000, ['vcan0']);
    batch.count = 1000;
    while (socket.counters().readers > 0) {
      socket.take(batch, new Float64Array(1000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    t.match(socket.counters(), { accepted: 1, cut_slow: 1 });
    deaf.destroy();
    await socket.close();
  },
);

t.test('a bridge that is refused leaves no empty log in the way', async (t) => {
  const log = join(t.testdir(), 'a.log');
  const refused = await drivemcp(['hil', 'bridge', '--can', 'nope0', '--candump', log]);
  t.match(refused, { code: 69, stderr: /there is no CAN interface nope0/ });
  t.notOk(existsSync(log));
});
