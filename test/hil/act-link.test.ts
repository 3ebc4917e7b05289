/** ACT over a link: who is believed, what a bad line does, what the clocks say, and that the ego brakes and lets go. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { proportionalBrake } from '../../daemon/core/act/brake-curve.js';
import type { Decision } from '../../daemon/core/tick.js';
import { ActLinkClient } from '../../hil/act/link/act-link-client.js';
import { ActLinkServer } from '../../hil/act/link/act-link-server.js';
import type { FromDaemon } from '../../hil/act/link/link-messages.js';
import { newNonce, proofOf, sealingKey } from '../../hil/act/link/link-secrets.js';
import { LineCutter, LinkError, Opener, Sealer } from '../../hil/act/link/sealed-lines.js';
import { ActIn } from '../../hil/bridge/act-in.js';
import type { BridgeScene, BridgeStep } from '../../hil/bridge/bridge-output.js';
import { type CameraFrame, CameraFrames } from '../../hil/bridge/camera/camera-frame.js';
import type { EgoMotion } from '../../hil/carla/drive/ego-motion.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { drivemcp } from '../helpers/command.js';
import { drivemcpScript } from '../helpers/paths.js';
import { busyTown, serveWorld } from './serve-world.js';

const key = 'k'.repeat(43);
const monoUs = (): number => performance.now() * 1000;
const aheadUs = 987_654_321;
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

t.test('sealed lines: any change, repetition, loss or other order ends it', (t) => {
  const secret = sealingKey(key, 'daemon', newNonce(), newNonce());
  const sealer = new Sealer(secret);
  const lines = ['a', 'b', 'c'].map((type) => sealer.seal({ type }).trimEnd());
  const opener = new Opener(secret);
  t.strictSame(
    lines.map((line) => opener.open(line)),
    [{ type: 'a' }, { type: 'b' }, { type: 'c' }],
  );
  const [first = '', second = ''] = lines;
  t.throws(() => opener.open(first), /line 0 instead of 3/, 'again');
  t.throws(() => new Opener(secret).open(second), /line 1 instead of 0/);
  t.throws(() => new Opener(sealingKey(key, 'bridge', 'x', 'y')).open(first), /not ours/);
  fc.assert(
    fc.property(fc.nat(first.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, put) => {
      const changed = first.slice(0, at) + put + first.slice(at + 1);
      if (changed === first) return true;
      try {
        new Opener(secret).open(changed);
      } catch (error) {
        return error instanceof LinkError;
      }
      return false;
    }),
  );
  t.throws(() => new LineCutter().push(Buffer.alloc(2000, 'x')), /more than 1024 bytes/);
  t.strictSame(new LineCutter().push(Buffer.from('ab\ncd\ne')), ['ab', 'cd']);
  t.end();
});

async function rig(t: Test, clientKey = key) {
  const heard: (Extract<FromDaemon, { type: 'intent' }> | 'release')[] = [];
  const told: string[] = [];
  const server = new ActLinkServer({
    host: '127.0.0.1',
    port: 0,
    key,
    monoUs,
    listener: {
      intent: (intent) => heard.push(intent),
      release: () => heard.push('release'),
      notice: (text) => told.push(text),
    },
  });
  const port = await server.open();
  server.isEgoOurs = true;
  t.teardown(() => server.close());
  const client = (options: { readonly key?: string } = {}): ActLinkClient => {
    const one = new ActLinkClient({
      host: '127.0.0.1',
      port,
      key: options.key ?? clientKey,
      monoUs: () => monoUs() + aheadUs,
      notice: (text) => told.push(text),
      retryMs: 20,
    });
    one.begin();
    t.teardown(() => one.close());
    return one;
  };
  return { server, port, heard, told, client };
}

function brake(expiresAtUs: number, decelMps2 = 3): Decision {
  const intent = { kind: 'brake_assist' as const, decelMps2, maxMs: 900, expiresAtUs };
  return { kind: 'act', blockedBy: [], confirm: 4, held: false, intent };
}

t.test('two ends with one key: ready, intents, release, and how far the clocks are apart', async (t) => {
  const { server, heard, client } = await rig(t);
  const one = client();
  t.equal(one.isReady, false);
  while (!one.isReady) await soon();
  one.act(7, brake(1_000_000), 400_000);
  one.release(8);
  while (heard.length < 2) await soon();
  t.match(heard, [
    { tick: 7, intervention: 1_000_000, decel_mps2: 3, max_ms: 900, left_us: 600_000 },
    'release',
  ]);
  while (server.clock() === null) await soon();
  const { offsetUs = 0, uncertaintyUs = 0 } = server.clock() ?? {};
  t.ok(Math.abs(offsetUs - aheadUs) <= uncertaintyUs + 1, `${offsetUs - aheadUs} µs off, ± ${uncertaintyUs}`);
  server.isEgoOurs = false;
  while (one.isReady) await soon();
  t.pass('an ego that others drive is no authority');
  await one.close();
  while (heard.length < 3) await soon();
  t.equal(heard[2], 'release', 'who goes lets go');
});

t.test('another key, a second daemon, strangers', async (t) => {
  const { server, told, client } = await rig(t);
  const wrong = client({ key: 'w'.repeat(43) });
  while (!told.some((text) => /the bridge says: another key/.test(text))) await soon();
  t.equal(wrong.isReady, false);
  await wrong.close();
  const one = client();
  while (!one.isReady) await soon();
  const two = client();
  while (!told.some((text) => /the bridge says: there is a daemon already/.test(text))) await soon();
  t.equal(two.isReady, false);
  await two.close();
  const strangers = Array.from({ length: 200 }, () =>
    connect(server.counters().port, '127.0.0.1')
      .on('error', () => {})
      .resume(),
  );
  for (const stranger of strangers) stranger.write('GET / HTTP/1.1\r\n\r\n');
  while (strangers.some(({ destroyed, readyState }) => !destroyed && readyState !== 'closed')) await soon();
  t.equal(one.isReady, true, 'the daemon that is there is not disturbed');
  t.ok(server.counters().refused > 200);
  const words = told.filter((text) => /does not speak this protocol/.test(text));
  t.equal(words.length, 1, 'two hundred of them are told once');
});

t.test('a thousand that connect and say nothing keep no daemon out', async (t) => {
  const { server, told, client } = await rig(t);
  const idle: Socket[] = [];
  t.teardown(() => {
    for (const socket of idle) socket.destroy();
  });
  for (let i = 0; i < 1000; i++) {
    const socket = connect(server.counters().port, '127.0.0.1').on('error', () => {});
    idle.push(socket);
    await once(socket, 'connect');
  }
  const one = client();
  while (!one.isReady) await soon();
  t.ok(server.counters().refused >= 900);
  t.ok(told.length < 10, `${told.length} notices`);
});

/** A daemon by hand: whatever it wants to say. */
async function byHand(t: Test, port: number): Promise<{ socket: Socket; sealer: Sealer }> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.teardown(() => socket.destroy());
  const [hello] = await once(socket, 'data');
  const { nonce: bridgeNonce } = JSON.parse(String(hello));
  const nonce = newNonce();
  socket.write(`${JSON.stringify({ nonce, proof: proofOf(key, 'daemon', bridgeNonce, nonce) })}\n`);
  await once(socket, 'data');
  return { socket, sealer: new Sealer(sealingKey(key, 'daemon', bridgeNonce, nonce)) };
}

t.test(
  'lines that are repeated, wrong or none, and silence, end the link and any intervention',
  async (t) => {
    const { server, port, heard } = await rig(t);
    const bad: readonly ((hand: { socket: Socket; sealer: Sealer }) => void)[] = [
      ({ socket, sealer }) => {
        const line = sealer.seal({ type: 'release', tick: 1 });
        socket.write(line + line);
      },
      ({ socket, sealer }) => socket.write(sealer.seal({ type: 'intent', tick: 1 })),
      ({ socket, sealer }) => socket.write(sealer.seal({ type: 'brake' })),
      ({ socket }) => socket.write('x'.repeat(5000)),
      ({ socket }) => socket.write('{"type":"release","tick":1}\n'),
      ({ socket, sealer }) => {
        for (let tick = 0; tick < 400; tick++) socket.write(sealer.seal({ type: 'release', tick }));
      },
    ];
    for (const [i, misbehave] of bad.entries()) {
      const hand = await byHand(t, port);
      heard.length = 0;
      misbehave(hand);
      await once(hand.socket, 'close');
      while (heard.at(-1) !== 'release') await soon();
      t.equal(server.counters().ended_by_error, i + 1);
    }
    const silent = await byHand(t, port);
    heard.length = 0;
    await once(silent.socket, 'close');
    t.match(server.counters(), { ended_by_silence: 1, connected: false });
    t.strictSame(heard, ['release']);
  },
);

t.test(
  'an intervention that is over does not come back; one of the same number from another process is another',
  async (t) => {
    const told: string[] = [];
    const act = new ActIn({
      host: '127.0.0.1',
      port: 0,
      key,
      brakes: proportionalBrake(11),
      table: null,
      monoUs,
      notice: (text) => told.push(text),
    });
    await act.open();
    t.teardown(() => act.close());
    const ego = { description: { id: 'vehicle.test' } };
    await act.begin({ session: { probe: { versionText: '' } }, ego, isOurs: true } as unknown as BridgeScene);
    const port = Number(/HOST:(\d+)/.exec(told[0] ?? '')?.[1]);
    const link = async (): Promise<ActLinkClient> => {
      const one = new ActLinkClient({ host: '127.0.0.1', port, key, monoUs, notice: () => {}, retryMs: 20 });
      one.begin();
      t.teardown(() => one.close());
      while (!one.isReady) await soon();
      return one;
    };
    const frames = new CameraFrames();
    act.watchPictures(frames);
    frames.publish({} as CameraFrame);
    let tUs = 0;
    /** Pedal after three steps with this driver. */
    const drive = (brake: number): number => {
      let pedal = 0;
      for (let i = 0; i < 3; i++) {
        tUs += 10_000;
        act.step({ tUs, dtS: 0.01 } as BridgeStep);
        pedal = act.intervene({ ...noControl, throttle: 0.3, brake }, {} as EgoMotion, tUs).brake;
      }
      return pedal;
    };
    let intents = 0;
    const ask = async (one: ActLinkClient): Promise<void> => {
      one.act(1, brake(900_000), 0);
      intents++;
      while (Number(act.counters()['intents']) < intents) await soon();
    };
    const one = await link();
    await ask(one);
    t.ok(drive(0) > 0, 'it brakes');
    t.equal(drive(0.5), 0.5, 'the driver has taken over');
    await ask(one);
    t.equal(drive(0), 0, 'it does not come back');
    await one.close();
    while (act.counters()['connected'] === true) await soon();
    const other = await link();
    await ask(other);
    t.ok(drive(0) > 0, 'the same number of another process is another intervention');
    while (act.counters()['clock_offset_us'] === null) await soon();
    await ask(other);
    const { way_p50_us: wayUs, picture_to_intent_p50_us: pictureUs } = act.counters();
    t.ok(pictureUs !== null && Number(pictureUs) >= Number(wayUs), `${pictureUs} µs since the picture`);
    await other.close();
  },
);

t.test(
  'hil bridge: the simulated ego brakes when asked, no more than bounded, and drives on after',
  async (t) => {
    const { server } = await serveWorld(t, '0.9.15', { ...busyTown, vehicles: [] });
    const file = `${t.testdir()}/link.key`;
    const address = `127.0.0.1:${server.ports.rpc}`;
    const args = ['hil', 'bridge', address, '--act-listen', '0', '--act-key-file', file, '--json'];
    const child = spawn(process.execPath, [drivemcpScript, ...args, '--candump', `${t.testdirName}/a.log`], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.teardown(() => child.kill('SIGKILL'));
    let [told, out] = ['', ''];
    child.stderr.on('data', (chunk) => {
      told += chunk;
    });
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    while (!/act-peer HOST:(\d+)/.test(told)) await soon();
    const client = new ActLinkClient({
      host: '127.0.0.1',
      port: Number(/act-peer HOST:(\d+)/.exec(told)?.[1]),
      key: readFileSync(file, 'utf8').trim(),
      monoUs,
      notice: () => {},
      retryMs: 50,
    });
    client.begin();
    t.teardown(() => client.close());
    const ego = () => [...server.episode.world.actors.values()].find(({ roleName }) => roleName === 'hero');
    const vMps = (): number => ego()?.vMps ?? 0;
    while (!client.isReady || vMps() < 5) await soon();
    const before = { vMps: vMps(), tS: server.episode.world.tS };
    const beganUs = monoUs();
    let tick = 0;
    const timer = setInterval(
      () => client.act(++tick, brake(1e9, 30), 1e9 - 900_000 + (monoUs() - beganUs)),
      50,
    );
    const course: { readonly tS: number; readonly vMps: number }[] = [before];
    while (server.episode.world.tS < before.tS + 0.85) {
      await soon();
      const { tS } = server.episode.world;
      if (tS > (course.at(-1)?.tS ?? 0)) course.push({ tS, vMps: vMps() });
    }
    clearInterval(timer);
    client.release(tick);
    // Over 0.2 s each: the plant's own brake lag is 0.15 s.
    const decels = course.flatMap((one, i) => {
      const later = course[i + 4];
      return later === undefined ? [] : [(one.vMps - later.vMps) / (later.tS - one.tS)];
    });
    const decelMps2 = Math.max(...decels);
    t.ok(decelMps2 > 2, `${decelMps2.toFixed(2)} m/s² although the driver accelerates`);
    t.ok(decelMps2 < 3.8, 'thirty were asked, three and a half are the bound');
    const braked = vMps();
    while (vMps() < braked + 0.5) await soon();
    child.kill('SIGINT');
    await once(child, 'close');
    const ended = JSON.parse(out.trim().split('\n').at(-1) ?? '{}').outputs.act;
    t.match(ended, {
      interventions: 1,
      stale: Number,
      ended_by_error: 0,
      clock_offset_us: Number,
      way_p50_us: Number,
    });
    t.ok(ended.step_to_intent_p50_us >= ended.way_p50_us);
  },
);

t.test(
  'run --act hil: needs a peer, its key, a live input; without a bridge nothing is authorised',
  async (t) => {
    const run = (...args: string[]): ReturnType<typeof drivemcp> =>
      drivemcp(['run', '--source', '-', '--act', 'hil', '--state', t.testdirName, '--json', ...args], {
        stdin: '',
      });
    const dir = t.testdir();
    t.match(await run(), { code: 2, stderr: /needs a bridge and its key/ });
    t.match(await run('--act-peer', '127.0.0.1:9', '--act-key-file', `${dir}/none`), {
      code: 69,
      stderr: /no such key/,
    });
    const open = ['run', '--act', 'hil', '--act-peer', '127.0.0.1:9', '--act-key-file'];
    t.match(await drivemcp([...open, drivemcpScript]), { code: 78, stderr: /others may read/ });
    writeFileSync(`${dir}/key`, key, { mode: 0o600 });
    t.match(await drivemcp([...open, `${dir}/key`]), { code: 2, stderr: /drives now/ });
    t.match(await drivemcp(['hil', 'bridge', '--act-listen', '0', '--candump', '-']), {
      code: 2,
      stderr: /who has the key/,
    });
  },
);
