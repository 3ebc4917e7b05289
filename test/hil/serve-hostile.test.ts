/** Clients that mean no good, or are broken: whatever they send, the simulator serves the others, and stays within its bounds. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { carlaProfiles } from '../../hil/carla/profile/profile.js';
import { carlaMethods } from '../../hil/carla/rpc/methods.js';
import { RpcClient } from '../../hil/carla/rpc/rpc-client.js';
import { writeRequest } from '../../hil/carla/rpc/rpc-frame.js';
import { RpcServer } from '../../hil/carla/rpc/rpc-server.js';
import { writeSensorHeader } from '../../hil/carla/stream/sensor-header.js';
import { StreamServer } from '../../hil/carla/stream/stream-server.js';
import { readToken } from '../../hil/carla/stream/token.js';
import { encode } from '../../hil/carla/wire/codec.js';
import { noRotation, type Transform, zero } from '../../hil/carla/wire/geometry.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { clearWeather } from '../../hil/carla/wire/weather.js';
import { mapText } from '../../hil/sim/maps/map-catalogue.js';
import type { SimServer } from '../../hil/sim/server/sim-server.js';
import { busyTown, serveWorld } from './serve-world.js';

const host = '127.0.0.1';
const methods = carlaMethods(carlaProfiles['0.9.15']);
const onRoad: Transform = { location: { x: 30, y: 1.6, z: 0.2 }, rotation: noRotation };

function client(t: Test, server: SimServer, timeoutMs = 20_000): Promise<RpcClient> {
  return RpcClient.connect({ host, port: server.ports.rpc, timeoutMs }).then((rpc) => {
    t.teardown(() => rpc.close());
    return rpc;
  });
}

function raw(t: Test, port: number): Socket {
  const socket = connect(port, host);
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  return socket;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

t.test(
  'five hundred connections: who was there is served on, and afterwards there is room again',
  async (t) => {
    const { server } = await serveWorld(t);
    const first = await client(t, server);
    const crowd = Array.from({ length: 500 }, () => raw(t, server.ports.rpc));
    await until(() => server.rpc.counters.refusedConnections >= 400);
    t.equal(await first.call(methods.version), '0.9.15');
    t.ok(server.rpc.clients <= 64, `${server.rpc.clients} connections`);
    for (const socket of crowd) socket.destroy();
    await until(() => server.rpc.clients === 1);
    t.equal(await (await client(t, server)).call(methods.version), '0.9.15');
  },
);

t.test('a client that asks and never reads is not worked for', async (t) => {
  const { server } = await serveWorld(t);
  const calm = await client(t, server);
  const greedy = raw(t, server.ports.rpc);
  greedy.pause();
  const mapBytes = Buffer.byteLength(server.mapText);
  const wanted = 100_000;
  const request = writeRequest(1, 'get_map_data', []);
  greedy.write(Buffer.concat(Array.from({ length: wanted }, () => request)));
  let calls = -1;
  while (calls !== server.rpc.counters.calls) {
    calls = server.rpc.counters.calls;
    t.equal(await calm.call(methods.version), '0.9.15');
    await new Promise((resolve) => setTimeout(resolve, 100));
    calls++;
  }
  // 32 MB in the process, some more in the kernel's buffers.
  t.ok(calls * mapBytes < 64e6, `${calls} maps of ${mapBytes} bytes were written`);
});

t.test('what is announced and cannot be is refused at once: lengths, lists, depth', async (t) => {
  const { server } = await serveWorld(t);
  const bombs = {
    list: Buffer.from('ddffffffff', 'hex'),
    map: Buffer.from('dfffffffff', 'hex'),
    text: Buffer.from('940000dbffffffff', 'hex'),
    bytes: Buffer.from('940000c6ffffffff', 'hex'),
    depth: Buffer.alloc(1000, 0x91),
    'no msgpack': Buffer.of(0xc1),
    'no call': Buffer.of(0x01),
    'an answer': Buffer.from('9401c0c0c0', 'hex'),
  };
  for (const [name, bytes] of Object.entries(bombs)) {
    const before = server.rpc.counters.brokenConnections;
    const socket = raw(t, server.ports.rpc);
    socket.write(bytes);
    await once(socket, 'close');
    t.equal(server.rpc.counters.brokenConnections, before + 1, name);
  }
  const half = raw(t, server.ports.rpc);
  half.end(Buffer.from('9400', 'hex'));
  await once(half, 'close');
  t.equal(await (await client(t, server)).call(methods.version), '0.9.15');
});

t.test('a request of 32 MB in small pieces is read in its own length, not in its square', async (t) => {
  const { server } = await serveWorld(t);
  const rpc = await client(t, server, 60_000);
  const text = `<?xml version="1.0"?><OpenDRIVE>${'x'.repeat(32e6)}</OpenDRIVE>`;
  await t.rejects(rpc.call(methods.copyOpenDrive, text, generation), {
    code: 'CARLA_REFUSED',
    message: /no road/,
  });
  t.equal(await rpc.call(methods.version), '0.9.15');
});

const generation = {
  vertexDistanceM: 2,
  maxRoadLengthM: 50,
  wallHeightM: 1,
  additionalWidthM: 0.6,
  smoothJunctions: true,
  enableMeshVisibility: true,
  enablePedestrianNavigation: true,
};

t.test('a thousand spawns and sensors: bounded, refused with a reason, and put away again', async (t) => {
  const { server } = await serveWorld(t, '0.9.15', busyTown);
  const rpc = await client(t, server);
  const walker = { uid: 0, id: 'walker.pedestrian.0001', attributes: [] };
  const gnss = { uid: 0, id: 'sensor.other.gnss', attributes: [] };
  const results = await rpc.call(
    methods.applyBatch,
    Array.from({ length: 1000 }, (_, i) => ({
      kind: 'spawn' as const,
      fields: {
        description: walker,
        transform: { ...onRoad, location: { x: i, y: 100, z: 0 } },
        parentId: null,
        doAfter: [],
      },
    })),
    false,
  );
  const made = results.flatMap((result) => (result.ok ? [result.value] : []));
  t.equal(made.length, 500 - busyTown.vehicles.length);
  t.match(
    results.find(({ ok }) => !ok),
    { error: /500 vehicles and walkers are there already/ },
  );
  let sensors = 0;
  for (let i = 0; i < 100; i++)
    await rpc.call(methods.spawnActor, gnss, onRoad).then(
      () => sensors++,
      () => {},
    );
  t.equal(sensors, 64);
  for (const id of made) await rpc.call(methods.destroyActor, id);
  t.equal((await rpc.call(methods.getActorsById, made)).length, 0);
});

t.test('two owners of the ticks, and a clock that begins again', async (t) => {
  const { server, open } = await serveWorld(t, '0.9.15', busyTown);
  const [one, other] = [await open(), await open({ fixedDeltaS: 0.1 })];
  for (let i = 0; i < 10; i++) await Promise.all([one.step(), other.step()]);
  t.ok(server.episode.frame >= 20);
  // The one that came last is killed: the world runs by its clock for the other.
  other.rpc.close();
  await until(() => !server.settings.synchronousMode);
  const before = await one.step();
  t.ok((await one.step()).frame > before.frame);
  await one.close();
});

t.test('ticks that nobody waits for are bounded, and one clock runs behind them', async (t) => {
  const { server, open } = await serveWorld(t, '0.9.15', busyTown);
  const owner = await open();
  const flood = raw(t, server.ports.rpc);
  // Marked asynchronous: each is answered at once, and its step waits.
  const cue = Buffer.from('940001a97469636b5f6375659191c3', 'hex');
  flood.write(Buffer.concat(Array.from({ length: 5000 }, () => cue)));
  await until(() => server.rpc.counters.calls > 5000);
  t.ok((await owner.step()).frame <= 600, `${server.episode.frame} frames`);
  await owner.close();
  await until(() => server.episode.frame > 0 && !server.settings.synchronousMode);
});

t.test('a handler that fails answers its caller, and nobody else notices', async (t) => {
  const failures: string[] = [];
  const server = new RpcServer(
    () => {},
    (method, error) => failures.push(`${method}: ${(error as Error).message}`),
  );
  server.bind(methods.version, () => '0.9.15');
  server.bind(methods.destroyActor, () => {
    throw new TypeError('a fault of ours');
  });
  const rpc = await RpcClient.connect({ host, port: await server.listen(host, 0), timeoutMs: 2000 });
  t.teardown(async () => {
    rpc.close();
    await server.close();
  });
  await t.rejects(rpc.call(methods.destroyActor, 1), { code: 'CARLA_REFUSED', message: /a fault of ours/ });
  t.equal(await rpc.call(methods.version), '0.9.15');
  t.strictSame(failures, ['destroy_actor: a fault of ours']);
  t.match(server.counters, { failedCalls: 1, badCalls: 0 });
});

t.test('connections that name no stream end; slow readers are bounded together', async (t) => {
  const streams = new StreamServer(20);
  const port = await streams.listen(host, 0);
  t.teardown(() => streams.close());
  const nameless = raw(t, port);
  nameless.write(Buffer.of(3, 0));
  await once(nameless, 'close');
  t.equal(streams.counters.namelessReaders, 1);
  streams.open(3);
  for (let i = 0; i < 40; i++) {
    const sleeper = raw(t, port);
    sleeper.pause();
    sleeper.write(Buffer.of(3, 0, 0, 0));
  }
  await until(() => streams.readers(3) === 40);
  const header = writeSensorHeader({
    sensorIndex: 13,
    frame: 1,
    timestampS: 0,
    transform: { location: zero, rotation: noRotation },
  });
  const picture = Buffer.alloc(12_000_000);
  await streams.publish(3, header, picture, 0);
  t.equal(streams.counters.droppedMessages, 0);
  await streams.publish(3, header, picture, 0);
  // 40 × 12 MB wait by now: each is below its own bound, all of them are not.
  t.equal(streams.counters.droppedMessages, 40);
});

const nasty = fc.oneof(
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    1e38,
    -1e38,
    1e-40,
    0,
    -0,
    1e6,
    -1e6,
    36_000,
  ),
  fc.double({ min: -300, max: 300, noNaN: true }),
);
const vector = fc.record({ x: nasty, y: nasty, z: nasty });
const anywhere = fc.record({
  location: vector,
  rotation: fc.record({ pitchDeg: nasty, yawDeg: nasty, rollDeg: nasty }),
});

t.test('numbers that cannot be never get into the world', { timeout: 250_000 }, async (t) => {
  const { server, open } = await serveWorld(t, '0.9.15', busyTown);
  const session = await open({ sync: 'owner', sensorWaitMs: 20 });
  const { rpc } = session;
  const ego = await session.spawn('vehicle.drivemcp.estate', { role_name: 'hero' }, onRoad);
  const walker = await session.spawn(
    'walker.pedestrian.0001',
    {},
    { ...onRoad, location: { x: 60, y: 9, z: 0 } },
  );
  for (const typeId of ['sensor.camera.rgb', 'sensor.lidar.ray_cast', 'sensor.other.imu'])
    await session.addSensor({
      typeId,
      attributes: { image_size_x: '64', image_size_y: '36', points_per_second: '2000', sensor_tick: '0' },
      transform: { location: { x: 1, y: 0, z: 2 }, rotation: noRotation },
      parentId: ego.id,
    });
  const [camera] = session.sensors;
  const calls = fc.oneof(
    anywhere.map((to) => () => rpc.call(methods.setActorTransform, ego.id, to)),
    anywhere.map((to) => () => rpc.call(methods.setActorTransform, camera?.id ?? 0, to)),
    vector.map((to) => () => rpc.call(methods.setActorLocation, walker.id, to)),
    vector.map((v) => () => rpc.call(methods.setActorVelocity, ego.id, v)),
    fc
      .record({ throttle: nasty, brake: nasty, steer: nasty })
      .map((pedals) => () => rpc.call(methods.applyControl, ego.id, { ...noControl, ...pedals })),
    fc
      .record({ steerRad: nasty, speedMps: nasty, accelerationMps2: nasty })
      .map(
        (wish) => () =>
          rpc.call(methods.applyAckermann, ego.id, { steerSpeedRadps: 0, jerkMps3: 0, ...wish } as never),
      ),
    fc.tuple(vector, nasty).map(
      ([direction, speedMps]) =>
        () =>
          rpc.call(methods.applyWalkerControl, walker.id, { direction, speedMps, jump: false }),
    ),
    fc
      .dictionary(fc.constantFrom(...(Object.keys(clearWeather) as (keyof typeof clearWeather)[])), nasty)
      .map((some) => () => rpc.call(methods.setWeather, { ...clearWeather, ...some })),
    nasty.map(
      (fixedDeltaS) => () =>
        rpc.call(methods.setEpisodeSettings, { ...server.settings, synchronousMode: true, fixedDeltaS }),
    ),
    anywhere.map((to) => async () => {
      const { id } = await rpc.call(
        methods.spawnActor,
        { uid: 0, id: 'vehicle.drivemcp.van', attributes: [] },
        to,
      );
      await rpc.call(methods.destroyActor, id);
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 6 }), async (sent) => {
      for (const call of sent)
        await call().catch((error: { code?: string }) => {
          if (error.code !== 'CARLA_REFUSED') throw error;
        });
      const { actors } = await session.step();
      return (
        actors.every(({ transform: { location, rotation }, velocityMps, accelerationMps2, typeBytes }) =>
          [
            ...Object.values(location),
            ...Object.values(rotation),
            ...Object.values(velocityMps),
            ...Object.values(accelerationMps2),
            typeBytes.readFloatLE(0),
          ].every(Number.isFinite),
        ) && server.rpc.counters.failedCalls === 0
      );
    }),
    { numRuns: Number(process.env['DRIVEMCP_CAMPAIGN'] ?? 200) },
  );
});

t.test(
  'maps with damage: read, or refused with a line; the server goes on',
  { timeout: 250_000 },
  async (t) => {
    const { server } = await serveWorld(t);
    const rpc = await client(t, server, 60_000);
    const whole = mapText('rural-gbr');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('cut', 'number', 'twice', 'entity', 'swap'),
        fc.integer({ min: 0, max: whole.length - 1 }),
        fc.constantFrom('NaN', '1e9', '-1e9', '', '0', '1e-300', 'x', '99999999'),
        async (damage, at, value) => {
          let text = whole;
          if (damage === 'cut') text = whole.slice(0, at);
          if (damage === 'twice') text = whole.slice(0, at) + whole;
          if (damage === 'entity')
            text = `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(50)}">]>${whole.replace('rural', '&b;&b;')}`;
          if (damage === 'swap') text = whole.slice(at) + whole.slice(0, at);
          if (damage === 'number') {
            const begin = whole.indexOf('="', at);
            if (begin >= 0)
              text = `${whole.slice(0, begin + 2)}${value}${whole.slice(whole.indexOf('"', begin + 2))}`;
          }
          try {
            await rpc.call(methods.copyOpenDrive, text, generation);
            await rpc.call(methods.loadEpisode, 'OpenDriveMap', true, 0xffff);
            await rpc.call(methods.getMapInfo);
          } catch (error) {
            if ((error as { code?: string }).code !== 'CARLA_REFUSED') throw error;
          }
          await server.tick();
          return (await rpc.call(methods.version)) === '0.9.15' && server.rpc.counters.failedCalls === 0;
        },
      ),
      { numRuns: Number(process.env['DRIVEMCP_CAMPAIGN'] ?? 60) },
    );
  },
);

t.test('a stream of a sensor that is gone, and numbers that nobody has', async (t) => {
  const { server } = await serveWorld(t);
  const rpc = await client(t, server);
  const { id, streamToken } = await rpc.call(
    methods.spawnActor,
    { uid: 0, id: 'sensor.other.gnss', attributes: [] },
    onRoad,
  );
  const { streamId, port } = readToken(streamToken);
  await rpc.call(methods.destroyActor, id);
  for (const stream of [streamId, 0, 0xffff_ffff]) {
    const socket = raw(t, port);
    const name = Buffer.alloc(4);
    name.writeUInt32LE(stream);
    socket.write(name);
    await once(socket, 'close');
  }
  t.equal(server.streams.counters.unknownStreams, 3);
  for (const unknown of [0, 77, 0xffff_ffff])
    await t.rejects(rpc.call(methods.applyControl, unknown, noControl), { code: 'CARLA_REFUSED' });
  const long = {
    uid: 0,
    id: 'vehicle.drivemcp.van',
    attributes: [{ id: 'role_name', type: 3, value: 'x'.repeat(2000) }],
  };
  await t.rejects(rpc.call(methods.spawnActor, long, onRoad), {
    code: 'CARLA_REFUSED',
    message: /2000 characters/,
  });
  t.equal(encode(methods.version.result, { ok: true, value: 'x' }).length > 0, true);
});
