/** Cameras behind CARLA's sockets: attributes, sensor_tick, several clients, the frame of the tick, depth and labels by version. */
import { spawn as run } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t from 'tap';
import { carlaProfiles } from '../../hil/carla/profile/profile.js';
import { CarlaSession } from '../../hil/carla/session/carla-session.js';
import type { SensorFeed } from '../../hil/carla/session/sensor-feed.js';
import { type CameraImage, readImage } from '../../hil/carla/stream/sensor-data.js';
import { noRotation } from '../../hil/carla/wire/geometry.js';
import { SimServer } from '../../hil/sim/server/sim-server.js';
import { drivemcpScript } from '../helpers/paths.js';
import { quietTown, serveWorld } from './serve-world.js';

const transform = { location: { x: 1.2, y: 0, z: 1.4 }, rotation: noRotation };

async function spawn(
  session: CarlaSession,
  typeId: string,
  attributes: Readonly<Record<string, string>>,
): Promise<SensorFeed> {
  const car = await session.findVehicle(['autopilot'], await session.step());
  return session.addSensor({ typeId, attributes, transform, parentId: car?.id ?? 0 });
}

interface Taken extends CameraImage {
  readonly frame: number;
}

/** Steps until the feed has given `count` pictures. */
async function pictures(session: CarlaSession, feed: SensorFeed, count: number): Promise<readonly Taken[]> {
  const found: Taken[] = [];
  while (found.length < count) {
    const state = await session.step();
    for (let tries = 0; tries < 200; tries++) {
      const message = feed.take();
      if (message !== null) {
        found.push({ ...readImage(message.payload), frame: message.header.frame });
        // What was published with a step carries its number.
        if (message.header.frame > state.frame) throw new Error('a picture from the future');
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return found;
}

t.test('size, field of view and sensor_tick as asked for; the frame is that of the tick', async (t) => {
  const { open } = await serveWorld(t);
  const session = await open();
  const feed = await spawn(session, 'sensor.camera.rgb', {
    image_size_x: '96',
    image_size_y: '54',
    fov: '70',
    sensor_tick: '0.1',
  });
  const taken = await pictures(session, feed, 3);
  for (const { widthPx, heightPx, fovDeg, bgra } of taken) {
    t.same([widthPx, heightPx, fovDeg], [96, 54, 70]);
    t.equal(bgra.length, 4 * 96 * 54);
    t.ok(bgra.every((value, i) => i % 4 !== 3 || value === 255));
  }
  const frames = taken.map(({ frame }) => frame);
  t.equal((frames[2] ?? 0) - (frames[1] ?? 0), 2, `every second step: ${frames}`);
  t.equal(feed.missed, 0);
});

t.test(
  'two clients, each with a camera of its own and one stream between them: they see one world',
  async (t) => {
    const { open, server } = await serveWorld(t);
    const [owner, guest] = [await open(), await open({ sync: 'passive' })];
    const attributes = { image_size_x: '64', image_size_y: '36' };
    const first = await spawn(owner, 'sensor.camera.rgb', attributes);
    const state = await owner.step();
    const car = await guest.findVehicle(['autopilot'], state);
    const second = await guest.addSensor({
      typeId: 'sensor.camera.rgb',
      attributes: { image_size_x: '32', image_size_y: '18' },
      transform,
      parentId: car?.id ?? 0,
    });
    t.equal(server.episode.sensors.size, 2);
    const [ones] = [await pictures(owner, first, 3)];
    const others: CameraImage[] = [];
    while (others.length === 0) {
      const message = second.take();
      if (message !== null) others.push(readImage(message.payload));
      else {
        await owner.step();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    t.equal(ones[0]?.widthPx, 64);
    t.equal(others[0]?.widthPx, 32);
    await guest.close();
    t.equal(server.episode.sensors.size, 1, 'a session takes its own cameras along');
    t.equal((await pictures(owner, first, 1)).length, 1);
  },
);

t.test('depth and labels; the numbers of labels are those of the version that is spoken', async (t) => {
  for (const [profile, road] of [
    ['0.9.13', 7],
    ['0.9.15', 1],
  ] as const) {
    const { open } = await serveWorld(t, profile);
    const session = await open();
    const size = { image_size_x: '64', image_size_y: '36' };
    const labels = await spawn(session, 'sensor.camera.semantic_segmentation', size);
    const depths = await spawn(session, 'sensor.camera.depth', size);
    const [labelled] = await pictures(session, labels, 1);
    const [deep] = await pictures(session, depths, 1);
    if (labelled === undefined || deep === undefined) return t.fail('no picture');
    // The lane ahead of the car: 1.4 m below the camera, f = 32 px, the lowest row is 17.5 px below the middle.
    const below = 4 * (35 * 64 + 32);
    t.equal(labelled.bgra[below + 2], road, profile);
    const [b, g, r] = [deep.bgra[below], deep.bgra[below + 1], deep.bgra[below + 2]] as [
      number,
      number,
      number,
    ];
    const depthM = (1000 * (r + 256 * g + 65_536 * b)) / (2 ** 24 - 1);
    t.ok(Math.abs(depthM - (1.4 * 32) / 17.5) < 0.02, `${depthM} m`);
  }
});

t.test('all sensors of a step see one world, however slowly the first of them is read', async (t) => {
  let called = 0;
  const seen: number[] = [];
  const server = new SimServer({
    host: '127.0.0.1',
    port: 0,
    profile: carlaProfiles['0.9.15'],
    scenario: quietTown,
    producers: new Map([
      [
        'sensor.camera.rgb',
        () => {
          // What a client's call would do, as soon as the server listens to anybody.
          setImmediate(() => called++);
          return Buffer.alloc(8_000_000);
        },
      ],
      [
        'sensor.camera.depth',
        () => {
          seen.push(called);
          return Buffer.alloc(16);
        },
      ],
    ]),
    version: '0.9.15',
    isSynchronous: true,
    speed: 1,
  });
  const { rpc } = await server.start();
  t.teardown(() => server.stop());
  const session = await CarlaSession.open({
    host: '127.0.0.1',
    port: rpc,
    timeoutMs: 5000,
    sync: 'owner',
    fixedDeltaS: 0.05,
    profile: null,
  });
  t.teardown(() => session.close());
  await spawn(session, 'sensor.camera.rgb', {});
  await spawn(session, 'sensor.camera.depth', {});
  while (seen.length < 5) {
    const before = called;
    const count = seen.length;
    await session.step();
    if (seen.length > count) t.equal(seen.at(-1), before, 'no call came between the two');
  }
});

t.test('odd attributes are brought within bounds, and the header says which', async (t) => {
  const { open } = await serveWorld(t);
  const session = await open();
  const feed = await spawn(session, 'sensor.camera.rgb', {
    image_size_x: '1',
    image_size_y: 'many',
    fov: '400',
  });
  const [image] = await pictures(session, feed, 1);
  t.match(image, { widthPx: 8, heightPx: 8, fovDeg: 170 });
});

t.test(
  'hil serve --ground-truth: a line for every picture of the run, none for the other cameras',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'truth-'));
    t.teardown(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'truth.jsonl');
    const args = [
      'hil',
      'serve',
      '--scenario',
      'gantries',
      '--sync',
      '--port',
      '0',
      '--json',
      '--ground-truth',
      file,
    ];
    const child = run(process.execPath, [drivemcpScript, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
    t.teardown(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const read = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    const session = await CarlaSession.open({
      host: '127.0.0.1',
      port: Number((await read())['rpc_port']),
      timeoutMs: 20_000,
      sync: 'owner',
      fixedDeltaS: 0.05,
      profile: null,
    });
    const ego = await session.findVehicle(['hero'], await session.step());
    const size = { image_size_x: '320', image_size_y: '180', fov: '30' };
    const order = { attributes: size, transform, parentId: ego?.id ?? 0 };
    const feed = await session.addSensor({ ...order, typeId: 'sensor.camera.rgb' });
    await session.addSensor({ ...order, typeId: 'sensor.camera.depth' });
    const frames: number[] = [];
    while (frames.at(-1) === undefined || (frames.at(-1) ?? 0) < 270) {
      await session.step();
      const message = feed.take();
      if (message !== null) frames.push(message.header.frame);
    }
    await session.close();
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    t.equal(await ended, 0);
    const truth = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { frame: number; t_s: number; faces: Record<string, unknown>[] });
    t.equal(new Set(truth.map(({ frame }) => frame)).size, truth.length, 'one line a frame');
    for (const frame of frames)
      t.ok(
        truth.some((line) => line.frame === frame),
        `frame ${frame}`,
      );
    // Off until 8 s, 120 from then on.
    const shown = (fromS: number, toS: number) =>
      new Set(
        truth
          .filter(({ t_s }) => t_s > fromS && t_s < toS)
          .flatMap(({ faces }) => faces.filter(({ sign_id }) => String(sign_id).startsWith('gantry-1-')))
          .map(({ value }) => value),
      );
    t.same([...shown(5, 7.9)], [null]);
    t.same([...shown(8.1, 13)], [120]);
  },
);
