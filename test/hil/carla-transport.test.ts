/** RPC and streams over real sockets: pieces, wrong calls, garbage, slow and vanishing peers. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { carlaProfiles } from '../../hil/carla/profile/profile.js';
import { MessageBuffer } from '../../hil/carla/rpc/message-buffer.js';
import { carlaMethods } from '../../hil/carla/rpc/methods.js';
import { RpcClient } from '../../hil/carla/rpc/rpc-client.js';
import { RefusedCall, RpcServer } from '../../hil/carla/rpc/rpc-server.js';
import { writeSensorHeader } from '../../hil/carla/stream/sensor-header.js';
import { StreamClient, type StreamMessage } from '../../hil/carla/stream/stream-client.js';
import { StreamServer } from '../../hil/carla/stream/stream-server.js';
import { noRotation, zero } from '../../hil/carla/wire/geometry.js';
import { goldenBytes } from './carla-golden.js';

const host = '127.0.0.1';
const methods = carlaMethods(carlaProfiles['0.9.15']);

async function serve(
  t: Test,
  timeoutMs = 2000,
): Promise<{ server: RpcServer; client: RpcClient; port: number }> {
  const server = new RpcServer();
  const port = await server.listen(host, 0);
  const client = await RpcClient.connect({ host, port, timeoutMs });
  t.teardown(async () => {
    client.close();
    await server.close();
  });
  return { server, client, port };
}

t.test('calls: values, refusals, wrong arity, unknown methods, wrong types', async (t) => {
  const { server, client } = await serve(t);
  server.bind(methods.version, () => '0.9.15');
  server.bind(methods.destroyActor, ([id]) => {
    if (id === 13) throw new RefusedCall('unable to destroy actor: not found');
    return id > 0;
  });
  t.equal(await client.call(methods.version), '0.9.15');
  t.equal(await client.call(methods.destroyActor, 7), true);
  await t.rejects(client.call(methods.destroyActor, 13), { code: 'CARLA_REFUSED', message: /not found/ });
  await t.rejects(client.call(methods.tickCue), {
    code: 'CARLA_REFUSED',
    message: /could not find function 'tick_cue'/,
  });
  t.match(
    (await client.raw('destroy_actor', [])).error,
    /Expected: 1, got: 2/,
    'metadata alone tells the arity',
  );
  t.match((await client.raw('destroy_actor', [Buffer.of(0xa1, 0x78)])).error, /std::bad_cast/);
  t.match(server.counters, { calls: 6, badCalls: 3 });
});

t.test('answers are matched by their number, in whatever order they come', async (t) => {
  const { server, client } = await serve(t);
  const waiting: ((text: string) => void)[] = [];
  server.bind(methods.getMapData, () => new Promise<string>((resolve) => waiting.push(resolve)));
  server.bind(methods.version, () => 'late');
  const first = client.call(methods.getMapData);
  const second = client.call(methods.version);
  while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
  waiting[0]?.('<OpenDRIVE/>');
  t.equal(await first, '<OpenDRIVE/>');
  t.equal(await second, 'late');
});

t.test('a value in any pieces is one value; garbage and excess are CARLA_WIRE', (t) => {
  const values = Object.values(goldenBytes)
    .map((write) => write())
    .filter((bytes) => (bytes[0] as number) >= 0x90 && (bytes[0] as number) < 0xa0);
  const stream = Buffer.concat(values);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (cuts) => {
      const buffer = new MessageBuffer('test', 100_000);
      let count = 0;
      for (let at = 0, i = 0; at < stream.length; i++) {
        const length = cuts[i % cuts.length] as number;
        count += buffer.push(stream.subarray(at, at + length)).length;
        at += length;
      }
      return count === values.length && buffer.heldBytes === 0;
    }),
    { numRuns: 50 },
  );
  t.throws(() => new MessageBuffer('test', 100).push(Buffer.of(0xc1)), { code: 'CARLA_WIRE' });
  const bomb = Buffer.from('dc ff ff'.replaceAll(' ', ''), 'hex');
  t.throws(
    () => new MessageBuffer('test', 100).push(bomb),
    { code: 'CARLA_WIRE', message: /65538 bytes or more/ },
    'a list that cannot fit is refused when it is announced',
  );
  t.strictSame(
    new MessageBuffer('test', 100_000).push(bomb),
    [],
    'one that can costs nothing before it comes',
  );
  t.throws(() => new MessageBuffer('test', 1000).push(Buffer.alloc(200, 0x91)), {
    code: 'CARLA_WIRE',
    message: /nested deeper than 64/,
  });
  t.throws(() => new MessageBuffer('test', 1000, { maxValues: 10 }).push(Buffer.alloc(200, 0x9f)), {
    code: 'CARLA_WIRE',
    message: /more than 10 values/,
  });
  t.end();
});

t.test('a peer that is gone, silent, or no CARLA', async (t) => {
  await t.rejects(RpcClient.connect({ host, port: 1, timeoutMs: 500 }), { code: 'CARLA_UNREACHABLE' });
  const sockets: Socket[] = [];
  let reply: Buffer | null = null;
  const peer = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => reply !== null && socket.write(reply));
  });
  peer.listen(0, host);
  await once(peer, 'listening');
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    peer.close();
  });
  const { port } = peer.address() as { port: number };
  const silent = await RpcClient.connect({ host, port, timeoutMs: 100 });
  await t.rejects(silent.call(methods.version), { code: 'CARLA_TIMEOUT' });
  silent.close();
  const half = await RpcClient.connect({ host, port, timeoutMs: 2000 });
  const call = half.call(methods.version);
  while (sockets.length < 2) await new Promise((resolve) => setImmediate(resolve));
  sockets[1]?.end(Buffer.from('9401', 'hex'));
  await t.rejects(call, { code: 'CARLA_GONE' });
  t.equal(half.isOpen, false);
  await t.rejects(half.call(methods.version), { code: 'CARLA_GONE' });
  reply = Buffer.from('HTTP/1.1 400 Bad Request\r\n');
  const web = await RpcClient.connect({ host, port, timeoutMs: 2000 });
  await t.rejects(web.call(methods.version), { code: 'CARLA_WIRE' });
});

t.test('a server survives what is no RPC', async (t) => {
  const { server, client, port } = await serve(t);
  server.bind(methods.version, () => 'alive');
  for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\xc1\xc1', '\x94\x00\x00\xa1x\x05']) {
    const socket = connect(port, host);
    socket.on('error', () => {});
    socket.write(Buffer.from(bytes, 'latin1'));
    await once(socket, 'close');
  }
  t.equal(server.counters.brokenConnections, 3);
  t.equal(await client.call(methods.version), 'alive');
});

const header = (frame: number): Buffer =>
  writeSensorHeader({
    sensorIndex: 13,
    frame,
    timestampS: 0.5,
    transform: { location: zero, rotation: noRotation },
  });

t.test('streams: subscription, large messages, unknown streams, slow readers', async (t) => {
  const server = new StreamServer();
  const port = await server.listen(host, 0);
  t.teardown(() => server.close());
  server.open(3);
  const messages: StreamMessage[] = [];
  let arrived: () => void = () => {};
  const stream = new StreamClient({
    host,
    token: { streamId: 3, port, address: null },
    connectTimeoutMs: 1000,
    message: (message) => {
      messages.push(message);
      arrived();
    },
    ended: () => {},
  });
  t.teardown(() => stream.close());
  while (server.readers(3) === 0) await new Promise((resolve) => setImmediate(resolve));
  const image = Buffer.alloc(1_000_000, 9);
  for (let frame = 1; frame <= 5; frame++) await server.publish(3, header(frame), image, 5000);
  while (messages.length < 5) await new Promise<void>((resolve) => (arrived = resolve));
  t.strictSame(
    messages.map(({ header }) => header.frame),
    [1, 2, 3, 4, 5],
  );
  t.ok(messages.every(({ payload }) => payload.equals(image)));

  const ended = await new Promise<Error>((resolve) => {
    new StreamClient({
      host,
      token: { streamId: 99, port, address: null },
      connectTimeoutMs: 1000,
      message: () => {},
      ended: resolve,
    });
  });
  t.match(ended, { code: 'CARLA_GONE' });
  t.equal(server.counters.unknownStreams, 1);

  const id = Buffer.alloc(4);
  id.writeUInt32LE(3);
  const sleeper = connect(port, host);
  sleeper.on('error', () => {});
  sleeper.write(id);
  sleeper.pause();
  while (server.readers(3) < 2) await new Promise((resolve) => setImmediate(resolve));
  const big = Buffer.alloc(12_000_000);
  for (let frame = 6; frame < 12; frame++) await server.publish(3, header(frame), big, 0);
  t.ok(server.counters.droppedMessages > 0, 'asynchronous: the slow one misses messages');
  stream.close();
  while (server.readers(3) > 1) await new Promise((resolve) => setImmediate(resolve));
  await server.publish(3, header(12), big, 50);
  t.equal(server.counters.cutReaders, 1, 'synchronous: it is cut off after the bound');
  sleeper.destroy();
});
