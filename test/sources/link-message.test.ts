/**
 * Link messages. The answers below are built after linux/can/netlink.h by hand, because no machine with a CAN
 * controller was at hand; those of a virtual interface are the kernel's own in the kernel tests.
 */
import fc from 'fast-check';
import t from 'tap';
import { adviceFor, interfaceSourceState } from '../../daemon/core/can/interface-source.js';
import { listenOnlyFinding, listenOnlyRefusal } from '../../daemon/core/can/listen-only.js';
import { linkDumpRequest, readLinkMessages } from '../../daemon/sources/can/link-message.js';

function attribute(type: number, payload: readonly number[]): number[] {
  const length = payload.length + 4;
  const padding = Array<number>((4 - (length % 4)) % 4).fill(0);
  return [length & 255, length >> 8, type & 255, type >> 8, ...payload, ...padding];
}
const u32 = (value: number): number[] => [
  value & 255,
  (value >>> 8) & 255,
  (value >>> 16) & 255,
  value >>> 24,
];
const words = (...values: number[]): number[] => values.flatMap(u32);
const text = (value: string): number[] => [...value].map((char) => char.charCodeAt(0)).concat(0);

function message(type: number, body: readonly number[]): number[] {
  return [...u32(16 + body.length), type & 255, type >> 8, 0, 0, ...u32(1), ...u32(0), ...body];
}
function link(type: number, index: number, flags: number, attributes: readonly number[]): number[] {
  return message(type, [0, 0, 24, 1, ...u32(index), ...u32(flags), ...u32(0), ...attributes]);
}
function controller(state: number, modeFlags: number): number[] {
  return controllerWith(state, attribute(ctrlmode, words(0x22, modeFlags)));
}
function controllerWith(state: number, mode: readonly number[]): number[] {
  return attribute(18, [
    ...attribute(1, text('can')),
    ...attribute(0x8002, [
      ...attribute(1, words(500_000, 875, 125, 6, 7, 2, 1, 5)),
      ...attribute(4, u32(state)),
      ...mode,
      ...attribute(6, u32(0)),
      ...attribute(8, [97, 0, 3, 0]),
    ]),
  ]);
}
const ctrlmode = 5;

t.test('a controller in listen-only mode, running, then bus-off, then gone', async (t) => {
  const bytes = Uint8Array.from([
    ...link(16, 3, 0x49, [...attribute(3, text('can0')), ...controller(0, 0x02)]),
    ...link(16, 3, 0x49, [...attribute(3, text('can0')), ...controller(3, 0)]),
    ...link(17, 3, 0, attribute(3, text('can0'))),
  ]);
  const facts = { bitrate: 500_000, dataBitrate: null, isFd: false, restartMs: 0, txErrors: 97, rxErrors: 3 };
  t.same(readLinkMessages(bytes), [
    {
      kind: 'link',
      index: 3,
      name: 'can0',
      isUp: true,
      family: 'can',
      controller: { ...facts, state: 'active', isListenOnly: true },
    },
    {
      kind: 'link',
      index: 3,
      name: 'can0',
      isUp: true,
      family: 'can',
      controller: { ...facts, state: 'bus_off', isListenOnly: false },
    },
    { kind: 'gone', index: 3, name: 'can0' },
  ]);
});

t.test('a virtual interface has no controller; down is not up; errors and the end of a dump', async (t) => {
  const vcan = [...attribute(3, text('vcan0')), ...attribute(18, attribute(1, text('vcan')))];
  const [isUp, isDown] = readLinkMessages(
    Uint8Array.from([...link(16, 5, 0x100c1, vcan), ...link(16, 5, 0x80, vcan)]),
  );
  t.match(isUp, { name: 'vcan0', isUp: true, family: 'vcan', controller: null });
  t.match(isDown, { isUp: false });
  t.same(readLinkMessages(Uint8Array.from(message(2, u32(-1 >>> 0)))), [{ kind: 'error', errno: 1 }]);
  t.same(readLinkMessages(Uint8Array.from(message(3, u32(0)))), [{ kind: 'done' }]);
});

t.test('an interface of another kind is none of ours', async (t) => {
  const loopback = link(16, 1, 0x49, attribute(3, text('lo')));
  const hardwareTypeAt = 16 + 2;
  loopback.splice(hardwareTypeAt, 2, 772 & 255, 772 >> 8); // ARPHRD_LOOPBACK
  t.same(readLinkMessages(Uint8Array.from(loopback)), []);
});

t.test('the request is a dump of links and nothing else', async (t) => {
  const request = linkDumpRequest(7);
  t.same([...request], [...u32(32), 18, 0, 0x01, 0x03, ...u32(7), ...u32(0), ...Array<number>(16).fill(0)]);
});

t.test('cut and broken datagrams end the reading, nothing more', async () => {
  const whole = Uint8Array.from(link(16, 3, 0x49, [...attribute(3, text('can0')), ...controller(0, 2)]));
  fc.assert(
    fc.property(
      fc.nat(whole.length),
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 }),
      (cut, edits) => {
        const bytes = whole.slice();
        for (const [at, value] of edits) bytes[at] = value;
        return Array.isArray(readLinkMessages(bytes.subarray(0, cut)));
      },
    ),
    { numRuns: 2000 },
  );
});

/** What the answer of a controller with these mode attributes comes to. */
function findingOf(mode: readonly number[], cutBytes = 0): string {
  const bytes = Uint8Array.from(
    link(16, 3, 0x49, [...attribute(3, text('can0')), ...controllerWith(0, mode)]),
  );
  return finding(bytes, cutBytes);
}
function finding(bytes: Uint8Array, cutBytes = 0): string {
  const one = readLinkMessages(bytes.subarray(0, bytes.length - cutBytes))[0];
  if (one?.kind !== 'link') return 'no message';
  return listenOnlyFinding({ isPresent: true, family: one.family, controller: one.controller });
}

t.test('listen-only is believed where the driver says so in full, and nowhere else', async (t) => {
  const on = 0x02;
  const mask = 0x22;
  t.equal(findingOf(attribute(ctrlmode, words(mask, on))), 'listen_only');
  t.equal(findingOf(attribute(ctrlmode, words(mask, on | 0x20))), 'listen_only', 'with CAN FD on');
  t.equal(
    findingOf(attribute(ctrlmode, words(mask, on, 0))),
    'listen_only',
    'a longer struct of a later kernel',
  );
  t.equal(findingOf(attribute(ctrlmode, words(mask, 0))), 'off');
  t.equal(findingOf(attribute(ctrlmode, words(mask, 0x20))), 'off', 'CAN FD alone');
  t.equal(findingOf(attribute(ctrlmode, words(on, 0))), 'off', 'the mask says what can be set, not what is');
  t.equal(findingOf([]), 'untold', 'no such attribute');
  for (let length = 0; length < 8; length++) {
    const short = words(mask, on).slice(0, length);
    t.equal(findingOf(attribute(ctrlmode, short)), 'untold', `${length} of 8 bytes`);
  }
  t.equal(
    findingOf([...attribute(ctrlmode, words(mask, on)), ...attribute(ctrlmode, u32(on))]),
    'untold',
    'the last one counts, as in the kernel, and it is too short',
  );
  const tooLong = attribute(ctrlmode, words(mask, on));
  tooLong[0] = 200;
  t.equal(findingOf(tooLong), 'untold', 'an attribute longer than what holds it');
  t.equal(findingOf(attribute(ctrlmode, words(mask, on)), 4), 'no message', 'a datagram that was cut');
  const name = attribute(3, text('can0'));
  const bare = (...info: number[]) => Uint8Array.from(link(16, 3, 0x49, [...name, ...info]));
  t.equal(finding(bare()), 'untold', 'a link without facts');
  t.equal(finding(bare(...attribute(18, attribute(1, text('can'))))), 'untold', 'a controller without facts');
  t.equal(
    finding(
      bare(
        ...attribute(18, [
          ...attribute(1, text('vcan')),
          ...attribute(2, attribute(ctrlmode, words(mask, on))),
        ]),
      ),
    ),
    'virtual',
    'what calls itself virtual has no controller, whatever else it says',
  );
});

t.test('no damage of an answer makes listen-only out of off', async () => {
  const off = Uint8Array.from(link(16, 3, 0x49, [...attribute(3, text('can0')), ...controller(0, 0)]));
  // The flags themselves may not be touched: eight bytes behind the only header of type CTRLMODE.
  const flags =
    off.findIndex((_, at) => off[at] === 12 && off[at + 2] === ctrlmode && off[at + 4] === 0x22) + 8;
  fc.assert(
    fc.property(fc.nat(off.length), (cut) => finding(off, cut) !== 'listen_only'),
    { numRuns: off.length },
  );
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 7 }), fc.nat(255), (length, low) => {
      const bytes = off.slice();
      bytes[flags - 8] = 4 + length; // the attribute claims to be shorter
      bytes[flags - 4] = low; // and its mask is anything
      return finding(bytes) !== 'listen_only';
    }),
  );
});

t.test('where listen-only is required, all else is refused at the start and lost later', async (t) => {
  const life = { name: 'can0', state: 'up' } as const;
  const lost = { state: 'lost', required: true, detail: 'not_listen_only' };
  t.equal(listenOnlyRefusal('listen_only', 'can'), null);
  t.match(interfaceSourceState(life, 'listen_only', true), { state: 'fresh', required: false });
  for (const [found, why] of [
    ['off', /would acknowledge and could send/],
    ['untold', /does not say/],
    ['virtual', /is a vcan interface without a controller/],
    ['absent', /is not there/],
  ] as const) {
    t.match(listenOnlyRefusal(found, 'vcan'), why);
    t.match(interfaceSourceState(life, found, true), lost, `${found}: MONITOR, not a decision`);
    t.match(interfaceSourceState(life, found, false), { state: 'fresh' }, 'only where it is required');
  }
  t.match(adviceFor(life, 'off', true), 'type can bitrate RATE listen-only on; ip link set can0 up');
  t.equal(adviceFor(life, 'off', false), 'fine');
  t.match(adviceFor({ name: 'can0', state: 'bus_off' }, 'off', true), 'restart-ms');
  t.match(
    interfaceSourceState({ name: 'can0', state: 'bus_off' }, 'off', true),
    { state: 'lost', detail: 'bus_off' },
    'why nothing comes is told first',
  );
  t.match(interfaceSourceState({ name: 'can0', state: 'error_passive' }, 'off', false), {
    state: 'stale',
    required: false,
  });
});
