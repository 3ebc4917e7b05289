/**
 * A server that turns bad at any byte: a proxy in front of ours cuts, stalls or garbles the RPC, and streams are garbled at
 * their source. Whatever happens, the session ends with a CARLA_ error in bounded time, and a client that comes after finds
 * a server that runs by its clock with nothing of ours in it.
 */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { CarlaSession } from '../../hil/carla/session/carla-session.js';
import { noRotation, zero } from '../../hil/carla/wire/geometry.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { busyTown, serveWorld } from './serve-world.js';

type Fault = 'cut' | 'half' | 'stall' | 'garble' | 'huge';

/** Passes bytes on; after `atByte` bytes of answers on the first connection the fault begins. */
async function proxy(target: number, fault: Fault, atByte: number): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  let isFirst = true;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    let passed = isFirst ? 0 : Number.NEGATIVE_INFINITY;
    isFirst = false;
    upstream.on('data', (chunk: Buffer) => {
      const good = Math.max(0, Math.min(chunk.length, atByte - passed));
      passed += chunk.length;
      if (good > 0) client.write(chunk.subarray(0, good));
      const rest = Buffer.from(chunk.subarray(good));
      if (rest.length === 0 || fault === 'stall') return;
      if (fault === 'cut') client.destroy();
      if (fault === 'half') client.end(rest.subarray(0, rest.length >> 1));
      if (fault === 'garble') client.write(rest.map((byte, i) => byte ^ ((i * 73 + atByte) & 0xff)));
      // An array of four thousand million, and then silence.
      if (fault === 'huge') client.write(Buffer.of(0xdd, 0xff, 0xff, 0xff, 0xff));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** What a drive does: connects, spawns, steers, ticks, asks. */
async function drive(session: CarlaSession): Promise<void> {
  const ego = await session.spawn(
    'vehicle.drivemcp.estate',
    {},
    { location: { x: 30, y: 1.6, z: 0.2 }, rotation: noRotation },
  );
  await session.addSensor({
    typeId: 'sensor.other.imu',
    attributes: {},
    transform: { location: zero, rotation: noRotation },
    parentId: ego.id,
  });
  for (let i = 0; i < 10; i++) {
    await session.control(ego.id, { ...noControl, throttle: 0.5 });
    await session.actors((await session.step()).actors.map(({ id }) => id));
    await session.weather();
  }
}

t.test('the RPC turns bad at any byte', { timeout: 250_000 }, async (t) => {
  const { server } = await serveWorld(t, '0.9.15', busyTown);
  const faults: readonly Fault[] = ['cut', 'half', 'stall', 'garble', 'huge'];
  const runs = Number(process.env['DRIVEMCP_CAMPAIGN'] ?? 60);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...faults),
      fc.integer({ min: 0, max: 60_000 }),
      async (fault, atByte) => {
        const bad = await proxy(server.ports.rpc, fault, atByte);
        const begun = performance.now();
        let session: CarlaSession | null = null;
        try {
          session = await CarlaSession.open({
            host: '127.0.0.1',
            port: bad.port,
            timeoutMs: 250,
            sync: 'owner',
            fixedDeltaS: 0.05,
            profile: null,
            retryMs: 10,
            sensorWaitMs: 50,
          });
          await drive(session);
        } catch (error) {
          if (!(error instanceof DriveMcpError) || !error.code.startsWith('CARLA_')) throw error;
        } finally {
          await session?.close();
          bad.close();
        }
        // 250 ms for each call that hangs: one while it drives, one while it puts back, the rest is not asked.
        const tookMs = performance.now() - begun;
        if (tookMs > 20_000) throw new Error(`${fault} at ${atByte}: ${tookMs} ms`);
        while (server.settings.synchronousMode || server.episode.sensors.size > 0)
          await new Promise((resolve) => setTimeout(resolve, 2));
        const left = [...server.episode.world.actors.values()].filter(({ typeId }) =>
          typeId.endsWith('estate'),
        );
        for (const { id } of left) server.episode.destroy(id);
        // A garbled answer may be a number that is none of ours: nobody can put back what it was never told.
        return fault === 'garble' || left.length === 0;
      },
    ),
    { numRuns: runs },
  );
});

t.test('streams turn bad at any message', { timeout: 250_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('length', 'payload', 'nan', 'empty', 'cut'),
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: 1, max: 8 }),
      async (fault, place, atMessage) => {
        const served = await serveWorld({ teardown: (run) => ends.push(run) }, '0.9.15', busyTown);
        const { streams } = served.server;
        const publish = streams.publish.bind(streams);
        let count = 0;
        streams.publish = async (id, header, payload, waitMs) => {
          if (id !== 1 || ++count < atMessage) return publish(id, header, payload, waitMs);
          const bad = Buffer.from(payload);
          if (fault === 'length') return publish(id, header, bad.subarray(0, place % bad.length), waitMs);
          if (fault === 'nan') bad.writeFloatLE(Number.NaN, 36 + 5 + 4 * (place % 6));
          if (fault === 'payload') for (let i = place % 36; i < bad.length; i += 7) bad[i] = place & 0xff;
          if (fault === 'empty') return publish(id, header.subarray(0, place % 48), Buffer.alloc(0), waitMs);
          if (fault === 'cut') {
            streams.shut(1);
            streams.open(1);
            return;
          }
          return publish(id, header, bad, waitMs);
        };
        try {
          const session = await served.open({ timeoutMs: 250, retryMs: 5, sensorWaitMs: 50 });
          await drive(session);
        } catch (error) {
          if (!(error instanceof DriveMcpError) || !error.code.startsWith('CARLA_')) throw error;
        } finally {
          for (const end of ends.splice(0)) await end();
        }
      },
    ),
    { numRuns: Number(process.env['DRIVEMCP_CAMPAIGN'] ?? 40) },
  );
});

const ends: (() => Promise<void>)[] = [];
