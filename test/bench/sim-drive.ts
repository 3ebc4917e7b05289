/** The simulator: how much faster than the clock its world goes, what a CARLA tick costs over the loopback, memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { loadScenario } from '../../daemon/cli/scenario-files.js';
import { CarlaSession, type SensorOrder } from '../../hil/carla/session/carla-session.js';
import { noRotation } from '../../hil/carla/wire/geometry.js';
import { sensorProducers } from '../../hil/sim/server/producers.js';
import { SimWorld } from '../../hil/sim/world/sim-world.js';
import { drivemcpScript } from '../helpers/paths.js';
import type { BenchRow } from './bench-row.js';

const ticks = 400;
const warmTicks = 60;
const memoryTicks = 10_000;
const stepS = 0.05;

export async function simDrive(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const name of ['town-rain', 'gantries']) rows.push(await worldAlone(name));
  const served = await serve();
  try {
    const hasCamera = sensorProducers('bench').has('sensor.camera.rgb');
    rows.push(await tickRow(served.port, 'no sensors', []));
    rows.push(await tickRow(served.port, 'LiDAR of 16 channels', [lidar]));
    if (hasCamera) {
      rows.push(
        await tickRow(served.port, 'camera 320×180, LiDAR of 16 channels', [camera(320, 180, 0), lidar], 5),
      );
      rows.push(
        await tickRow(served.port, 'camera 640×360, LiDAR of 16 channels', [camera(640, 360, 0), lidar]),
      );
      rows.push(await paceRow(served.port));
    }
    rows.push(...(await memory(served)));
  } finally {
    served.child.kill('SIGINT');
  }
  return rows;
}

/** The best of three: the first one compiles, and a busy machine makes the others slower, never faster. */
async function worldAlone(name: string): Promise<BenchRow> {
  const { world: scenario, map, stop } = await loadScenario(name);
  let best = 0;
  for (let i = 0; i < 3; i++) {
    const world = new SimWorld(scenario, map);
    const began = performance.now();
    while (world.tS < stop.atS) world.step(stepS);
    best = Math.max(best, (world.tS * 1000) / (performance.now() - began));
  }
  const { vehicles, walkers } = scenario;
  return {
    name: `${name}: world alone, ${vehicles.length + 1} vehicles, ${walkers.length} walkers`,
    unit: '× real time',
    value: best,
    target: 50,
  };
}

const lidar: Omit<SensorOrder, 'parentId'> = {
  typeId: 'sensor.lidar.ray_cast',
  attributes: { channels: '16', points_per_second: '56000', rotation_frequency: '10', range: '80' },
  transform: { location: { x: 0, y: 0, z: 1.9 }, rotation: noRotation },
};

function camera(widthPx: number, heightPx: number, tickS: number): Omit<SensorOrder, 'parentId'> {
  return {
    typeId: 'sensor.camera.rgb',
    attributes: {
      image_size_x: String(widthPx),
      image_size_y: String(heightPx),
      sensor_tick: String(tickS),
    },
    transform: { location: { x: 1.2, y: 0, z: 1.4 }, rotation: noRotation },
  };
}

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

/** In a process of its own, as a user has it. */
async function serve(): Promise<Served> {
  const args = ['hil', 'serve', '--scenario', 'town-rain', '--sync', '--port', '0', '--json'];
  const child = spawn(process.execPath, [drivemcpScript, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout });
  const port = await new Promise<number>((resolve) =>
    lines.once('line', (line) => resolve((JSON.parse(line) as { rpc_port: number }).rpc_port)),
  );
  return { child, port };
}

async function withSensors<T>(
  port: number,
  orders: readonly Omit<SensorOrder, 'parentId'>[],
  run: (session: CarlaSession) => Promise<T>,
): Promise<T> {
  const session = await CarlaSession.open({
    host: '127.0.0.1',
    port,
    timeoutMs: 20_000,
    sync: 'owner',
    fixedDeltaS: stepS,
    profile: null,
  });
  try {
    let state = await session.step();
    const ego = await session.findVehicle(['hero'], state);
    for (const order of orders) await session.addSensor({ ...order, parentId: ego?.id ?? 0 });
    // The streams are connected when every sensor has spoken once.
    while (session.sensors.some(({ received }) => received === 0)) state = await session.step();
    return await run(session);
  } finally {
    await session.close();
  }
}

/** From asking for a step to the world and every sensor of it, decoded up to the payload. */
async function tickRow(
  port: number,
  name: string,
  orders: readonly Omit<SensorOrder, 'parentId'>[],
  target?: number,
): Promise<BenchRow> {
  const tookMs = await withSensors(port, orders, async (session) => {
    const took: number[] = [];
    for (let i = 0; i < warmTicks + ticks; i++) {
      const had = session.sensors.map(({ received }) => received);
      const began = performance.now();
      await session.step();
      while (session.sensors.some(({ received }, k) => received <= (had[k] ?? 0)))
        await new Promise((resolve) => setImmediate(resolve));
      if (i >= warmTicks) took.push(performance.now() - began);
    }
    return took.sort((a, b) => a - b);
  });
  return {
    name: `CARLA tick over the loopback, ${name}, median`,
    unit: 'ms',
    value: tookMs[ticks >> 1] ?? Number.NaN,
    ...(target === undefined ? {} : { target }),
  };
}

/** As a run has it: every step, with a picture every second one. */
async function paceRow(port: number): Promise<BenchRow> {
  const value = await withSensors(
    port,
    [camera(640, 360, 0.1), { ...lidar, attributes: { ...lidar.attributes, sensor_tick: '0.1' } }],
    async (session) => {
      const began = performance.now();
      for (let i = 0; i < ticks; i++) await session.step();
      return (ticks * stepS * 1000) / (performance.now() - began);
    },
  );
  return {
    name: 'served with camera 640×360 and LiDAR at 10 Hz',
    unit: '× real time',
    value,
    target: 4,
  };
}

/** Resident memory of the server over ten thousand ticks with a LiDAR. */
async function memory({ child, port }: Served): Promise<BenchRow[]> {
  const grownMb = await withSensors(port, [lidar], async (session) => {
    const run = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await session.step();
    };
    await run(memoryTicks / 5);
    const before = await residentMb(child);
    await run(memoryTicks);
    return (await residentMb(child)) - before;
  });
  return [
    {
      name: 'hil serve: resident memory more over 10,000 ticks with a LiDAR',
      unit: 'MB',
      value: grownMb,
      target: 20,
    },
  ];
}

async function residentMb({ pid }: ChildProcess): Promise<number> {
  const kb = /VmRSS:\s+(\d+) kB/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}
