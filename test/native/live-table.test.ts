/** Frames that are decoded on the receive threads, over pairs of sockets: what is kept of them gives the same values. */
import { writeSync } from 'node:fs';
import t, { type Test } from 'tap';
import { DecodedFrames } from '../../daemon/sources/can/decoded-frames.js';
import { FrameRing } from '../../daemon/sources/can/frame-ring.js';
import { NativeProfile } from '../../daemon/sources/can/native-profile.js';
import type { NativeCanReceiver } from '../../native/index.js';
import { espState, profileOf, protectedSpeed } from '../vehicles/test-car.js';
import { hostileCar } from './hostile-frames.js';
import { canRx, host, skip } from './native-modules.js';
import { difference, shown } from './profile-pair.js';

interface LiveBus {
  readonly receiver: NativeCanReceiver;
  send(id: number, data: readonly number[]): void;
}

function liveBus(t: Test, native: NativeProfile, bus: number): LiveBus {
  const [ours, theirs] = host.socketPair();
  const receiver = new canRx.CanReceiver({ fd: theirs, table: native.table, bus, collectUs: 200 });
  host.closeDescriptor(theirs);
  receiver.start();
  t.teardown(() => {
    receiver.stop();
    host.closeDescriptor(ours);
  });
  return {
    receiver,
    send: (id, data) => {
      const bytes = Buffer.alloc(16);
      bytes.writeUInt32LE(id, 0);
      bytes[4] = data.length;
      bytes.set(data, 8);
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

t.test('what is kept of four live buses decodes to the values that were read', { skip }, async (t) => {
  const signals = hostileCar('sum8');
  const ring = new FrameRing(16_384);
  const native = new NativeProfile(canRx, profileOf(signals), ring);
  const ours = profileOf(signals);
  let [kept, newestUs, lost] = [0, 0, 0];
  const frames = new DecodedFrames({
    profile: native,
    ring,
    names: ['a', 'b', 'c', 'd'],
    clockBaseUs: 0, // the kernel's clock is read directly below
    keeper: {
      keep: (batch, from, to, tUs) => {
        kept += to - from;
        for (let i = 0; i < to - from; i++) newestUs = Math.max(newestUs, tUs[i]!);
        ours.consume(batch, from, to, tUs);
      },
      lost: () => lost++,
    },
  });
  const buses = [0, 1, 2, 3].map((bus) => liveBus(t, native, bus));
  let seed = 0x9e3779b9;
  const random = (below: number): number => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % below;
  };
  for (let i = 0; i < 50; i++) buses[0]!.send(256, espState(4000, i).data);
  let sent = 50;
  while (kept < sent) {
    frames.take([], 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.equal(newestUs, 0, 'before the start all frames have the time 0');
  const kernelUs = (): number => Number(process.hrtime.bigint() / 1000n);
  const startUs = kernelUs();
  frames.start(startUs);
  for (let tick = 0; tick < 60; tick++) {
    for (const [i, { send }] of buses.entries()) {
      for (let k = random(40); k > 0; k--, sent++) {
        const { id, data } =
          random(3) === 0
            ? {
                id: [512, 768, 1024, 5][random(4)]!,
                data: Array.from({ length: random(9) }, () => random(256)),
              }
            : espState(5000 + random(30) * (i + 1), sent, random(4));
        send(id, data.slice(0, random(20) === 0 ? 3 : 8));
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    frames.take([], 0);
    const nowUs = kernelUs() - startUs;
    t.ok(newestUs <= nowUs, 'no frame is newer than its reception');
    const found =
      difference(ours.drain(nowUs), native.drain(nowUs), 'samples') ||
      difference(shown(ours), shown(native.decoder));
    if (found !== '') t.fail(found);
    if (found !== '') return;
  }
  while (kept < sent) {
    frames.take([], 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  t.equal(kept, sent);
  t.equal(lost, 0);
  t.equal(difference(ours.drain(), native.drain(), 'samples'), '');
  t.ok(native.decoder.counts()['checksum']! > 0 && native.decoder.frames === sent, `${sent} frames`);
});

t.test('a full ring costs the keeper frames and the table none', { skip }, async (t) => {
  const ring = new FrameRing(8);
  const native = new NativeProfile(canRx, profileOf(protectedSpeed), ring);
  const said: string[] = [];
  const frames = new DecodedFrames({
    profile: native,
    ring,
    names: ['a'],
    clockBaseUs: 0,
    keeper: { keep: (_, from, to) => said.push(`kept ${to - from}`), lost: () => said.push('lost') },
  });
  const bus = liveBus(t, native, 0);
  for (let i = 0; i < 20; i++) bus.send(256, espState(5000 + i, i).data);
  for (native.read(); native.decoder.frames < 20; native.read()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  frames.take([], 0);
  t.same(said, ['lost', 'kept 8'], 'the gap is told before what cannot be rebuilt');
  t.equal(native.drain()[0]?.path === undefined, false);
  t.equal(native.decoder.messages[0]!.accepted, 20);
});
