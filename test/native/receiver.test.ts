/** The receive thread on a stand-in: the same recvmmsg, parser, ring and table code, over a pair of sockets. */
import { readdirSync, writeSync } from 'node:fs';
import t, { type Test } from 'tap';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { findSignal } from '../../daemon/vehicles/dbc/decode-plan.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import {
  type CanReceiverOptions,
  type CanRxModule,
  counterNames,
  type HostModule,
  loadCanRx,
  loadHost,
  type NativeCanReceiver,
  type NativePlan,
} from '../../native/index.js';

const [canRxLoaded, hostLoaded] = [loadCanRx(), loadHost()];
const skip =
  (canRxLoaded.module === null && `native module missing: ${canRxLoaded.reason}`) ||
  (hostLoaded.module === null && `native module missing: ${hostLoaded.reason}`);
const canRx = canRxLoaded.module as CanRxModule;
const host = hostLoaded.module as HostModule;

type CounterName = (typeof counterNames)[number];

function counters(receiver: NativeCanReceiver): Record<CounterName, number> {
  const out = new Float64Array(counterNames.length);
  receiver.readCounters(out);
  return Object.fromEntries(counterNames.map((name, i) => [name, out[i]])) as Record<CounterName, number>;
}

/** Waits until a condition on the counters holds; the tap time limit ends a wait in vain. */
async function until(
  receiver: NativeCanReceiver,
  holds: (now: Record<CounterName, number>) => boolean,
): Promise<void> {
  while (!holds(counters(receiver))) await new Promise((resolve) => setImmediate(resolve));
}

function frame(
  id: number,
  data: readonly number[],
  options: { fd?: boolean; length?: number; flags?: number } = {},
): Buffer {
  const bytes = Buffer.alloc(options.fd === true ? 72 : 16);
  bytes.writeUInt32LE(id >>> 0, 0);
  bytes[4] = options.length ?? data.length;
  bytes[5] = options.flags ?? 0;
  bytes.set(data, 8);
  return bytes;
}

interface StandIn {
  readonly receiver: NativeCanReceiver;
  readonly control: Int32Array;
  readonly slots: Uint8Array;
  send(bytes: Uint8Array): void;
}

function standIn(t: Test, options: CanReceiverOptions = {}, ringFrames = 1024): StandIn {
  const [ours, theirs] = host.socketPair();
  const control = new Int32Array(new SharedArrayBuffer(12));
  const slots = new Uint8Array(new SharedArrayBuffer(80 * ringFrames));
  const receiver = new canRx.CanReceiver({
    fd: theirs,
    ringControl: control,
    ringSlots: slots,
    collectUs: 500,
    ...options,
  });
  host.closeDescriptor(theirs);
  receiver.start();
  t.teardown(() => {
    receiver.stop();
    host.closeDescriptor(ours);
  });
  return {
    receiver,
    control,
    slots,
    send: (bytes) => {
      for (;;) {
        try {
          writeSync(ours, bytes);
          return;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        }
      }
    },
  };
}

t.test('each kind of frame reaches the ring as what it is', { skip }, async (t) => {
  const { receiver, control, slots, send } = standIn(t);
  send(frame(0x123, [1, 2, 3]));
  send(frame(0x80000180, [9]));
  send(frame(0x40000123, [], { length: 5 }));
  send(frame(0x20000004, [0, 4, 0, 0, 0, 0, 0, 0]));
  send(frame(0x321, [...Array(64).keys()], { fd: true, flags: 3 }));
  await until(receiver, (now) => now.frames === 5);
  t.equal(Atomics.load(control, 0), 5);
  const view = new DataView(slots.buffer);
  const seen = [0, 1, 2, 3, 4].map((i) => ({
    id: view.getUint32(i * 80 + 8, true),
    flags: slots[i * 80 + 12],
    length: slots[i * 80 + 13],
    dlc: slots[i * 80 + 14],
  }));
  t.same(seen, [
    { id: 0x123, flags: 0, length: 3, dlc: 3 },
    { id: 0x180, flags: 1, length: 1, dlc: 1 },
    { id: 0x123, flags: 16, length: 0, dlc: 5 },
    { id: 4, flags: 32, length: 8, dlc: 8 },
    { id: 0x321, flags: 2 | 4 | 8, length: 64, dlc: 64 },
  ]);
  t.same([...slots.subarray(16, 19)], [1, 2, 3]);
  t.same([...slots.subarray(4 * 80 + 16, 5 * 80)], [...Array(64).keys()]);
  const now = counters(receiver);
  t.equal(now.error_frames, 1);
  t.equal(now.remote_frames, 1);
  t.ok(Math.abs(now.last_frame_us / 1000 - Date.now()) < 600_000, 'stamped with the realtime clock');
});

t.test('datagrams that are no frames are counted and nothing else', { skip }, async (t) => {
  const { receiver, control, send } = standIn(t);
  for (const size of [1, 8, 15, 17, 71, 73, 128, 4096]) send(Buffer.alloc(size, 0xff));
  send(frame(1, [], { length: 9 }));
  send(frame(1, [], { fd: true, length: 65 }));
  await until(receiver, (now) => now.malformed === 10);
  t.equal(Atomics.load(control, 0), 0);
  t.equal(counters(receiver).frames, 0);
});

t.test('a full ring keeps what the reader has not read and counts the rest', { skip }, async (t) => {
  const { receiver, control, slots, send } = standIn(t, {}, 8);
  for (let i = 0; i < 20; i++) send(frame(i, [i]));
  await until(receiver, (now) => now.frames === 20);
  t.equal(Atomics.load(control, 0), 8);
  t.equal(Atomics.load(control, 2), 12);
  t.equal(counters(receiver).ring_drops, 12);
  const view = new DataView(slots.buffer);
  t.same(
    [...Array(8).keys()].map((i) => view.getUint32(i * 80 + 8, true)),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
  Atomics.store(control, 1, 8);
  send(frame(99, []));
  await until(receiver, (now) => now.frames === 21);
  t.equal(view.getUint32(8, true), 99, 'goes on in the place that was read');
});

t.test(
  'the table holds the latest value, how often it came and how often it changed',
  { skip },
  async (t) => {
    const text = 'BO_ 256 A: 8 X\n SG_ V : 7|16@0+ (0.01,0) [0|0] "" X\n SG_ W : 16|8@1- (1,0) [0|0] "" X\n';
    const plan = compilePlan([parseDbc(new TextEncoder().encode(text)).database]);
    const subscribed = Uint32Array.of(findSignal(plan, 0, 'W'), findSignal(plan, 0, 'V'));
    const { receiver, send } = standIn(t, { plan: plan as unknown as NativePlan, subscribed });
    const [values, times] = [new Float64Array(2), new BigUint64Array(2)];
    const [received, changed] = [new Uint32Array(2), new Uint32Array(2)];
    receiver.snapshot(values, times, received, changed);
    t.same([...values].map(Number.isNaN), [true, true], 'nothing yet');
    for (const w of [1, 1, 255, 1]) send(frame(256, [0x12, 0x34, w, 0, 0, 0, 0, 0]));
    send(frame(256, [0x12]));
    send(frame(257, [9, 9, 9]));
    await until(receiver, (now) => now.frames === 6);
    receiver.snapshot(values, times, received, changed);
    t.same([...values], [1, 0x1234 * 0.01]);
    t.same([...received], [4, 4], 'a frame that is too short brings nothing');
    t.same([...changed], [3, 1], 'a pulse between two looks is seen as changes');
    receiver.snapshot(values, times, received, changed);
    t.same([...received, ...changed], [0, 0, 0, 0], 'each look starts anew');
    t.throws(() => receiver.snapshot(values.subarray(1), times, received, changed), RangeError);
  },
);

t.test('stopping joins the thread and leaks no descriptor', { skip }, async (t) => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  const threads = (): number => readdirSync('/proc/self/task').length;
  const before = [open(), threads()];
  for (let i = 0; i < 50; i++) {
    const [ours, theirs] = host.socketPair();
    const receiver = new canRx.CanReceiver({ fd: theirs });
    receiver.start();
    receiver.stop();
    receiver.stop();
    host.closeDescriptor(ours);
    host.closeDescriptor(theirs);
  }
  t.same([open(), threads()], before);
});

t.test('what cannot work is refused with a reason', { skip }, async (t) => {
  t.throws(() => new canRx.CanReceiver({ fd: 12345 }), /descriptor/i);
  t.throws(() => new canRx.CanReceiver({ interface: 'nosuchcan0' }), { message: /nosuchcan0: / });
  const [ours, theirs] = host.socketPair();
  t.teardown(() => [ours, theirs].map(host.closeDescriptor));
  const ring = (words: number, bytes: number): CanReceiverOptions => ({
    fd: theirs,
    ringControl: new Int32Array(words),
    ringSlots: new Uint8Array(bytes),
  });
  for (const options of [ring(2, 80), ring(3, 0), ring(3, 240), ring(3, 81)]) {
    t.throws(() => new canRx.CanReceiver(options), RangeError);
  }
});

t.test('the tick timer does not drift and tells what was missed', { skip }, async (t) => {
  let ticks = 0;
  let expired = 0;
  const started = process.hrtime.bigint();
  await new Promise<void>((resolve) => {
    const timer = new host.TickTimer(10_000, (expirations, lateUs) => {
      ticks++;
      expired += expirations;
      t.ok(lateUs >= 0 && expirations >= 1);
      if (ticks === 5) {
        const until = Date.now() + 60; // a stall of six periods: one call must tell of them, not a burst
        while (Date.now() < until);
      }
      if (expired >= 20) {
        timer.stop();
        timer.stop();
        resolve();
      }
    });
  });
  const elapsedUs = Number(process.hrtime.bigint() - started) / 1000;
  t.ok(expired <= Math.ceil(elapsedUs / 10_000), 'no tick before its time');
  t.ok(ticks <= expired - 4, 'the missed ones came as one');
  t.throws(() => new host.TickTimer(10, () => {}), TypeError);
});
