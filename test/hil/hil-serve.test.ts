/** `hil serve`: the built command, a session at the other end, its ends and its refusals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as tcpConnect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { commands } from '../../daemon/cli/hil.js';
import { loadScenario } from '../../daemon/cli/scenario-files.js';
import { carlaProfileNames, carlaProfiles } from '../../hil/carla/profile/profile.js';
import { CarlaSession } from '../../hil/carla/session/carla-session.js';
import { readToken } from '../../hil/carla/stream/token.js';
import { stopReason } from '../../hil/scenarios/stop-rule.js';
import { mapText } from '../../hil/sim/maps/map-catalogue.js';
import { sensorProducers } from '../../hil/sim/server/producers.js';
import { SimServer } from '../../hil/sim/server/sim-server.js';
import { SimWorld } from '../../hil/sim/world/sim-world.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { busyTown, quietTown } from './serve-world.js';

interface Running {
  readonly child: ChildProcess;
  readonly stderr: () => string;
  next(event: string): Promise<Record<string, unknown>>;
  ended(): Promise<{ code: number | null; last: Record<string, unknown> }>;
}

function serve(t: { teardown(run: () => void): void }, args: readonly string[]): Running {
  const child = spawn(process.execPath, [drivemcpScript, 'hil', 'serve', '--json', ...args]);
  t.teardown(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last: Record<string, unknown> = {};
  const read = async (): Promise<Record<string, unknown> | null> => {
    const { value, done } = await lines.next();
    if (done === true) return null;
    last = JSON.parse(value) as Record<string, unknown>;
    return last;
  };
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    stderr: () => stderr,
    async next(event) {
      for (let line = await read(); line !== null; line = await read())
        if (line['event'] === event) return line;
      throw new Error(`no ${event}: ${stderr}`);
    },
    async ended() {
      while ((await read()) !== null);
      return { code: await exit, last };
    },
  };
}

const open = (port: unknown, sync: 'owner' | 'async'): Promise<CarlaSession> =>
  CarlaSession.open({
    host: '127.0.0.1',
    port: Number(port),
    timeoutMs: 10_000,
    sync,
    fixedDeltaS: 0.05,
    profile: null,
  });

t.test('a scenario for two clients at once, until it is told to end', async (t) => {
  const served = serve(t, ['--scenario', 'town-rain', '--port', '0', '--profile', '0.9.13']);
  const { rpc_port, profile, scenario } = await served.next('listening');
  t.match({ profile, scenario }, { profile: '0.9.13', scenario: 'town-rain' });
  const [owner, watcher] = [await open(rpc_port, 'owner'), await open(rpc_port, 'async')];
  t.equal(owner.probe.base, '0.9.13');
  let state = await owner.step();
  t.ok(await owner.findVehicle(['hero'], state), 'the ego is there');
  while (watcher.world.latest === null) state = await owner.step();
  t.equal((await watcher.world.reach(state.frame, 5000))?.frame, state.frame);
  t.match(await served.next('status'), { clients: 2, streams: 2 });
  t.same(await owner.close(), []);
  await watcher.close();
  served.child.kill('SIGTERM');
  const { code, last } = await served.ended();
  t.equal(code, 0);
  t.match(last, { event: 'ended', stop: null, bad_calls: Number });
});

t.test('a map of a file, in lockstep: nothing moves before a tick, Ctrl-C ends it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'own.xodr');
  writeFileSync(file, mapText('rural-gbr'));
  const served = serve(t, ['--map', file, '--sync', '--port', '0']);
  const { rpc_port, map } = await served.next('listening');
  t.equal(map, 'own');
  const session = await open(rpc_port, 'async');
  t.equal(await session.map(), mapText('rural-gbr'));
  t.equal((await served.next('status'))['frame'], 0);
  await session.rpc.call(session.methods.tickCue);
  await session.rpc.call(session.methods.loadEpisode, 'own', true, 0xffff);
  t.equal(await session.map(), mapText('rural-gbr'), 'the same map again by its name');
  await session.close();
  served.child.kill('SIGINT');
  t.match(await served.ended(), { code: 0, last: { event: 'ended' } });
});

t.test('it ends by itself where the scenario stops', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'serve-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'short.yaml');
  writeFileSync(
    file,
    'id: short\nfamily: other\ntitle: Short\nmap: rural-deu\nweather: [{ at_s: 0 }]\nstop: { at_s: 5 }\n',
  );
  const served = serve(t, ['--scenario', file, '--port', '0', '--speed', '20', '--until-stop']);
  t.match(await served.next('stop_reached'), { reason: 'time', t_s: 5 });
  t.match(await served.ended(), { code: 0, last: { event: 'ended', stop: 'time' } });
});

t.test('a place and a collision stop as well', async (t) => {
  const { world: scenario, map, stop } = await loadScenario('border');
  const world = new SimWorld(scenario, map);
  while (stopReason(world, stop) === null) world.step(0.05);
  t.equal(stopReason(world, stop), 'place');
  t.ok(world.tS < stop.atS);
  const [lead] = scenario.vehicles;
  const parked = { ...lead, place: { road: '1', lane: -1, sM: 40 }, vMps: 0, script: [] } as typeof lead;
  const crash = new SimWorld(
    {
      ...scenario,
      ego: scenario.ego === null ? null : { ...scenario.ego, brain: 'client' },
      vehicles: parked === undefined ? [] : [parked],
    },
    map,
  );
  const rule = { atS: 30, onCollision: true, egoAt: null };
  while (stopReason(crash, rule) === null) crash.step(0.05);
  t.equal(stopReason(crash, rule), 'collision');
});

t.test('what it refuses, with its exit code', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  t.teardown(() => void taken.close());
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? String(address.port) : '';
  const cases = [
    [['--port', port], 69, /SIM_PORT_TAKEN|cannot listen/],
    [['--host', '0.0.0.0'], 2, /allow-remote/],
    [['--scenario', 'atlantis'], 2, /bundled: /],
    [['--scenario', 'border', '--map', 'town-deu'], 2, /leave out --map/],
    [['--sync', '--speed', '2'], 2, /lockstep/],
    [['--speed', 'fast'], 2, /0\.01 to 100/],
    [['--until-stop'], 2, /--scenario/],
    [['--scenario', 'nowhere/x.yaml'], 69, /no such file/],
  ] as const;
  const results = await Promise.all(cases.map(([args]) => drivemcp(['hil', 'serve', ...args])));
  for (const [i, [args, code, text]] of cases.entries()) {
    t.equal(results[i]?.code, code, args.join(' '));
    t.match(results[i]?.stderr, text);
    t.equal(results[i]?.stdout, '');
  }
});

t.test('an address that others reach is warned of', async (t) => {
  const served = serve(t, ['--host', '0.0.0.0', '--allow-remote', '--port', '0']);
  await served.next('status');
  t.match(served.stderr(), /no authentication/);
  served.child.kill('SIGINT');
  t.equal((await served.ended()).code, 0);
});

t.test('every profile can be asked for', (t) => {
  const spec = commands.find(({ path }) => path[1] === 'serve');
  t.same(spec?.options['profile']?.choices, carlaProfileNames);
  t.end();
});

async function townServer(
  t: { teardown(run: () => Promise<void>): void },
  scenario: WorldScenario,
): Promise<SimServer> {
  const server = new SimServer({
    host: '127.0.0.1',
    port: 0,
    profile: carlaProfiles['0.9.15'],
    scenario,
    producers: sensorProducers('test'),
    version: '0.9.15',
    isSynchronous: true,
    speed: 1,
  });
  await server.start();
  t.teardown(() => server.stop());
  return server;
}

t.test('a reader that does not read does not hold up the end', async (t) => {
  const server = await townServer(t, busyTown);
  const session = await open(server.ports.rpc, 'async');
  const wide = { points_per_second: '2000000', rotation_frequency: '1', range: '200' };
  const description = {
    uid: 0,
    id: 'sensor.lidar.ray_cast',
    attributes: Object.entries(wide).map(([id, value]) => ({ id, type: 3, value })),
  };
  const place = { location: { x: 0, y: 0, z: 30 }, rotation: { pitchDeg: 0, yawDeg: 0, rollDeg: 0 } };
  const { streamToken } = await session.rpc.call(session.methods.spawnActor, description, place);
  const socket = tcpConnect(server.ports.streams, '127.0.0.1');
  const stream = Buffer.alloc(4);
  stream.writeUInt32LE(readToken(streamToken).streamId);
  socket.write(stream);
  socket.pause();
  while (server.streams.readers(readToken(streamToken).streamId) === 0)
    await new Promise((resolve) => setImmediate(resolve));
  const tick = server.tick();
  await session.close();
  await server.stop();
  t.ok((await tick) > 0, 'the step is whole');
  t.equal(server.streams.counters.cutReaders, 0, 'nobody waited until the reader was cut off');
  socket.destroy();
});

t.test('memory stays flat over ten thousand ticks with a client', async (t) => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const server = await townServer(t, quietTown);
  const session = await open(server.ports.rpc, 'owner');
  const heapMb = (): number => {
    gc();
    gc();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const ticks = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await session.step();
  };
  await ticks(2000);
  const warmMb = heapMb();
  await ticks(10_000);
  const grownMb = heapMb() - warmMb;
  t.ok(grownMb < 2, `${grownMb.toFixed(2)} MB more`);
  await session.close();
});
