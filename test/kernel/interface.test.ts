/** Interfaces of a real kernel: reception, what is lost, and what happens when they go and come. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { FRAME_EXT, FRAME_REMOTE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { CanInterface } from '../../daemon/sources/can/can-interface.js';
import type { CanPort } from '../../daemon/sources/can/can-port.js';
import { LinkWatch } from '../../daemon/sources/can/link-watch.js';
import { NativePort } from '../../daemon/sources/can/native-port.js';
import { SocketcanPort } from '../../daemon/sources/can/socketcan-port.js';
import { type CanRxModule, type HostModule, loadCanRx, loadHost } from '../../native/index.js';
import { addVcan, ip, kernelSkip, sender, until } from './bus.js';

const skip = kernelSkip();
const canRx = loadCanRx().module as CanRxModule;
const host = loadHost().module as HostModule;
/** Descriptors of CAN sockets live from 900 on; the sender's package opens others, and closes them when it likes. */
const canDescriptors = (): number => readdirSync('/proc/self/fd').filter((fd) => Number(fd) >= 900).length;
/** 200 in the long form. */
const flaps = Number(process.env['DRIVEMCP_FLAPS'] ?? 8);

interface Watched {
  readonly can: CanInterface;
  readonly frames: number[];
  readonly states: string[];
  readonly events: string[];
  /** What a tick does. */
  turn(): void;
}

function watch(t: Test, port: CanPort): Watched {
  const links = new LinkWatch(host);
  const can = new CanInterface(port, 0);
  const batch = new FrameBatch(4096);
  const timesUs = new Float64Array(4096);
  const frames: number[] = [];
  const states: string[] = [];
  const events: string[] = [];
  t.teardown(() => {
    links.close();
    port.close();
  });
  let tick = 0;
  return {
    can,
    frames,
    states,
    events,
    turn: () => {
      const tUs = ++tick * 50_000;
      for (const message of links.poll()) {
        if ((message.kind === 'link' || message.kind === 'gone') && message.name === port.name)
          can.onLink(message, tUs);
      }
      if (can.checkPort(tUs)) links.ask();
      batch.clear();
      can.drain(batch, 0, timesUs, tUs);
      for (let i = 0; i < batch.count; i++) frames.push(batch.id[i]!);
      for (const news of can.takeNews()) {
        if (news.to !== news.from) states.push(news.to);
        events.push(...news.events);
      }
    },
  };
}

/** Turns until the condition holds. */
async function turnUntil(watched: Watched, holds: () => boolean): Promise<void> {
  await until(() => {
    watched.turn();
    return holds();
  });
}

const drivers: [string, (name: string) => CanPort][] = [
  ['native', (name) => new NativePort(canRx, name)],
  ['socketcan', (name) => new SocketcanPort(name)],
];

for (const [driver, open] of drivers) {
  t.test(
    `${driver}: frames arrive as what they are, in order, with the kernel's time`,
    { skip },
    async (t) => {
      const port = open('vcan0');
      const watched = watch(t, port);
      const bus = sender('vcan0');
      t.teardown(() => bus.stop());
      const batch = new FrameBatch(16);
      const timesUs = new Float64Array(16);
      bus.send(0x7ff, [1, 2, 3]);
      bus.send(0x7ff, [4], { ext: true });
      bus.send(0x123, [], { rtr: true });
      await until(() => {
        port.drain(batch, 5, timesUs);
        return batch.count === 3;
      });
      t.same([...batch.id.subarray(0, 3)], [0x7ff, 0x7ff, 0x123]);
      t.same([...batch.flags.subarray(0, 3)], [0, FRAME_EXT, FRAME_REMOTE]);
      t.same([...batch.payload(0)], [1, 2, 3]);
      t.equal(batch.bus[0], 5);
      t.ok(Math.abs(timesUs[0]! / 1000 - Date.now()) < 60_000);
      t.equal(port.counters().timeSource, 'kernel');
      watched.turn();
      t.equal(watched.can.life.state, 'up');
      t.equal(watched.can.family, 'vcan');
      t.equal(watched.can.controller, null, 'a virtual interface has no controller');
    },
  );

  t.test(`${driver}: an interface that is missing at first is used when it appears`, { skip }, async (t) => {
    const watched = watch(t, open('vcan7'));
    watched.turn();
    t.equal(watched.can.life.state, 'absent');
    addVcan('vcan7');
    t.teardown(() => ip('link del vcan7'));
    await turnUntil(watched, () => watched.can.life.state === 'up' && watched.can.port.isBound);
    const bus = sender('vcan7');
    t.teardown(() => bus.stop());
    bus.send(0x77, [7]);
    await turnUntil(watched, () => watched.frames.includes(0x77));
    t.pass('received');
  });
}

t.test(
  'socketcan: garbage that is collected while a channel closes does not abort the process',
  { skip },
  (t) => {
    const program = fileURLToPath(new URL('./stopped-channels.js', import.meta.url));
    const run = spawnSync(process.execPath, ['--expose-gc', program], { encoding: 'utf8' });
    t.match(run, { signal: null, status: 0, stdout: '300\n' }, run.stderr);
    t.end();
  },
);

t.test(`down and up ${flaps} times: reception resumes by itself and nothing leaks`, { skip }, async (t) => {
  addVcan('vcan5');
  t.teardown(() => ip('link del vcan5'));
  const watched = watch(t, new NativePort(canRx, 'vcan5', { filters: Uint32Array.of(0x55, 0x7ff) }));
  const bus = sender('vcan5');
  t.teardown(() => bus.stop());
  await turnUntil(watched, () => watched.can.life.state === 'up');
  const before = canDescriptors();
  for (let i = 1; i <= flaps; i++) {
    ip('link set vcan5 down');
    await turnUntil(watched, () => watched.can.life.state === 'down');
    ip('link set vcan5 up');
    await turnUntil(watched, () => watched.can.life.state === 'up');
    bus.send(0x54, []);
    bus.send(0x55, [i & 255]);
    await turnUntil(watched, () => watched.frames.length === i);
  }
  t.same([...new Set(watched.frames)], [0x55], 'the filters are still there');
  t.equal(watched.can.life.outages, flaps, 'each outage was counted');
  t.equal(watched.can.rebinds, 0);
  t.equal(canDescriptors(), before);
});

t.test(`deleted and made anew ${flaps} times: bound again, with its filters`, { skip }, async (t) => {
  addVcan('vcan6');
  t.teardown(() => ip('link del vcan6'));
  const watched = watch(t, new NativePort(canRx, 'vcan6', { filters: Uint32Array.of(0x66, 0x7ff) }));
  const bus = sender('vcan6');
  t.teardown(() => bus.stop());
  await turnUntil(watched, () => watched.can.life.state === 'up');
  const before = canDescriptors();
  for (let i = 1; i <= flaps; i++) {
    ip('link del vcan6');
    await turnUntil(watched, () => watched.can.life.state === 'unplugged');
    addVcan('vcan6');
    await turnUntil(watched, () => watched.can.life.state === 'up');
    bus.send(0x67, []);
    bus.send(0x66, [i & 255]);
    await turnUntil(watched, () => watched.frames.length === i);
  }
  t.same(
    [...new Set(watched.frames)],
    [0x66],
    'the kernel clears the filters with the interface: they were set again',
  );
  t.equal(watched.events.filter((event) => event === 're_created').length, flaps);
  t.equal(watched.can.life.outages, flaps);
  t.equal(canDescriptors(), before);
});

t.test('error frames tell the state of the controller, also when it was made anew', { skip }, async (t) => {
  addVcan('vcan8');
  t.teardown(() => ip('link del vcan8'));
  const watched = watch(t, new NativePort(canRx, 'vcan8', { filters: Uint32Array.of(0x88, 0x7ff) }));
  const bus = sender('vcan8');
  t.teardown(() => bus.stop());
  const reported = async (classes: number, detail: number, state: string): Promise<void> => {
    bus.send(classes, [0, detail, 0, 0, 0, 0, 0, 0], { error: true });
    await turnUntil(watched, () => watched.can.life.state === state);
  };
  const life = async (): Promise<void> => {
    await turnUntil(watched, () => watched.can.life.state === 'up' && watched.can.port.isBound);
    await reported(0x004, 0x08, 'error_warning'); // CAN_ERR_CRTL, transmit warning
    await reported(0x004, 0x10, 'error_passive');
    await reported(0x040, 0, 'bus_off');
    await reported(0x100, 0, 'up'); // CAN_ERR_RESTARTED
    await reported(0x040, 0, 'bus_off');
    bus.send(0x89, []); // nobody asked for it: says nothing
    bus.send(0x88, []);
    await turnUntil(watched, () => watched.can.life.state === 'up');
  };
  await life();
  ip('link del vcan8');
  await turnUntil(watched, () => watched.can.life.state === 'unplugged');
  addVcan('vcan8');
  await life();
  const round = ['up', 'error_warning', 'error_passive', 'bus_off', 'up', 'bus_off', 'up'];
  // On its way out and in the link is also seen down.
  t.same(
    watched.states.filter((state) => state !== 'down'),
    [...round, 'unplugged', ...round],
  );
  t.match(watched.can.life, { outages: 5, events: { restarted: 4, re_created: 1, resumed: 5 } });
  t.equal(watched.can.port.counters().errorFrames, 10);
  t.same(
    watched.frames.filter((id) => id === 0x88 || id === 0x89),
    [0x88, 0x88],
  );
});

t.test('what the kernel had to drop is counted to the frame', { skip }, async (t) => {
  const receiver = new canRx.CanReceiver({ interface: 'vcan1', receiveBufferBytes: 4096 });
  t.teardown(() => receiver.stop());
  const bus = sender('vcan1');
  t.teardown(() => bus.stop());
  const sent = 2000;
  for (let i = 0; i < sent; i++) bus.send(i & 0x7ff, [1]); // nobody drains yet: the thread is not started
  await bus.flushed();
  receiver.start();
  // The drop counter travels with the next frame that finds room.
  const counters = new Float64Array(12);
  await until(() => {
    receiver.readCounters(counters);
    return counters[0]! > 0;
  });
  bus.send(0x1, [2]);
  await until(() => {
    receiver.readCounters(counters);
    return counters[0]! + counters[4]! === sent + 1;
  });
  t.ok(counters[4]! > 0, `${counters[4]} dropped, ${counters[0]} received`);
});
