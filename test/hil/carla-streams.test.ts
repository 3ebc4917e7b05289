/** Streams that fail by themselves while the RPC goes on, sensors that are late, and a second writer of the ego's control. */
import fc from 'fast-check';
import t from 'tap';
import { ControlWatch } from '../../hil/carla/drive/control-watch.js';
import type { Intervention } from '../../hil/carla/drive/ego-control.js';
import { EgoControl } from '../../hil/carla/drive/ego-control.js';
import type { EgoMotion } from '../../hil/carla/drive/ego-motion.js';
import type { CarlaSession } from '../../hil/carla/session/carla-session.js';
import { StreamServer } from '../../hil/carla/stream/stream-server.js';
import { Subscription } from '../../hil/carla/stream/subscription.js';
import { noRotation, zero } from '../../hil/carla/wire/geometry.js';
import { noControl, type VehicleControl } from '../../hil/carla/wire/vehicle-control.js';
import { busyTown, serveWorld } from './serve-world.js';

const estate = 'vehicle.drivemcp.estate';
const onRoad = { location: { x: 30, y: 1.6, z: 0.2 }, rotation: noRotation };
const atEgo = { location: zero, rotation: noRotation };

/** Ends the connections of a stream as a failing network does: the stream itself goes on. */
function cut(streams: StreamServer, streamId: number): void {
  streams.shut(streamId);
  streams.open(streamId);
}

async function withSensor(
  t: Parameters<typeof serveWorld>[0],
  sensorTick: string,
): Promise<{
  readonly session: CarlaSession;
  readonly streams: StreamServer;
  readonly sensor: Awaited<ReturnType<CarlaSession['addSensor']>>;
  readonly told: string[];
}> {
  const { server, open } = await serveWorld(t, '0.9.15', busyTown);
  const told: string[] = [];
  const session = await open({ retryMs: 10, sensorWaitMs: 100, notice: (text) => told.push(text) });
  const ego = await session.spawn(estate, {}, onRoad);
  const sensor = await session.addSensor({
    typeId: 'sensor.other.gnss',
    attributes: { sensor_tick: sensorTick },
    transform: atEgo,
    parentId: ego.id,
  });
  return { session, streams: server.streams, sensor, told };
}

t.test('the world is subscribed to again, and a step whose frame was lost is made again', async (t) => {
  const { session, streams, told } = await withSensor(t, '0');
  const first = await session.step();
  cut(streams, 1);
  const next = await session.step();
  t.ok(next.frame > first.frame);
  t.equal(session.world.interruptions, 1);
  t.match(told, [/stream 1 .* closed by the server; the world is subscribed to again/]);
  const frame = (await session.step()).frame;
  t.equal((await session.step()).frame, frame + 1, 'and goes on as before');
});

t.test('a sensor is subscribed to again', async (t) => {
  const { session, streams, sensor, told } = await withSensor(t, '0');
  await session.step();
  t.equal(sensor.received, 1);
  cut(streams, 2);
  while (sensor.received < 3) await session.step();
  t.equal(sensor.interruptions, 1);
  t.match(told, [/sensor.other.gnss \d+: .*subscribed to again/]);
  t.equal(sensor.end, null);
});

t.test('a sensor that is gone ends for good, and no step waits for it', async (t) => {
  const { session, sensor, told } = await withSensor(t, '0');
  await session.step();
  await session.rpc.call(session.methods.destroyActor, sensor.id);
  while (sensor.end === null) await session.step();
  t.match(sensor.end, { code: 'CARLA_REFUSED' });
  t.match(told.at(-1), /gives nothing any more: .*stream 2 not found/);
});

t.test('each step of an owner brings the sensors that are due in it', async (t) => {
  const { session, sensor, told } = await withSensor(t, '0.1');
  const frames: (number | null)[] = [];
  for (let i = 0; i < 8; i++) {
    const { frame } = await session.step();
    const message = sensor.take();
    frames.push(message === null ? null : message.header.frame - frame);
  }
  t.strictSame(frames, [0, null, 0, null, 0, null, 0, null]);
  t.equal(sensor.late, 0);
  t.strictSame(told, []);
});

t.test('a sensor that does not keep its period is told of once, and waited for three times', async (t) => {
  const { session, streams, sensor, told } = await withSensor(t, '0');
  await session.step();
  const publish = streams.publish.bind(streams);
  streams.publish = async (id, ...rest) => (id === 2 ? undefined : publish(id, ...rest));
  for (let i = 0; i < 6; i++) await session.step();
  t.equal(sensor.late, 3);
  t.match(told, [/nothing of frame \d+ within 100 ms/, /is not waited for any more/]);
});

t.test('a subscription that never works ends after five tries', async (t) => {
  const streams = new StreamServer();
  const port = await streams.listen('127.0.0.1', 0);
  t.teardown(() => streams.close());
  let interruptions = 0;
  const error = await new Promise((resolve) => {
    const token = { streamId: 9, port, address: null };
    new Subscription({
      host: '127.0.0.1',
      connectTimeoutMs: 1000,
      token,
      retryMs: 1,
      renew: async () => token,
      message: () => t.fail('nothing is published'),
      interrupted: () => interruptions++,
      subscribed: () => {},
      ended: resolve,
    });
  });
  t.match(error, { code: 'CARLA_GONE' });
  t.equal(interruptions, 4);
  t.equal(streams.counters.unknownStreams, 5);
});

t.test(
  'a second writer is noticed, an intervention stops, and comes back three seconds after it',
  async (t) => {
    const { open } = await serveWorld(t, '0.9.15', busyTown);
    const session = await open();
    const other = await open({ sync: 'passive' });
    const ego = await session.spawn(estate, {}, onRoad);
    const told: string[] = [];
    const control = new EgoControl(session, ego, (text) => told.push(text));
    let interventions = 0;
    const brake: Intervention = (driver) => {
      interventions++;
      return { ...driver, brake: 0.5 };
    };
    const motion = {} as EgoMotion;
    const step = async (foreign: VehicleControl | null): Promise<void> => {
      await control.write({ ...noControl, throttle: 0.3 }, motion, 0, brake);
      if (foreign !== null) await other.control(ego.id, foreign);
      await session.step();
      const own = session.world.latest?.actors.find(({ id }) => id === ego.id);
      if (own !== undefined) control.observe(own);
    };
    for (let i = 0; i < 3; i++) await step(null);
    for (let i = 0; i < 6; i++) await step({ ...noControl, throttle: 1 });
    t.equal(interventions, 6, 'three quiet steps, and three until it is believed');
    t.match(told, [/somebody else writes the control/]);
    for (let i = 0; i < 61; i++) await step(null);
    t.match(told, [/somebody else/, /controlled by us alone again/]);
    t.equal(interventions, 7);
    t.equal(control.foreignFrames, 6);
  },
);

t.test('whatever we apply is ours, at any rounding of float32', (t) => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(share, share, share), { minLength: 1, maxLength: 20 }), (controls) => {
      const watch = new ControlWatch();
      for (const [throttle, brake, steer] of controls) {
        const applied = { ...noControl, throttle, brake, steer };
        watch.applied(applied);
        const reported = {
          ...applied,
          throttle: Math.fround(throttle),
          brake: Math.fround(brake),
          steer: Math.fround(steer),
        };
        if (watch.observe(reported) || watch.isContested) return false;
      }
      return watch.foreignFrames === 0;
    }),
  );
  t.end();
});
