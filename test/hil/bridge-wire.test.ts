/** Simulated frames on their way to an interface: when each leaves, and when none does. */
import fc from 'fast-check';
import t from 'tap';
import type { ErrorReport } from '../../daemon/core/can/error-frame.js';
import { FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { DriveMcpError } from '../../daemon/core/errors.js';
import { FramePlayout, playoutFramesMax } from '../../hil/bridge/frame-playout.js';
import { type InterfaceSight, type WireOptions, WireSink } from '../../hil/bridge/wire-sink.js';
import type { ChannelEars, SentFrame } from '../../hil/transmit/can-channel.js';

/** Frames with a running number as payload, at these times of the bridge's clock (µs). */
function batchOf(timesUs: readonly number[], first = 0): { batch: FrameBatch; tUs: Float64Array } {
  const batch = new FrameBatch(timesUs.length, ['test']);
  for (const [i] of timesUs.entries()) {
    batch.id[i] = 0x100 + (i % 7);
    batch.length[i] = 4;
    new DataView(batch.data.buffer).setUint32(i * FRAME_STRIDE, first + i);
    batch.count++;
  }
  return { batch, tUs: Float64Array.from(timesUs) };
}

const numberOf = ({ data }: SentFrame): number => new DataView(data.buffer, data.byteOffset).getUint32(0);

t.test(
  'frames leave in order, never early, spread as on the bus, and each is sent, dropped or waits',
  (t) => {
    fc.assert(
      fc.property(
        // When steps of 50 ms arrive, late and early; how often the kernel refuses.
        fc.array(fc.record({ delayMs: fc.double({ min: -40, max: 120, noNaN: true }), refuses: fc.nat(3) }), {
          minLength: 2,
          maxLength: 60,
        }),
        (steps) => {
          const playout = new FramePlayout();
          const sent: number[] = [];
          let [pushed, nowMs] = [0, 1000];
          for (const [k, { delayMs, refuses }] of steps.entries()) {
            const arrivesMs = Math.max(nowMs, 1000 + k * 50 + delayMs);
            for (; nowMs < arrivesMs; nowMs++) {
              let refusals = refuses;
              playout.play(nowMs, (frame) => {
                if (refusals-- > 0 && k % 5 === 0) return false;
                sent.push(numberOf(frame));
                return true;
              });
            }
            const { batch, tUs } = batchOf(
              [2, 11, 20, 31, 42].map((ms) => (k * 50 + ms) * 1000),
              pushed,
            );
            pushed += batch.count;
            playout.push(batch, tUs, nowMs);
          }
          const isOrdered = sent.every((number, i) => i === 0 || number > sent[i - 1]!);
          return isOrdered && sent.length + playout.dropped + playout.length === pushed;
        },
      ),
    );
    const playout = new FramePlayout();
    const { batch, tUs } = batchOf([0, 10_000, 20_000]);
    playout.push(batch, tUs, 500);
    const leaves: [number, number][] = [];
    for (let nowMs = 500; nowMs <= 530; nowMs++)
      playout.play(nowMs, (frame) => {
        leaves.push([numberOf(frame), nowMs]);
        return true;
      });
    t.strictSame(leaves, [
      [0, 500],
      [1, 510],
      [2, 520],
    ]);
    t.end();
  },
);

t.test('the queue has a bound: the oldest go, and are counted', (t) => {
  const playout = new FramePlayout();
  for (let k = 0; k < 30; k++) {
    const { batch, tUs } = batchOf(
      Array.from({ length: 100 }, (_, i) => (k * 100 + i) * 1000),
      k * 100,
    );
    playout.push(batch, tUs, 0);
  }
  t.ok(playout.length <= playoutFramesMax);
  t.equal(playout.length + playout.dropped, 3000);
  playout.play(1e9, () => false);
  t.equal(playout.length, 0, 'what is overdue behind a refusal is not kept');
  t.equal(playout.dropped, 3000);
  t.end();
});

interface Rig {
  readonly sink: WireSink;
  readonly sent: SentFrame[];
  readonly failures: DriveMcpError[];
  readonly notices: string[];
  ears: ChannelEars | null;
  sight: InterfaceSight;
  takes: boolean;
  isClosed: boolean;
  nowMs: number;
  looks: number;
}

const fine: InterfaceSight = { state: 'up', family: 'vcan', bitrate: null, isListenOnly: null };

function rigged(change: Partial<WireOptions> = {}, sight: Partial<InterfaceSight> = {}): Rig {
  const startMs = performance.now();
  const rig: Rig = {
    sent: [],
    failures: [],
    notices: [],
    ears: null,
    sight: { ...fine, ...sight },
    takes: true,
    isClosed: false,
    nowMs: 0,
    looks: 0,
    sink: new WireSink({
      name: 'bus0',
      isReal: false,
      isShared: false,
      listenMs: 20,
      nowMs: () => rig.nowMs + performance.now() - startMs,
      notice: (text) => rig.notices.push(text),
      look: () => {
        rig.looks++;
        return rig.sight;
      },
      openChannel: (_name, ears) => {
        rig.ears = ears;
        return {
          send: (frame) => {
            if (rig.takes) rig.sent.push(frame);
            return rig.takes;
          },
          close: () => {
            rig.isClosed = true;
          },
        };
      },
      ...change,
    }),
  };
  return rig;
}

const open = (rig: Rig): Promise<void> =>
  rig.sink.open((error) => rig.failures.push(error), new AbortController().signal);
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};
const foreign = { id: 0x1a0, ext: false, rtr: false, data: Uint8Array.of(1) };

t.test('an interface that is not fit is refused before a socket is opened', async (t) => {
  const cases: readonly [Partial<WireOptions>, Partial<InterfaceSight>, string, RegExp][] = [
    [{}, { state: 'absent', family: null }, 'CAN_UNAVAILABLE', /there is no CAN interface bus0/],
    [{}, { family: 'can' }, 'BUS_REFUSED', /is a can interface, not a virtual one/],
    [{}, { family: 'slcan' }, 'BUS_REFUSED', /slcan/],
    [{}, { family: 'vxcan' }, 'BUS_REFUSED', /vxcan/],
    [{}, { family: null }, 'BUS_REFUSED', /not a virtual one/],
    [{}, { state: 'down' }, 'CAN_UNAVAILABLE', /is down/],
    [{ isReal: true }, { family: 'can', state: 'bus_off' }, 'CAN_UNAVAILABLE', /bus-off/],
    [{ isReal: true }, { family: 'can', isListenOnly: true }, 'BUS_REFUSED', /listen-only/],
  ];
  for (const [options, sight, code, message] of cases) {
    const rig = rigged(options, sight);
    await t.rejects(open(rig), { code, message });
    t.equal(rig.ears, null);
  }
  const real = rigged({ isReal: true }, { family: 'can', isListenOnly: false, bitrate: 500_000 });
  await open(real);
  await real.sink.close();
  t.ok(real.isClosed);
});

t.test('who speaks on the bus before us keeps it', async (t) => {
  const rig = rigged();
  const opening = open(rig);
  const many = Array.from({ length: 12 }, (_, i) => ({ ...foreign, id: 0x200 + i }));
  for (const frame of [foreign, { ...foreign, id: 0x18fef100, ext: true }, ...many]) rig.ears?.heard(frame);
  await t.rejects(opening, {
    code: 'BUS_OCCUPIED',
    message: /not free: 14 frames of others: 18FEF100, 1A0, 200, .* and 6 identifiers more; nothing was sent/,
  });
  t.ok(rig.isClosed);
  t.equal(rig.sent.length, 0);
});

t.test(
  'who speaks on it while we send makes us silent at once; on a shared bus they are counted',
  async (t) => {
    const rig = rigged();
    await open(rig);
    const { batch, tUs } = batchOf([0, 1000, 2000, 500_000]);
    rig.sink.take(batch, tUs);
    await until(() => rig.sent.length === 3);
    rig.ears?.heard(foreign);
    t.ok(rig.isClosed);
    t.match(rig.failures, [{ code: 'BUS_OCCUPIED', message: /\(1A0\): fell silent after 3 frames/ }]);
    rig.sink.take(batch, tUs);
    rig.ears?.heard(foreign);
    t.equal(rig.failures.length, 1);
    t.match(rig.sink.counters(), { sent: 3, waiting: 0, dropped: 1, foreign: 2 });
    await rig.sink.close();

    const shared = rigged({ isShared: true });
    const opening = open(shared);
    shared.ears?.heard(foreign);
    await opening;
    shared.sink.take(batch, tUs);
    shared.ears?.heard(foreign);
    await until(() => shared.sent.length === 3);
    t.strictSame(shared.failures, []);
    t.match(shared.sink.counters(), { foreign: 2 });
    await shared.sink.close();
  },
);

t.test('a full queue of the kernel is waited for, and given up when nobody ever acknowledges', async (t) => {
  const rig = rigged();
  await open(rig);
  rig.takes = false;
  const { batch, tUs } = batchOf([0, 1000, 2000]);
  rig.sink.take(batch, tUs);
  await until(() => Number(rig.sink.counters()['refused']) > 2);
  rig.takes = true;
  await until(() => rig.sent.length === 3);
  t.match(rig.sink.counters(), { sent: 3, dropped: 0 });
  rig.takes = false;
  for (let k = 1; rig.failures.length === 0; k++) {
    const later = batchOf([k * 500_000]);
    rig.sink.take(later.batch, later.tUs);
    const { looks } = rig;
    await until(() => rig.looks > looks);
    rig.nowMs += 500;
  }
  t.match(rig.failures, [
    { code: 'CAN_UNAVAILABLE', message: /has taken no frame for 5 s .*nobody acknowledges/ },
  ]);
  t.ok(rig.isClosed);
});

t.test(
  'an interface that goes down or away ends it, with its name; bus-off that passes does not',
  async (t) => {
    for (const [state, word] of [
      ['down', 'is down'],
      ['unplugged', 'is gone'],
    ] as const) {
      const rig = rigged();
      await open(rig);
      rig.sight = { ...rig.sight, state };
      await until(() => rig.failures.length === 1);
      t.match(rig.failures, [{ code: 'CAN_UNAVAILABLE', message: new RegExp(`bus0 ${word}`) }]);
      t.ok(rig.notices.some((text) => text.includes(`up → ${state}`)));
    }
    const stopped = rigged();
    await open(stopped);
    stopped.ears?.stopped?.();
    t.match(stopped.failures, [{ message: /bus0 went down/ }]);

    const busOff = rigged({ isReal: true }, { family: 'can' });
    await open(busOff);
    busOff.sight = { ...busOff.sight, state: 'bus_off' };
    busOff.ears?.reported?.({ controller: 'bus_off' } as ErrorReport);
    await until(() => busOff.notices.some((text) => text.includes('up → bus_off')));
    busOff.sight = { ...busOff.sight, state: 'up' };
    await until(() => busOff.notices.some((text) => text.includes('bus_off → up')));
    const { batch, tUs } = batchOf([0]);
    busOff.sink.take(batch, tUs);
    await until(() => busOff.sent.length === 1);
    busOff.nowMs += 6000;
    await new Promise((resolve) => setTimeout(resolve, 250));
    t.strictSame(busOff.failures, []);
    await busOff.sink.close();
  },
);
