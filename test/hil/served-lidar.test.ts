/** A served LiDAR: what a message holds follows from how far it has turned since the one before. */
import t from 'tap';
import type { CarlaSession } from '../../hil/carla/session/carla-session.js';
import { type LidarScan, readLidar } from '../../hil/carla/stream/sensor-data.js';
import { noRotation } from '../../hil/carla/wire/geometry.js';
import { serveWorld } from './serve-world.js';

async function scans(session: CarlaSession, sensorTick: string, count: number): Promise<LidarScan[]> {
  const car = await session.findVehicle(['autopilot'], await session.step());
  const feed = await session.addSensor({
    typeId: 'sensor.lidar.ray_cast',
    attributes: {
      channels: '4',
      points_per_second: '8000',
      rotation_frequency: '10',
      range: '200',
      sensor_tick: sensorTick,
    },
    transform: { location: { x: 0, y: 0, z: 2 }, rotation: noRotation },
    parentId: car?.id ?? 0,
  });
  const found: LidarScan[] = [];
  while (found.length < count) {
    await session.step();
    for (let tries = 0; tries < 50; tries++) {
      const message = feed.take();
      if (message !== null) found.push(readLidar(message.payload, session.probe.profile.lidarFloats));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return found;
}

const points = ({ pointsPerChannel }: LidarScan): number => pointsPerChannel.reduce((sum, n) => sum + n, 0);

/** Share of the points on the right of the sensor. */
function rightShare({ points: values }: LidarScan): number {
  let right = 0;
  for (let i = 0; i < values.length; i += 4) if ((values[i + 1] as number) > 0) right++;
  return right / (values.length / 4);
}

t.test('steps of 50 ms see half a turn of a LiDAR at 10 Hz, one half after the other', async (t) => {
  const { open } = await serveWorld(t);
  const [whole, one, other, again] = await scans(await open(), '0', 4);
  if (whole === undefined || one === undefined || other === undefined || again === undefined)
    return t.fail('none');
  t.ok(Math.abs(points(one) / points(whole) - 0.5) < 0.1, `${points(whole)}, then ${points(one)} points`);
  t.ok(Math.abs(rightShare(whole) - 0.5) < 0.1);
  t.ok(Math.abs(rightShare(one) - rightShare(other)) > 0.8, 'now one side, now the other');
  t.ok(Math.abs(rightShare(one) - rightShare(again)) < 0.2, 'and the first one again');
});

t.test('a message every 100 ms holds the whole turn', async (t) => {
  const { open } = await serveWorld(t);
  for (const scan of await scans(await open(), '0.1', 3)) t.ok(Math.abs(rightShare(scan) - 0.5) < 0.1);
});

t.test('points as the profile has them: three numbers in 0.9.8, four later', async (t) => {
  for (const profile of ['0.9.8', '0.9.10', '0.9.16'] as const) {
    const { open } = await serveWorld(t, profile);
    const [scan] = await scans(await open(), '0.1', 1);
    t.ok(points(scan as LidarScan) > 100, profile);
    t.ok(Math.abs(rightShare(scan as LidarScan) - 0.5) < 0.1, profile);
  }
});
