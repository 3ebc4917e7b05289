/** The cockpit port between processes: the built commands, a CARLA client beside them, and peers that mean no good. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import t from 'tap';
import type { JsonObject } from '../../daemon/core/tick.js';
import { systemClock } from '../../daemon/runtime/clock.js';
import { CarlaSession } from '../../hil/carla/session/carla-session.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { clearWeather } from '../../hil/carla/wire/weather.js';
import { CockpitClient } from '../../hil/cockpit/port/cockpit-client.js';
import { CockpitServer } from '../../hil/cockpit/port/cockpit-server.js';
import { EgoCockpit } from '../../hil/cockpit/port/ego-cockpit.js';
import { requestMaxBytes } from '../../hil/cockpit/port/protocol.js';
import { passengerCar, restingPlant, soundFaults } from '../../hil/sim/plant.js';
import { warmPowertrain } from '../../hil/sim/powertrain.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';

interface Teardown {
  teardown(run: () => unknown): void;
}

function folder(t: Teardown): string {
  const made = mkdtempSync(join(tmpdir(), 'cockpit-'));
  t.teardown(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const never = new AbortController().signal;

/** A cockpit on a socket, stepped by hand. */
async function served(t: Teardown) {
  const cockpit = new EgoCockpit({ people: 1, humidityPercent: null });
  const path = join(folder(t), 'ego.sock');
  const server = await CockpitServer.open(path, {
    port: cockpit.port,
    greeting: { server: 'test' },
    monoMs: () => systemClock.monoUs() / 1000,
  });
  t.teardown(() => server.close());
  let tS = 0;
  const step = (vMps: number): void => {
    tS += 0.05;
    cockpit.step({
      tS,
      dtS: 0.05,
      vMps,
      car: {
        model: passengerCar,
        plant: restingPlant(0, vMps),
        powertrain: warmPowertrain(vMps),
        faults: soundFaults(passengerCar),
        odometerM: 0,
      },
      control: noControl,
      weather: { ...clearWeather, sunAltitudeDeg: 40 },
      ambientC: 15,
      lightFlags: null,
      indicator: null,
      hasOthersAhead: null,
    });
  };
  step(0);
  return { cockpit, server, path, step };
}

/** A socket that says what it likes and keeps the lines it gets. */
async function raw(
  path: string,
): Promise<{ socket: Socket; lines: JsonObject[]; line(): Promise<JsonObject> }> {
  const socket = connect(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  const lines: JsonObject[] = [];
  const waiting: ((line: JsonObject) => void)[] = [];
  createInterface({ input: socket }).on('line', (text) => {
    const line = JSON.parse(text) as JsonObject;
    const first = waiting.shift();
    if (first === undefined) lines.push(line);
    else first(line);
  });
  socket.on('error', () => {});
  return {
    socket,
    lines,
    line: () => {
      const line = lines.shift();
      return line === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(line);
    },
  };
}

const hello = '{"id":1,"method":"hello","version":1}\n';

t.test('hil serve offers it, hil cockpit uses it, a CARLA client sees the lamps', async (t) => {
  const path = join(folder(t), 'ego.sock');
  const child: ChildProcess = spawn(process.execPath, [
    drivemcpScript,
    ...['hil', 'serve', '--json', '--scenario', 'town-rain', '--port', '0', '--cockpit-socket', path],
    ...['--cockpit-people', '3'],
  ]);
  t.teardown(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const next = async (event: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`no ${event}`);
      const line = JSON.parse(value) as Record<string, unknown>;
      if (line['event'] === event) return line;
    }
  };
  const listening = await next('listening');
  t.equal(listening['cockpit_socket'], path);
  t.equal(statSync(path).mode & 0o777, 0o600, 'for this user alone');
  const status = await next('status');
  t.match(status['cockpit'], { clients: 0, clients_max: 8 });

  const session = await CarlaSession.open({
    host: '127.0.0.1',
    port: Number(listening['rpc_port']),
    timeoutMs: 10_000,
    sync: 'owner',
    fixedDeltaS: 0.05,
    profile: null,
  });
  t.teardown(() => session.close());
  const state = await session.step();
  const ego = await session.findVehicle(['hero'], state);
  if (ego === null) throw new Error('no ego');
  const { rpc, methods } = session;
  const flags = async (): Promise<number> => {
    await session.step();
    const all = await rpc.call(methods.getVehicleLightStates);
    return all.find(({ id }) => id === ego.id)?.lights ?? -1;
  };
  t.equal((await flags()) & 2, 2, 'low beam in the rain, by itself');

  const command = (...args: string[]) => drivemcp(['hil', 'cockpit', ...args, '--socket', path]);
  const got = await command('get', '--json', 'GEAR_SELECTION', '0x11600207', 'SEAT_OCCUPANCY@ROW_1_RIGHT');
  t.equal(got.code, 0, got.stderr);
  const results = got.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.match(results, [
    { status: 'OK', prop: 'GEAR_SELECTION', value: 8, availability: 'AVAILABLE', area_name: 'GLOBAL' },
    { status: 'OK', prop: 'PERF_VEHICLE_SPEED', value: Number },
    { status: 'OK', value: 2 },
  ]);
  const set = await command(
    ...['set', 'HEADLIGHTS_SWITCH=OFF', 'HAZARD_LIGHTS_SWITCH=ON', 'HVAC_FAN_SPEED@0x75=5'],
  );
  t.equal(set.code, 0, set.stdout);
  t.match(set.stdout, /HVAC_FAN_SPEED +ROW_2_CENTER +OK/);
  const lamps = await flags();
  t.equal(lamps & 2, 0, 'the head unit put the low beam out');
  t.equal(lamps & 48, 48, 'and the hazard lights on');
  await rpc.call(methods.setVehicleLightState, ego.id, 3);
  t.equal(await flags(), 3, 'a CARLA client sets them back');
  t.match(
    (await command('get', 'HEADLIGHTS_SWITCH', 'HAZARD_LIGHTS_STATE')).stdout,
    /ON \(1\)[\s\S]*OFF \(0\)/,
  );

  const refused = await command('set', 'GEAR_SELECTION=4', 'HVAC_FAN_SPEED@ROW_1_LEFT=99');
  t.equal(refused.code, 1);
  t.match(refused.stdout, /GEAR_SELECTION +ACCESS_DENIED: /);
  t.match(refused.stdout, /INVALID_ARG: HVAC_FAN_SPEED takes 1 to 7/);
  t.equal((await command('get', 'NO_SUCH')).code, 2);
  t.match((await command('list')).stdout, /WINDSHIELD_WIPERS_SWITCH +0x13400bc7 +INT32 +READ_WRITE/);

  const watch = spawn(process.execPath, [
    drivemcpScript,
    ...['hil', 'cockpit', 'watch', '--json', '--socket', path, 'WINDSHIELD_WIPERS_PERIOD@1'],
  ]);
  t.teardown(() => void watch.kill('SIGKILL'));
  const watched = createInterface({ input: watch.stdout })[Symbol.asyncIterator]();
  const seen = async (): Promise<unknown> =>
    (JSON.parse((await watched.next()).value as string) as JsonObject)['value'];
  t.ok(((await seen()) as number) > 0, 'the rain sensor wipes');
  await command('set', 'WINDSHIELD_WIPERS_SWITCH@FRONT_WINDSHIELD=OFF');
  await session.step();
  t.equal(await seen(), 0);
  const watchEnd = new Promise((resolve) => watch.once('close', resolve));
  watch.kill('SIGINT');
  t.equal(await watchEnd, 0, 'Ctrl-C ends a watch');

  await session.close();
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGTERM');
  t.equal(await ended, 0);
  t.notOk(existsSync(path), 'nothing is left');
  const gone = await command('get', 'GEAR_SELECTION');
  t.equal(gone.code, 69);
  t.match(gone.stderr, /no cockpit port here/);
});

t.test('off without the option, and refused where it cannot be', async (t) => {
  const at = folder(t);
  const serve = (...args: string[]) =>
    drivemcp(['hil', 'serve', '--port', '0', '--map', 'rural-deu', ...args]);
  const people = await serve('--cockpit-people', '3');
  t.equal(people.code, 2, 'nobody sits in a cockpit that is not there');
  t.equal((await serve('--cockpit-socket', join(at, 'a'), '--cockpit-people', '9')).code, 2);
  const none = await serve('--cockpit-socket', join(at, 'no', 'such', 'folder'));
  t.equal(none.code, 69);
  t.match(none.stderr, /no cockpit port/);
  const file = join(at, 'file');
  writeFileSync(file, 'precious');
  t.equal((await serve('--cockpit-socket', file)).code, 69, 'a file stays');
  t.ok(existsSync(file));
  const taken = join(at, 'taken');
  const other = createServer().listen(taken);
  await new Promise((resolve) => other.once('listening', resolve));
  const refused = await serve('--cockpit-socket', taken);
  t.equal(refused.code, 69);
  t.match(refused.stderr, /another process listens there/);
  await new Promise((resolve) => other.close(resolve));
});

t.test('what a killed process left is replaced; a long path works', async (t) => {
  const at = join(folder(t), 'x'.repeat(60), 'y'.repeat(60));
  const { mkdirSync } = await import('node:fs');
  mkdirSync(at, { recursive: true });
  const path = join(at, 'ego.sock');
  const cockpit = new EgoCockpit({ people: 1, humidityPercent: null });
  const parts = { port: cockpit.port, greeting: {}, monoMs: () => systemClock.monoUs() / 1000 };
  const killed = spawn(process.execPath, [
    '-e',
    `process.chdir(${JSON.stringify(at)}); require('node:net').createServer().listen('ego.sock', () => process.kill(process.pid, 'SIGKILL'))`,
  ]);
  await new Promise((resolve) => killed.once('close', resolve));
  t.ok(existsSync(path), 'left behind');
  const server = await CockpitServer.open(path, parts);
  t.teardown(() => server.close());
  const client = await CockpitClient.connect(path, never);
  t.match(client.greeting, { version: 1 });
  t.match(await client.get([{ prop: 'PERF_VEHICLE_SPEED' }]), [{ status: 'NOT_AVAILABLE' }]);
  client.close();
  await t.rejects(CockpitServer.open(path, parts), { code: 'ADDRESS_UNAVAILABLE' });
});

t.test('lines that are no requests are answered, counted and end somewhere', async (t) => {
  const { path, server } = await served(t);
  const peer = await raw(path);
  peer.socket.write('{"id":7,"method":"get","values":[{"prop":"GEAR_SELECTION"}]}\n');
  t.match(await peer.line(), { id: 7, ok: false, error: { code: 'hello_first' } });
  peer.socket.write('{"id":8,"method":"hello","version":99}\n');
  t.match(await peer.line(), { error: { code: 'version' } });
  peer.socket.write(hello);
  t.match(await peer.line(), { id: 1, ok: true, result: { version: 1, server: 'test' } });
  for (const line of [
    '{',
    '[]',
    '{"id":2,"method":"get","values":[]}',
    '{"id":2,"method":"set","values":[{"prop":"HVAC_FAN_SPEED","value":{"a":1}}]}',
    '{"id":2,"method":"reboot"}',
    `{"id":2,"method":"get","values":${JSON.stringify(Array.from({ length: 257 }, () => ({ prop: 1 })))}}`,
  ]) {
    peer.socket.write(`${line}\n`);
    t.match(await peer.line(), { ok: false, error: { code: 'malformed' } }, line.slice(0, 40));
  }
  peer.socket.write(
    '{"id":3,"method":"set","values":[{"prop":"GEAR_SELECTION","value":4},{"prop":"HEADLIGHTS_SWITCH","value":1}]}\n',
  );
  t.match(await peer.line(), {
    id: 3,
    ok: true,
    result: { results: [{ status: 'ACCESS_DENIED' }, { status: 'OK' }] },
  });
  const closed = new Promise((resolve) => peer.socket.once('close', resolve));
  peer.socket.write('x'.repeat(requestMaxBytes + 10));
  t.match(await peer.line(), { error: { code: 'too_long' } });
  await closed;
  t.match(server.counters(), { malformed: 6, sets: 1, refused_sets: 1 });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const one = await raw(path);
      one.socket.write(Buffer.concat([Buffer.from(bytes), Buffer.from(`\n${hello}`)]));
      for (;;) if ((await one.line())['ok'] === true) break;
      one.socket.destroy();
    }),
    { numRuns: 30 },
  );
});

t.test(
  'a reader that takes nothing misses values, never the last one; there is a bound on clients',
  async (t) => {
    const { path, server, cockpit, step } = await served(t);
    const slow = await raw(path);
    slow.socket.write(hello);
    await slow.line();
    slow.socket.write('{"id":2,"method":"subscribe","props":[{"prop":"PERF_VEHICLE_SPEED"}]}\n');
    t.match(await slow.line(), { id: 2, ok: true, result: { results: [{ status: 'OK' }] } });
    t.match(await slow.line(), { id: 2, event: 'values', values: [{ value: 0 }] });
    slow.socket.pause();
    let stepped = 0;
    while (Number(server.counters()['values_coalesced']) === 0 && stepped < 200_000) {
      step(++stepped);
      if (stepped % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    t.ok(stepped < 200_000, `values are replaced once the socket is full (${stepped} steps)`);
    step(12_345_678);
    slow.socket.resume();
    for (;;) {
      const { values } = (await slow.line()) as { values: { value: number }[] };
      if (values.at(-1)?.value === 12_345_678) break;
    }
    t.pass('the last value arrived');
    slow.socket.destroy();
    while (Number(server.counters()['clients']) > 0) await new Promise((resolve) => setImmediate(resolve));
    const clients = await Promise.all(Array.from({ length: 8 }, () => CockpitClient.connect(path, never)));
    const ninth = await raw(path);
    t.match(await ninth.line(), { ok: false, error: { code: 'busy' } });
    ninth.socket.destroy();
    t.equal(server.counters()['turned_away'], 1);
    const [one, other] = clients as [CockpitClient, CockpitClient];
    t.match(await other.subscribe([{ prop: 'HVAC_FAN_SPEED', areas: [0x1] }]), [{ status: 'OK' }]);
    t.match(await other.next(), [{ value: 3 }]);
    await one.set([{ prop: 'HVAC_FAN_SPEED', area: 0x1, value: 6 }]);
    t.match(await other.next(), [{ prop: 'HVAC_FAN_SPEED', area: 1, value: 6 }], 'one client sees the other');
    t.equal(cockpit.port.set('HVAC_POWER_ON', 0x1, false), null);
    t.match(await other.next(), [{ availability: 'UNAVAILABLE', value: null }]);
    for (const client of clients) client.close();
  },
);
