/** Client against simulator in every profile: probing, ticks, spawning, sensors, settings put back, maps changed. */
import { createHash } from 'node:crypto';
import t from 'tap';
import { profileByVersion } from '../../hil/carla/profile/probe-profile.js';
import { carlaProfileNames } from '../../hil/carla/profile/profile.js';
import { RpcClient } from '../../hil/carla/rpc/rpc-client.js';
import { gnssMeasurement, imuMeasurement, readCollision } from '../../hil/carla/stream/sensor-data.js';
import { readTypeState } from '../../hil/carla/stream/type-state.js';
import { decodeOne } from '../../hil/carla/wire/codec.js';
import { noRotation, zero } from '../../hil/carla/wire/geometry.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { scaleFriction } from '../../hil/carla/wire/vehicle-physics.js';
import { clearWeather } from '../../hil/carla/wire/weather.js';
import { busyTown, serveWorld } from './serve-world.js';

const estate = 'vehicle.drivemcp.estate';
const onRoad = { location: { x: 60, y: 1.6, z: 0.2 }, rotation: noRotation };

for (const name of carlaProfileNames) {
  t.test(`profile ${name}: one session from the first call to the last`, async (t) => {
    const version = name === 'ue4-dev' ? '0.9.17' : name;
    const { server, open } = await serveWorld(t, name, undefined, version);
    const session = await open();
    t.strictSame(session.probe.differences, [], 'the version told it all');
    t.ok(session.isOurSimulator);
    t.match(await session.map(), /<OpenDRIVE>/);
    t.ok((await session.spawnPoints()).length > 20);
    const ego = await session.spawn(
      estate,
      { role_name: 'hero' },
      { ...onRoad, location: { ...onRoad.location, x: 30 } },
    );
    const gnss = await session.addSensor({
      typeId: 'sensor.other.gnss',
      attributes: {},
      transform: { location: zero, rotation: noRotation },
      parentId: ego.id,
    });
    const imu = await session.addSensor({
      typeId: 'sensor.other.imu',
      attributes: { sensor_tick: '0.1' },
      transform: { location: zero, rotation: noRotation },
      parentId: ego.id,
    });
    const first = await session.step();
    while (server.streams.readers(2) === 0 || server.streams.readers(3) === 0)
      await new Promise((resolve) => setImmediate(resolve));
    await session.control(ego.id, { ...noControl, throttle: 1 });
    let state = await session.step();
    for (let i = 0; i < 39; i++) state = await session.step();
    t.equal(state.frame, first.frame + 40, 'every step is one frame');
    const found = await session.findVehicle(['hero'], state);
    t.equal(found?.id, ego.id);
    const own = state.actors.find(({ id }) => id === ego.id);
    t.ok((own?.velocityMps.x ?? 0) > 4, `${own?.velocityMps.x} m/s after two seconds of full throttle`);
    const typed = readTypeState(own?.typeBytes ?? Buffer.alloc(0), estate, session.world.layout.hasSignId);
    t.match(typed, { kind: 'vehicle', control: { throttle: 1 } });
    const fix = gnss.take();
    t.ok(fix !== null && decodeOne(gnssMeasurement, fix.payload).lonDeg > 30 / 111_320);
    const inertial = imu.take();
    t.ok(inertial !== null && decodeOne(imuMeasurement, inertial.payload).accelerationMps2.x > 1);
    t.ok(imu.received < gnss.received, 'a sensor of 0.1 s comes every second step');
    await session.setWeather({ ...clearWeather, wetness: 70, precipitation: 40 });
    t.match(await session.weather(), { wetness: 70, precipitation: 40 });
    const physics = await session.rpc.call(session.methods.getPhysics, ego.id);
    await session.rpc.call(session.methods.applyPhysics, ego.id, scaleFriction(physics, 0.5));
    t.equal((await session.rpc.call(session.methods.getPhysics, ego.id)).wheels[0]?.tireFriction, 1.75);
    t.strictSame(await session.close(), []);
    t.equal(server.settings.synchronousMode, false, 'settings are put back');
    t.notOk(server.episode.world.actors.has(ego.id), 'and what was spawned is gone');
    t.equal(server.episode.sensors.size, 0);
  });
}

t.test('a version that says nothing, or the wrong thing', async (t) => {
  for (const [profile, version] of [
    ['0.9.13', '4d45b7e'],
    ['0.9.16', '0.9.15-dirty'],
    ['0.9.8', '0.9.13'],
    ['ue4-dev', '0.9.16'],
  ] as const) {
    const { open } = await serveWorld(t, profile, undefined, version);
    const session = await open();
    const state = await session.step();
    t.ok(state.actors.length > 0, `${profile} that says ${version}: ${session.probe.differences.join('; ')}`);
    const ego = await session.spawn(estate, {}, { ...onRoad, location: { ...onRoad.location, x: 30 } });
    t.ok((await session.step()).actors.some(({ id }) => id === ego.id));
    await session.close();
  }
  t.equal(profileByVersion('0.9.17'), 'ue4-dev');
  t.equal(profileByVersion('0.10.0'), '0.10');
  t.equal(profileByVersion('0.9.9'), '0.9.8');
  t.equal(profileByVersion('0.9.15-2-gabc'), '0.9.15');
});

t.test('passive and asynchronous sessions; several clients; the owner that dies', async (t) => {
  const { server, open } = await serveWorld(t);
  const owner = await open();
  const watcher = await open({ sync: 'passive' });
  const first = await owner.step();
  t.ok(((await watcher.world.reach(first.frame, 2000))?.frame ?? 0) >= first.frame);
  await t.rejects(open({ fixedDeltaS: 0.5 }), { code: 'CARLA_REFUSED' }, 'a step longer than the substeps');
  t.equal(server.settings.fixedDeltaS, 0.05);
  // Killed, not closed: the socket just ends.
  owner.rpc.close();
  while (server.settings.synchronousMode) await new Promise((resolve) => setImmediate(resolve));
  const running = await watcher.step();
  t.ok((await watcher.step()).frame > running.frame, 'the world goes on by the clock');
  t.same(await owner.close(), [], 'nothing is left to put back');
  const late = await open();
  late.rpc.close();
  await server.stop();
  t.match(await late.close(), [/had ended: .* \(no CARLA at/]);
});

t.test('a map is changed under a session, a client brings its own map, a bad one is refused', async (t) => {
  const { server, open } = await serveWorld(t);
  const session = await open();
  const other = await open({ sync: 'passive' });
  await session.step();
  await t.rejects(other.rpc.call(other.methods.loadEpisode, 'Atlantis', true, 0xffff), {
    code: 'CARLA_REFUSED',
    message: /town-deu/,
  });
  const text = await session.map();
  await other.rpc.call(other.methods.copyOpenDrive, text.replace('town-deu', 'mine'), {
    vertexDistanceM: 2,
    maxRoadLengthM: 50,
    wallHeightM: 1,
    additionalWidthM: 0.6,
    smoothJunctions: true,
    enableMeshVisibility: true,
    enablePedestrianNavigation: true,
  });
  await t.rejects(other.rpc.call(other.methods.copyOpenDriveText, '<osm/>'), { code: 'CARLA_REFUSED' });
  await other.rpc.call(other.methods.loadEpisode, 'OpenDriveMap', true, 0xffff);
  t.equal(server.episode.world.map.name, 'OpenDriveMap');
  await t.rejects(session.step(), { code: 'CARLA_EPISODE' });
});

t.test('a collision is reported to the sensor of who was hit', async (t) => {
  const { server, open } = await serveWorld(t);
  const session = await open();
  const wall = await session.spawn(
    'vehicle.drivemcp.lorry',
    {},
    { ...onRoad, location: { x: 75, y: -1.6, z: 0 } },
  );
  const ego = await session.spawn(
    estate,
    { role_name: 'hero' },
    { ...onRoad, location: { x: 30, y: -1.6, z: 0 } },
  );
  const feed = await session.addSensor({
    typeId: 'sensor.other.collision',
    attributes: {},
    transform: { location: zero, rotation: noRotation },
    parentId: ego.id,
  });
  while (server.streams.readers(2) === 0) await new Promise((resolve) => setImmediate(resolve));
  await session.control(ego.id, { ...noControl, throttle: 1 });
  let message = null;
  for (let i = 0; i < 200 && message === null; i++) {
    await session.step();
    message = feed.take();
  }
  const event = message === null ? null : readCollision(message.payload);
  t.match(event, { self: { id: ego.id }, other: { id: wall.id } });
  t.ok((event?.impulseNs.x ?? 0) < -1000);
});

t.test('the world stream is the same, byte for byte', async (t) => {
  const hash = async (): Promise<string> => {
    const { server, open } = await serveWorld(t, '0.9.15', busyTown, '0.9.15', true);
    const session = await open();
    const digest = createHash('sha256');
    server.stepped = (episode) => digest.update(episode.worldPayload(0.05));
    for (let i = 0; i < 200; i++) await session.step();
    await session.close();
    return digest.digest('hex');
  };
  const first = await hash();
  t.equal(await hash(), first);
  // Changes only in a commit that says why the world moves differently.
  t.equal(first, '8bbc17de59d4c33be507ba3728a874df58d220528e12adfee68be240520bf2a7');
});

t.test('bad calls leave the simulator alive', async (t) => {
  const { server, open } = await serveWorld(t);
  const session = await open();
  const { rpc, methods } = session;
  await t.rejects(rpc.call(methods.destroyActor, 424242), {
    code: 'CARLA_REFUSED',
    message: /unable to destroy actor: not found/,
  });
  await t.rejects(rpc.call(methods.applyControl, 424242, noControl), { code: 'CARLA_REFUSED' });
  await t.rejects(session.spawn('vehicle.tesla.model3', {}, onRoad), { code: 'CARLA_REFUSED' });
  const ego = await session.spawn(estate, {}, { ...onRoad, location: { ...onRoad.location, x: 30 } });
  await t.rejects(rpc.call(methods.applyControl, ego.id, { ...noControl, throttle: Number.NaN }), {
    code: 'CARLA_REFUSED',
    message: /throttle is NaN/,
  });
  await t.rejects(rpc.call(methods.setWeather, { ...clearWeather, wetness: Number.POSITIVE_INFINITY }), {
    code: 'CARLA_REFUSED',
  });
  await t.rejects(rpc.call(methods.getSensorToken, 77), { code: 'CARLA_REFUSED' });
  const many = Array.from({ length: 600 }, (_, i) => i);
  const results = await Promise.all(many.slice(0, 200).map(() => rpc.call(methods.version)));
  t.equal(results.length, 200);
  const [batch] = await Promise.all([
    rpc.call(
      methods.applyBatch,
      [
        { kind: 'destroy', fields: { id: ego.id } },
        { kind: 'destroy', fields: { id: 1_000_000 } },
      ],
      true,
    ),
  ]);
  t.match(batch, [
    { ok: true, value: ego.id },
    { ok: false, error: /not found/ },
  ]);
  t.ok((await session.step()).frame > 0);
  t.ok(server.rpc.counters.calls > 200);
  const lost = await RpcClient.connect({ host: '127.0.0.1', port: server.ports.rpc, timeoutMs: 1000 });
  await server.stop();
  await t.rejects(lost.call(methods.version), { code: 'CARLA_GONE' });
  await t.rejects(session.step(), { code: 'CARLA_GONE' });
});
