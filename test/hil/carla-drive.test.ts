/** A served world as the drive of a run: what the sensors say, what is put back, servers that die and come back. */
import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { matchBrakeTable, readBrakeTable } from '../../hil/act/brake-table.js';
import { LeadTrack } from '../../hil/carla/drive/lead-track.js';
import { objectAhead } from '../../hil/carla/drive/lidar-lead.js';
import { MapFacts } from '../../hil/carla/drive/map-facts.js';
import { carlaProfiles } from '../../hil/carla/profile/profile.js';
import { calibrateBrakes } from '../../hil/carla/session/calibrate-brakes.js';
import { diagnose } from '../../hil/carla/session/diagnose.js';
import { noRotation } from '../../hil/carla/wire/geometry.js';
import { indexRoads } from '../../hil/opendrive/locate.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import { lanePose } from '../../hil/opendrive/road-line.js';
import { mapText } from '../../hil/sim/maps/map-catalogue.js';
import { sensorProducers } from '../../hil/sim/server/producers.js';
import { SimServer } from '../../hil/sim/server/sim-server.js';
import { drivemcp } from '../helpers/command.js';
import { busyTown, quietTown, serveWorld } from './serve-world.js';

const egoType = 'vehicle.drivemcp.estate';

t.test('the object ahead is found where it was put, in bends too', (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: 4, max: 60, noNaN: true }),
      fc.double({ min: -0.01, max: 0.01, noNaN: true }),
      fc.double({ min: -0.6, max: 0.6, noNaN: true }),
      (gapM, curvaturePerM, asideM) => {
        const points: number[] = [];
        const x = gapM + 2.3;
        // The rear of a car, and the ground in front of it, in the sensor's frame at 1.7 m.
        for (let y = -0.8; y <= 0.8; y += 0.2)
          for (const z of [-1.2, -0.8, -0.4]) points.push(x, asideM + y - (curvaturePerM * x * x) / 2, z, 1);
        for (let d = 3; d < x; d += 1) points.push(d, 0, -1.7, 1);
        const found = objectAhead(Float32Array.from(points), { curvaturePerM, bumperM: 2.3, heightM: 1.7 });
        return found !== null && Math.abs(found.gapM - gapM) < 0.01 && found.inPath > 0.3;
      },
    ),
  );
  t.equal(objectAhead(new Float32Array(0), { curvaturePerM: 0, bumperM: 2, heightM: 1.7 }), null);
  const beside = Float32Array.from([20, 3, -1, 1, 20, 3.1, -1, 1, 20, 3.2, -1, 1, 20, 3.3, -1, 1]);
  t.equal(
    objectAhead(beside, { curvaturePerM: 0, bumperM: 2, heightM: 1.7 }),
    null,
    'the next lane is not ours',
  );
  t.end();
});

t.test('the closing speed settles within a second, and nothing is said before there is one', (t) => {
  const track = new LeadTrack();
  const seen = { widthM: 1.7, heightM: 1.5, points: 30, inPath: 1 };
  let last = null;
  for (let i = 0; i < 15; i++) {
    const known = track.update({ ...seen, gapM: 50 - 0.6 * i }, i / 10);
    if (i < 4) t.equal(known, null);
    last = known;
  }
  t.ok(
    last !== null && Math.abs(last.closingMps - 6) < 0.5 && Math.abs(last.gapM - 41.6) < 0.3,
    JSON.stringify(last),
  );
  t.equal(track.update({ ...seen, gapM: 12 }, 1.5), null, 'a jump is another object');
  t.end();
});

t.test('the map tells the country, its side, its unit and each sign once', (t) => {
  const map = readOpenDrive(mapText('border-deu-gbr'), 'border');
  const facts = new MapFacts(indexRoads(map), 'test');
  const told: string[] = [];
  const signs: string[] = [];
  let tUs = 0;
  for (const [id, lane] of [
    ['1', -1],
    ['2', -1],
    ['3', 1],
  ] as const) {
    const road = map.roads.get(id);
    if (road === undefined) throw new Error(id);
    for (let sM = 1; sM < road.lengthM - 1; sM += 1) {
      const { x, y, headingRad } = lanePose(road, lane, sM);
      tUs += 50_000;
      for (const fact of facts.sense(x, y, headingRad, tUs, 0.05)) {
        if (fact.kind === 'sign') signs.push(`${fact.value.id} ${fact.value.value} ${fact.value.unit}`);
        if (fact.kind !== 'jurisdiction' && fact.kind !== 'units' && fact.kind !== 'drive_side') continue;
        const text = `${fact.kind} ${fact.value}`;
        if (told.findLast((other) => other.startsWith(fact.kind)) !== text) told.push(text);
      }
    }
  }
  t.strictSame(told, [
    'jurisdiction DEU',
    'units km/h',
    'drive_side right',
    'jurisdiction GBR',
    'units mph',
    'drive_side left',
  ]);
  t.strictSame(signs, ['1/slow-before-border 50 km/h', '3/welcome 40 mph', '3/open-road 60 mph']);
  t.end();
});

t.test('a brake table: saturated points go, other blueprints and files are refused', (t) => {
  const table = (points: unknown): string =>
    JSON.stringify({ version: '0.9.15', blueprint: 'vehicle.a.b', points });
  const point = (pedal: number, decel_mps2: number): object => ({ pedal, decel_mps2 });
  const measured = [point(0.2, 2.5), point(0.4, 4.7), point(0.6, 6.8), point(0.8, 7.9), point(1, 7.88)];
  const read = readBrakeTable(table(measured), 'brakes.json');
  t.ok(Math.abs(read.curve.toShare(4.7) - 0.4) < 1e-9);
  t.ok(Math.abs(read.curve.toShare(7.9) - 0.8) < 1e-9, 'the pedal where the road gives no more');
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      (a, b) => {
        const [one, other] = [read.curve.toShare(a), read.curve.toShare(b)];
        return one >= 0 && one <= 1 && (a <= b ? one <= other + 1e-12 : other <= one + 1e-12);
      },
    ),
  );
  t.equal(matchBrakeTable(read, 'vehicle.a.b', '0.9.15'), null);
  t.match(matchBrakeTable(read, 'vehicle.a.b', '0.9.13'), /measured at version 0.9.15/);
  t.throws(() => matchBrakeTable(read, 'vehicle.a.c', '0.9.15'), { code: 'BRAKE_TABLE_UNUSABLE' });
  for (const [text, problem] of [
    ['{', /JSON/],
    [table([point(0.5, 3)]), /points/],
    [table([point(0.5, 3), point(0.5, 4)]), /points.1.pedal: 0.5 does not rise/],
    [table([point(0.5, 3), point(0.6, Number.NaN)]), /points.1.decel_mps2/],
    [table([point(0.5, 3), point(1.5, 5)]), /points.1.pedal/],
  ] as const)
    t.throws(() => readBrakeTable(text, 'brakes.json'), { code: 'BRAKE_TABLE_UNUSABLE', message: problem });
  t.end();
});

t.test('the table of hil calibrate is what run reads', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', { ...quietTown, map: 'motorway-deu', vehicles: [] });
  const address = `127.0.0.1:${server.ports.rpc}`;
  const dir = t.testdir();
  const [file, other] = [`${dir}/brakes.json`, `${dir}/other.json`];
  const made = await drivemcp(['hil', 'calibrate', address, '--blueprint', egoType, '--out', file]);
  t.equal(made.code, 0, made.stderr);
  const run = (table: string): ReturnType<typeof drivemcp> =>
    drivemcp(['run', '--carla', address, '--duration-s', '1', '--brake-table', table, '--state', dir]);
  const used = await run(file);
  t.equal(used.code, 0, used.stderr);
  t.match(`${used.stdout}${used.stderr}`, /brakes: table [0-9a-f]{12}/);
  writeFileSync(other, readFileSync(file, 'utf8').replace(egoType, 'vehicle.drivemcp.hatchback'));
  t.match(await run(other), { code: 78, stderr: /brake table is of vehicle.drivemcp.hatchback/ });
  t.equal(server.settings.synchronousMode, false);
  t.match(await run(`${dir}/none.json`), { code: 69, stderr: /there is no such file/ });
});

t.test(
  'brakes are calibrated against the plant: stronger with the pedal up to what the road gives',
  async (t) => {
    const { open } = await serveWorld(t, '0.9.15', { ...quietTown, map: 'motorway-deu', vehicles: [] });
    const session = await open();
    const vehicle = await session.spawn(
      'vehicle.drivemcp.estate',
      {},
      { location: { x: 100, y: 8, z: 0 }, rotation: noRotation },
    );
    const told: number[] = [];
    const points = await calibrateBrakes(session, vehicle.id, ({ pedal }) => told.push(pedal));
    t.strictSame(told, [0.2, 0.4, 0.6, 0.8, 1]);
    const decels = points.map(({ decelMps2 }) => decelMps2);
    t.ok(
      decels.every((decel, i) => i === 0 || decel >= (decels[i - 1] as number) - 0.05),
      decels.join(' '),
    );
    t.ok(Math.abs((decels[4] as number) - 0.95 * 0.85 * 9.81) < 0.3, 'full brakes give μ·g·η');
  },
);

t.test('run --carla decides on a served world, replays, and puts everything back', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', busyTown);
  const state = t.testdir();
  const port = server.ports.rpc;
  const run = await drivemcp([
    'run',
    '--carla',
    `127.0.0.1:${port}`,
    '--duration-s',
    '8',
    '--state',
    state,
    '--json',
  ]);
  t.equal(run.code, 0, run.stderr);
  const summary = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '{}').summary;
  t.match(summary, { ticks: 161 });
  t.match(run.stderr, /spawned vehicle.drivemcp.estate as the ego/);
  t.equal(server.settings.synchronousMode, false);
  t.equal(server.episode.sensors.size, 0);
  t.notOk([...server.episode.world.actors.values()].some(({ roleName }) => roleName === 'hero'));
  const replay = await drivemcp(['replay', '--state', state, '--json']);
  t.equal(replay.code, 0, `${replay.stdout}${replay.stderr}`);
});

t.test('a server that dies is waited for, and the drive goes on in the new world', async (t) => {
  const first = await serveWorld(t, '0.9.15', busyTown);
  const { rpc: port } = first.server.ports;
  const running = drivemcp([
    'run',
    '--carla',
    `127.0.0.1:${port}`,
    '--duration-s',
    '60',
    '--carla-timeout-s',
    '2',
    '--state',
    t.testdir(),
    '--json',
  ]);
  // It drives once its LiDAR is there and frames go on; until then it would still be connecting.
  const { server } = first;
  while (server.episode.sensors.size === 0) await new Promise((resolve) => setImmediate(resolve));
  const begunFrame = server.episode.frame;
  while (server.episode.frame < begunFrame + 20) await new Promise((resolve) => setImmediate(resolve));
  await server.stop();
  const second = new SimServer({
    ...first.server.options,
    port,
    profile: carlaProfiles['0.9.13'],
    version: '0.9.13',
    producers: sensorProducers('second'),
  });
  await second.start();
  t.teardown(() => second.stop());
  const { code, stderr, stdout } = await running;
  t.equal(code, 0, stderr);
  t.match(stderr, /connecting again/);
  t.match(stderr, /connected again \(1\): simulator 0.9.13/);
  t.match(JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}').summary, { ticks: 1201 });
});

t.test('pacing: against the clock, and with latency charged', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', busyTown);
  for (const pacing of ['realtime', 'charged']) {
    const args = ['run', '--carla', `127.0.0.1:${server.ports.rpc}`, '--duration-s', '2', '--pacing', pacing];
    const { code, stdout, stderr } = await drivemcp([
      ...args,
      '--state',
      t.testdir({ [pacing]: {} }),
      '--json',
    ]);
    t.equal(code, 0, stderr);
    const { ticks, missed_ticks } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}').summary;
    t.equal(ticks + missed_ticks, 41, pacing);
  }
  const elsewhere = await drivemcp(['run', '--pacing', 'realtime']);
  t.match(elsewhere, { code: 2, stderr: /goes with --carla/ });
});

t.test('nobody there, and a world that stands still', async (t) => {
  const none = await drivemcp(['hil', 'doctor', '127.0.0.1:1']);
  t.match(none, { code: 69, stderr: /no CARLA at 127.0.0.1:1/ });
  const { server } = await serveWorld(t, '0.9.15', quietTown, '0.9.15', true);
  const options = { host: '127.0.0.1', port: server.ports.rpc, timeoutMs: 500 };
  t.match(await diagnose({ ...options, release: false }), {
    isFrozen: true,
    wasReleased: false,
    world: null,
  });
  t.match(await diagnose({ ...options, release: true }), { isFrozen: true, wasReleased: true });
  t.equal(server.settings.synchronousMode, false);
  t.match(await diagnose({ ...options, release: false }), {
    isFrozen: false,
    profile: '0.9.15',
    differences: [],
  });
  const bad = await drivemcp(['run', '--carla', '127.0.0.1:99999']);
  t.match(bad, { code: 2, stderr: /HOST:PORT/ });
});
