/** The cockpit beside a CARLA server, and that of a served ego in the frames of its bus. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import type { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { JsonObject } from '../../daemon/core/tick.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import type { FrameSink } from '../../hil/bridge/can-bridge.js';
import { CanBridge } from '../../hil/bridge/can-bridge.js';
import { Bridge } from '../../hil/bridge/run-bridge.js';
import { clearWeather } from '../../hil/carla/wire/weather.js';
import { CarlaEgoCockpit } from '../../hil/cockpit/carla-ego.js';
import { EgoCockpit } from '../../hil/cockpit/port/ego-cockpit.js';
import { ServedEgoCockpit } from '../../hil/cockpit/served-ego.js';
import { lightFlag } from '../../hil/sim/cabin/lights.js';
import { wiperSwitch } from '../../hil/sim/cabin/wipers.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { quietTown, serveWorld } from './serve-world.js';

const dbcFile = packageFile('daemon', 'vehicles', 'profiles', 'sim-car', 'sim-car.dbc');
const database = parseDbc(readFileSync(dbcFile), 'sim-car.dbc').database;
const bodyState = 0x2e0;

/** The last BODY_STATE: wipers in two bits, then lamps. */
class BodyFrames implements FrameSink {
  readonly name = 'body';
  latest: { wiper: number; lowBeam: boolean; hazard: boolean } | null = null;
  take(batch: FrameBatch): void {
    for (let i = 0; i < batch.count; i++) {
      if (batch.id[i] !== bodyState) continue;
      const byte = batch.data[i * 64] ?? 0;
      this.latest = { wiper: byte & 3, lowBeam: (byte & 4) !== 0, hazard: (byte & 128) !== 0 };
    }
  }
  counters(): Record<string, never> {
    return {};
  }
  async close(): Promise<void> {}
}

const rainyTown: WorldScenario = {
  ...quietTown,
  id: 'rainy-town',
  weather: [{ tS: 0, weather: { ...clearWeather, sunAltitudeDeg: 40, precipitation: 60 }, ambientC: 12 }],
};

/** A bridge that is stepped as fast as it goes, for so many seconds of the world. */
async function bridge(
  port: number,
  seconds: number,
  companion: CarlaEgoCockpit | undefined,
  stepped: (tS: number) => void = () => {},
): Promise<BodyFrames> {
  const sink = new BodyFrames();
  await new Bridge({
    session: { host: '127.0.0.1', port, timeoutMs: 10_000, sync: 'owner', fixedDeltaS: 0.05, profile: null },
    seed: 'test',
    isRealTime: false,
    endsAfterS: seconds,
    outputs: [
      new CanBridge({
        database,
        seed: 'test',
        scripted: [],
        hasReadings: false,
        busName: 'b',
        sinks: [sink],
      }),
    ],
    intervene: null,
    companion,
    patienceMs: 1000,
    nowMs: () => performance.now(),
    signal: new AbortController().signal,
    notice: () => {},
    stepped: ({ tS }) => stepped(tS),
  }).run();
  return sink;
}

t.test('wipers and lamps of a served cockpit are in the frames of its bus', async (t) => {
  for (const [scenario, switched, expected] of [
    [quietTown, wiperSwitch.CONTINUOUS_LEVEL_5, { wiper: 3, lowBeam: true, hazard: true }],
    [rainyTown, wiperSwitch.OFF, { wiper: 0, lowBeam: true, hazard: true }],
  ] as const) {
    const { server } = await serveWorld(t, '0.9.15', scenario);
    const cockpit = new EgoCockpit({ people: 1, humidityPercent: null });
    const ego = new ServedEgoCockpit(cockpit);
    server.stepped = ({ world }) => ego.step(world);
    cockpit.port.set('WINDSHIELD_WIPERS_SWITCH', 0x1, switched);
    cockpit.port.set('HEADLIGHTS_SWITCH', 0, 1);
    cockpit.port.set('HAZARD_LIGHTS_SWITCH', 0, 1);
    t.same((await bridge(server.ports.rpc, 2, undefined)).latest, expected, `${scenario.id}`);
  }
  const { server } = await serveWorld(t, '0.9.15', rainyTown);
  const plain = await bridge(server.ports.rpc, 2, undefined);
  t.match(plain.latest, { wiper: 2, lowBeam: true, hazard: false }, 'without a cockpit: by the rain alone');
});

t.test('beside a server without one: lamps over RPC in both directions, wipers in the frames', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', { ...quietTown, weather: rainyTown.weather });
  const cockpit = new EgoCockpit({ people: 1, humidityPercent: null });
  const { port } = cockpit;
  const notices: string[] = [];
  const companion = new CarlaEgoCockpit(cockpit, [], (text) => notices.push(text));
  const flags = (): number => server.episode.world.ego?.lightFlags ?? -1;
  const switchNow = (): unknown => {
    const found = port.get('HEADLIGHTS_SWITCH');
    return 'status' in found ? found.status : found.value;
  };
  port.set('WINDSHIELD_WIPERS_SWITCH', 0x1, wiperSwitch.INTERMITTENT_LEVEL_1);
  const seen = { auto: 0, off: -1, client: -1 };
  let outside: unknown = null;
  const frames = await bridge(server.ports.rpc, 6, companion, (tS) => {
    const { ego } = server.episode.world;
    if (Math.abs(tS - 1.5) < 0.01) {
      seen.auto = flags();
      outside = port.get('ENV_OUTSIDE_TEMPERATURE');
      port.set('HEADLIGHTS_SWITCH', 0, 0);
    }
    if (Math.abs(tS - 3) < 0.01) {
      seen.off = flags();
      // What a CARLA client's call does in the world.
      if (ego !== null) ego.lightFlags = lightFlag.position | lightFlag.lowBeam | lightFlag.fog;
    }
    if (Math.abs(tS - 5) < 0.01) seen.client = flags();
  });
  t.equal(seen.auto & lightFlag.lowBeam, lightFlag.lowBeam, 'low beam in rain');
  t.equal(seen.off & lightFlag.lowBeam, 0, 'put out by the head unit');
  t.equal(seen.client & (lightFlag.lowBeam | lightFlag.fog), lightFlag.lowBeam | lightFlag.fog, 'others set');
  t.equal(switchNow(), 1, 'and the head unit sees it');
  t.match(outside, { value: 12 }, 'our simulator tells how warm it is');
  t.match(frames.latest, { wiper: 1, lowBeam: true });
  t.same(notices, []);
  const gone = port.get('PERF_VEHICLE_SPEED');
  t.ok('value' in gone && typeof gone.value === 'number');
});

t.test('a CARLA that does not tell lamps: said once, the rest goes on', async (t) => {
  const [car] = quietTown.vehicles;
  const ego = car === undefined ? null : ({ ...car, roleName: 'hero', brain: 'driver' } as const);
  const { server } = await serveWorld(t, '0.9.8', { ...quietTown, vehicles: [], ego });
  const cockpit = new EgoCockpit({ people: 1, humidityPercent: null });
  const notices: string[] = [];
  cockpit.port.set('WINDSHIELD_WIPERS_SWITCH', 0x1, wiperSwitch.CONTINUOUS_LEVEL_1);
  const companion = new CarlaEgoCockpit(cockpit, [], (text) => notices.push(text));
  const frames = await bridge(server.ports.rpc, 1, companion);
  t.match(frames.latest, { wiper: 2 });
  t.match(notices, [/does not tell lamps/]);
});

t.test('hil bridge and run --carla offer it, and take it away at their end', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', quietTown);
  const address = `127.0.0.1:${server.ports.rpc}`;
  for (const [name, args] of [
    ['bridge', ['hil', 'bridge', address, '--step-ms', '50']],
    ['run', ['run', '--carla', address, '--pacing', 'realtime', '--state', join(t.testdir(), 'state')]],
  ] as const) {
    const path = join(t.testdir(), `${name}.sock`);
    const child = spawn(process.execPath, [drivemcpScript, ...args, '--cockpit-socket', path]);
    t.teardown(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
    let text = '';
    while (!text.includes('as the ego')) {
      const { value, done } = await lines.next();
      if (done === true) break;
      text += `${value}\n`;
    }
    t.match(text, /the cockpit of the ego is at/, name);
    const watch = spawn(process.execPath, [
      drivemcpScript,
      ...['hil', 'cockpit', 'watch', '--json', '--socket', path, 'PERF_VEHICLE_SPEED'],
    ]);
    t.teardown(() => void watch.kill('SIGKILL'));
    let speed = 0;
    for await (const line of createInterface({ input: watch.stdout })) {
      speed = Number((JSON.parse(line) as JsonObject)['value']);
      if (speed > 0.5) break;
    }
    t.ok(speed > 0.5, `${name}: the ego drives at ${speed} m/s`);
    watch.kill('SIGKILL');
    const set = await drivemcp(['hil', 'cockpit', 'set', '--socket', path, 'HAZARD_LIGHTS_SWITCH=ON']);
    t.equal(set.code, 0, set.stderr);
    const blinkers = lightFlag.leftBlinker | lightFlag.rightBlinker;
    while (((server.episode.world.ego?.lightFlags ?? 0) & blinkers) !== blinkers)
      await new Promise((resolve) => setImmediate(resolve));
    t.pass(`${name}: hazard lights in the world`);
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    t.equal(await ended, 0);
    t.notOk(existsSync(path), 'nothing is left');
  }
});
