/** The signal service over real sockets: what it shows, and peers that mean no good. */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { createParams } from '../../daemon/core/params.js';
import { createInitialState, step } from '../../daemon/core/step.js';
import type { JsonObject, TickInputs } from '../../daemon/core/tick.js';
import { askDaemon, watchDaemon } from '../../daemon/rpc/client/ask-daemon.js';
import { requestMaxBytes } from '../../daemon/rpc/protocol.js';
import { Scopes } from '../../daemon/rpc/scopes.js';
import { SignalBoard } from '../../daemon/rpc/signal-board.js';
import { SignalServer } from '../../daemon/rpc/signal-server.js';
import { systemClock } from '../../daemon/runtime/clock.js';

const tyre = 'Vehicle.Chassis.Axle.Row1.Wheel.Left.Tire.Pressure';
const params = createParams('default');

function inputsAt(tick: number, signals: TickInputs['signals']): TickInputs {
  return {
    tick,
    tUs: tick * 50_000,
    wallMs: 1_700_000_000_000 + tick * 50,
    lateUs: 0,
    missedTicks: 0,
    signals,
    facts:
      tick === 0
        ? [
            {
              kind: 'weather',
              value: { wetness: 70 },
              conf: 0.9,
              provenance: 'perception',
              observedAtUs: 0,
            },
          ]
        : [],
    answers: [],
    sources: [],
    store: { healthy: true, durableTick: tick, lagUs: 0 },
    commands: [],
    actAuthorised: false,
  };
}

/** A daemon's board that has seen `ticks` ticks of a car with a flat tyre. */
function fedBoard(ticks = 60): { board: SignalBoard; tick: (signals: TickInputs['signals']) => void } {
  const board = new SignalBoard({ status: () => ({ state: 'running' }), diagnostics: () => null });
  let state = createInitialState(params);
  let tick = 0;
  const once = (signals: TickInputs['signals']): void => {
    const inputs = inputsAt(tick++, signals);
    const next = step(state, inputs, params);
    state = next.state;
    board.watch(inputs, next.outputs, state);
  };
  for (let i = 0; i < ticks; i++) {
    once([
      { path: tyre, value: 150, observedAtUs: i * 50_000, changes: 0 },
      { path: 'Vehicle.Speed', value: 20, observedAtUs: i * 50_000, changes: 0 },
    ]);
  }
  return { board, tick: once };
}

async function serve(t: Test, board = fedBoard().board) {
  const stateDir = mkdtempSync(join(tmpdir(), 'signals-'));
  const server = await SignalServer.open(stateDir, { board, head: { run: 'r' }, monoUs: systemClock.monoUs });
  t.teardown(() => server.close());
  return { server, stateDir, path: server.path };
}

/** A peer that writes bytes and collects lines, without manners. */
class Peer {
  readonly lines: JsonObject[] = [];
  readonly socket: Socket;
  isClosed = false;
  #text = '';

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.on('data', (chunk) => {
      const parts = (this.#text + String(chunk)).split('\n');
      this.#text = parts.pop() ?? '';
      for (const part of parts) this.lines.push(JSON.parse(part) as JsonObject);
    });
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.isClosed = true;
    });
  }

  send(...objects: unknown[]): void {
    this.socket.write(objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  async answers(count: number): Promise<JsonObject[]> {
    await this.until(() => this.lines.length >= count || this.isClosed);
    return this.lines;
  }
}

const hello = { id: 0, method: 'hello', version: 1, scopes: ['read:Vehicle', 'read:status'] };
const never = new AbortController().signal;

t.test('signals, status, health and the world, as far as scopes reach', async (t) => {
  const { path } = await serve(t);
  t.equal(statSync(path).mode & 0o777, 0o600);
  const ask = (
    subject: 'signals' | 'health' | 'world' | 'dtcs' | 'status',
    scopes: string[],
    paths?: string[],
  ) => askDaemon(path, { subject, scopes, ...(paths ? { paths } : {}) }, never);
  t.match(await ask('signals', ['read:Vehicle']), {
    tick: 59,
    mode: 'NORMAL',
    signals: { 'Vehicle.Speed': { value: 20, unit: 'm/s', age_ms: 0 }, [tyre]: { value: 150, unit: 'kPa' } },
  });
  const narrow = await ask('signals', ['read:Vehicle.Chassis.*']);
  t.same(Object.keys(narrow['signals'] as object), [tyre]);
  t.match(await ask('health', ['read:health']), {
    health: { contributions: [{ indicator: 'tyre_pressure', severity: 1 }] },
  });
  t.match(await ask('world', ['read:world']), {
    world: { weather: { value: { wetness: 70 }, provenance: 'perception', is_fresh: true }, actors: [] },
  });
  t.match(await ask('dtcs', ['read:dtcs']), { heard: false, codes: null });
  t.match(await ask('status', ['read:status']), { status: { state: 'running' } });
  for (const [subject, scopes, paths] of [
    ['health', ['read:Vehicle'], undefined],
    ['signals', ['read:health'], undefined],
    ['signals', ['read:Vehicle.Speed'], ['Vehicle']],
    ['signals', ['read:Vehicle.Speed'], ['Vehicle.SpeedLimit']],
    ['signals', ['actuate:Vehicle.Speed'], undefined],
    ['signals', ['read:vehicle'], undefined],
    ['signals', ['read:Vehicle..Speed'], undefined],
  ] as const) {
    await t.rejects(ask(subject, [...scopes], paths === undefined ? undefined : [...paths]), {
      code: 'SIGNALS_REFUSED',
    });
  }
});

t.test('a scope grants itself and what is below it, nothing beside it', (t) => {
  const segment = fc.constantFrom('A', 'B', 'Ab', 'C');
  const path = fc.array(segment, { maxLength: 4 }).map((parts) => ['Vehicle', ...parts].join('.'));
  fc.assert(
    fc.property(path, path, fc.boolean(), (scope, asked, hasStar) => {
      const scopes = Scopes.parse([`read:${scope}${hasStar ? '.*' : ''}`]);
      const isBelow = `${asked}.`.startsWith(`${scope}.`);
      return scopes?.grants(asked) === isBelow && !scopes.grants('status');
    }),
  );
  t.end();
});

t.test('a subscription brings the latest value, and ends with the daemon', async (t) => {
  const { board, tick } = fedBoard();
  const { server, path } = await serve(t, board);
  const seen: number[] = [];
  const watching = (async () => {
    const question = { subject: 'signals', scopes: ['read:Vehicle.Speed'] } as const;
    for await (const { signals } of watchDaemon(path, question, 100, never)) {
      const value = ((signals as JsonObject)['Vehicle.Speed'] as JsonObject)['value'] as number;
      seen.push(value);
      tick([
        {
          path: 'Vehicle.Speed',
          value: value + 1,
          observedAtUs: 3_000_000 + seen.length * 50_000,
          changes: 1,
        },
      ]);
      if (seen.length === 3) await server.close();
    }
  })();
  await t.rejects(watching, { code: 'DAEMON_ABSENT' });
  t.same(seen, [20, 21, 22]);
});

t.test('what is no request is answered and counted, and ends somewhere', async (t) => {
  const { server, path } = await serve(t);
  const peer = new Peer(path);
  t.teardown(() => peer.socket.destroy());
  peer.send({ id: 1, method: 'get', subject: 'status' });
  peer.send({ ...hello, version: 99 });
  peer.send({ ...hello, id: 'x' });
  peer.send({ id: 2, method: 'set', path: 'Vehicle.Speed', value: 3 });
  peer.socket.write('\n{\n[]\n"\xff"\n');
  peer.send({ id: 3, method: 'get', subject: 'status', more: 1 });
  peer.send({ id: 4, method: 'get', subject: 'status' });
  const lines = await peer.answers(10);
  t.same(
    lines.map(({ id, ok, error }) => [id, ok === true ? 'ok' : (error as JsonObject)['code']]),
    [
      [1, 'hello_first'],
      [0, 'version'],
      ['x', 'ok'],
      [null, 'malformed'],
      [null, 'malformed'],
      [null, 'malformed'],
      [null, 'malformed'],
      [null, 'malformed'],
      [null, 'malformed'],
      [4, 'ok'],
    ],
  );
  t.match(server.counters(), { malformed: 6, clients: 1 });
  peer.socket.write('x\n'.repeat(100));
  await peer.until(() => peer.isClosed);
  t.ok((server.counters()['malformed'] as number) <= 20, 'a peer that only sends noise is let go');

  const long = new Peer(path);
  t.teardown(() => long.socket.destroy());
  long.send(hello);
  long.socket.write(Buffer.alloc(requestMaxBytes + 2, 0x20));
  await long.until(() => long.isClosed);
  t.match(long.lines.at(-1), { error: { code: 'too_long' } });
});

t.test('bytes of any kind neither end nor hold up the service', async (t) => {
  const { path } = await serve(t);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      const peer = new Peer(path);
      peer.socket.end(Buffer.from(bytes));
      await peer.until(() => peer.isClosed);
    }),
    { numRuns: 40 },
  );
  t.match(await askDaemon(path, { subject: 'status', scopes: ['read:status'] }, never), {
    status: { state: 'running' },
  });
});

t.test(
  'a flood is read slowly, a reader that takes nothing is let go, others are served meanwhile',
  async (t) => {
    const { board, tick } = fedBoard();
    // Answers of some 200 kB, so that buffers of the kernel are soon full.
    for (let i = 0; i < 20; i++) {
      tick(
        Array.from({ length: 100 }, (_, k) => ({
          path: `Vehicle.Cabin.Part${i}x${k}.WithALongNameSoThatAnswersAreLongAndBuffersFillUp`,
          value: k,
          observedAtUs: 3_000_000,
          changes: 0,
        })),
      );
    }
    const stateDir = mkdtempSync(join(tmpdir(), 'signals-'));
    let skewUs = 0;
    const monoUs = (): number => systemClock.monoUs() + skewUs;
    const server = await SignalServer.open(stateDir, { board, head: {}, monoUs });
    t.teardown(() => server.close());
    const slow = new Peer(server.path);
    t.teardown(() => slow.socket.destroy());
    slow.socket.pause();
    slow.send(hello, { id: 1, method: 'subscribe', subject: 'signals', period_ms: 100 });
    slow.send(...Array.from({ length: 200 }, (_, id) => ({ id, method: 'get', subject: 'signals' })));
    const other = new Peer(server.path);
    t.teardown(() => other.socket.destroy());
    other.send(hello, ...Array.from({ length: 25 }, (_, id) => ({ id, method: 'get', subject: 'status' })));
    await other.answers(26);
    t.ok((server.counters()['throttled'] as number) > 0);
    await other.until(() => (server.counters()['pushes_skipped'] as number) > 0);
    t.equal(server.counters()['clients'], 2);
    skewUs = 6_000_000;
    await other.until(() => server.counters()['dropped_slow'] === 1);
    t.match(await askDaemon(server.path, { subject: 'status', scopes: ['read:status'] }, never), {
      tick: 79,
    });
    skewUs = 120_000_000;
    await other.until(() => other.isClosed);
    t.equal(server.counters()['dropped_idle'], 1);
  },
);

t.test('there is a bound on clients, and those beyond are told', async (t) => {
  const { server, path } = await serve(t);
  const peers = Array.from({ length: 16 }, () => new Peer(path));
  t.teardown(() => {
    for (const { socket } of peers) socket.destroy();
  });
  for (const peer of peers) peer.send(hello);
  for (const peer of peers) await peer.answers(1);
  await t.rejects(askDaemon(path, { subject: 'status', scopes: ['read:status'] }, never), {
    code: 'SIGNALS_REFUSED',
    message: /busy/,
  });
  peers[0]?.socket.destroy();
  await peers[0]?.until(() => server.counters()['clients'] === 15);
  t.ok(await askDaemon(path, { subject: 'status', scopes: ['read:status'] }, never));
  t.equal(server.counters()['turned_away'], 1);
});

t.test('the place of the socket: stale, foreign, gone', async (t) => {
  const { board } = fedBoard(1);
  const stateDir = mkdtempSync(join(tmpdir(), 'signals-'));
  const path = join(stateDir, 'signals.sock');
  const open = () => SignalServer.open(stateDir, { board, head: {}, monoUs: systemClock.monoUs });
  const ask = () => askDaemon(path, { subject: 'status', scopes: ['read:status'] }, never);
  await t.rejects(ask(), { code: 'DAEMON_ABSENT', message: /no daemon/ });
  // What a killed daemon leaves: a socket that nobody listens on, and the folder it was born in.
  const listening = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', listening]);
  mkdirSync(join(stateDir, '.signals-abcdef'));
  t.ok(existsSync(path));
  await t.rejects(ask(), { code: 'DAEMON_ABSENT', message: /gone/ });
  const server = await open();
  t.ok(await ask());
  t.same(readdirSync(stateDir), ['signals.sock'], 'nothing is left of its birth');
  await server.close();
  t.same(readdirSync(stateDir), []);

  for (const put of [() => writeFileSync(path, ''), () => symlinkSync('/tmp', path), () => mkdirSync(path)]) {
    put();
    await t.rejects(open(), /no socket/);
    await t.rejects(ask(), { code: 'SIGNALS_REFUSED' });
    rmSync(path, { recursive: true });
  }
  const deep = join(stateDir, 'x'.repeat(120));
  mkdirSync(deep);
  const deepest = await SignalServer.open(deep, { board, head: {}, monoUs: systemClock.monoUs });
  t.ok(
    await askDaemon(deepest.path, { subject: 'status', scopes: ['read:status'] }, never),
    'a path longer than an address of a socket',
  );
  await deepest.close();
  t.same(readdirSync(deep), []);

  const first = await open();
  renameSync(path, `${path}.old`);
  const second = await open();
  await first.close();
  t.ok(await ask(), 'a service removes its own socket only');
  await second.close();
});

t.test('a service that answers nonsense, nothing or too much is told as such', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'signals-'));
  let count = 0;
  const against = async (answer: (socket: Socket) => void): Promise<Promise<JsonObject>> => {
    const path = join(folder, `s${count++}`);
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      answer(socket);
    }).listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    t.teardown(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return askDaemon(path, { subject: 'status', scopes: ['read:status'] }, never);
  };
  const asked = async (answer: (socket: Socket) => void) => (await Promise.allSettled([against(answer)]))[0];
  const code = async (answer: (socket: Socket) => void): Promise<unknown> => {
    const outcome = await asked(answer);
    return outcome?.status === 'rejected' ? (outcome.reason as { code: string }).code : 'answered';
  };
  t.equal(await code((socket) => socket.write('hello\n')), 'SIGNALS_REFUSED');
  t.equal(await code((socket) => socket.write('[]\n')), 'SIGNALS_REFUSED');
  t.equal(await code((socket) => socket.write('{"id":1}\n')), 'SIGNALS_REFUSED');
  t.equal(await code((socket) => socket.end()), 'DAEMON_ABSENT');
  t.equal(await code(() => undefined), 'DAEMON_ABSENT');
  const flood = (socket: Socket): void => {
    const chunk = Buffer.alloc(1 << 16, 0x20);
    const write = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', write);
    write();
  };
  t.equal(await code(flood), 'SIGNALS_REFUSED');

  const withdrawn = new AbortController();
  const reason = new Error('withdrawn');
  const path = join(folder, 'silent');
  const server = createServer(() => withdrawn.abort(reason)).listen(path);
  t.teardown(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  await t.rejects(askDaemon(path, { subject: 'status', scopes: ['read:status'] }, withdrawn.signal), reason);
});
