/** The receive thread on a stand-in: the same recvmmsg, parser and ring code, over a pair of sockets. */
import { readdirSync, writeSync } from 'node:fs';
import t, { type Test } from 'tap';
import { slotBytes } from '../../daemon/sources/can/frame-ring.js';
import { type CanReceiverOptions, counterNames, type NativeCanReceiver } from '../../native/index.js';
import { canRx, host, skip } from './native-modules.js';

/** layout in native/can_rx/frame_slot.h */
const idAt = 16;

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
  const slots = new Uint8Array(new SharedArrayBuffer(slotBytes * ringFrames));
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
    id: view.getUint32(i * slotBytes + idAt, true),
    flags: slots[i * slotBytes + idAt + 4],
    length: slots[i * slotBytes + idAt + 5],
    dlc: slots[i * slotBytes + idAt + 6],
  }));
  t.same(seen, [
    { id: 0x123, flags: 0, length: 3, dlc: 3 },
    { id: 0x180, flags: 1, length: 1, dlc: 1 },
    { id: 0x123, flags: 16, length: 0, dlc: 5 },
    { id: 4, flags: 32, length: 8, dlc: 8 },
    { id: 0x321, flags: 2 | 4 | 8, length: 64, dlc: 64 },
  ]);
  t.same([...slots.subarray(24, 27)], [1, 2, 3]);
  t.same([...slots.subarray(4 * slotBytes + 24, 5 * slotBytes)], [...Array(64).keys()]);
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
    [...Array(8).keys()].map((i) => view.getUint32(i * slotBytes + idAt, true)),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
  Atomics.store(control, 1, 8);
  send(frame(99, []));
  await until(receiver, (now) => now.frames === 21);
  t.equal(view.getUint32(idAt, true), 99, 'goes on in the place that was read');
});

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
  for (const options of [ring(2, 88), ring(3, 0), ring(3, 264), ring(3, 89)]) {
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
