/**
 * Link messages. The answers below are built after linux/can/netlink.h by hand, because no machine with a CAN
 * controller was at hand; those of a virtual interface are the kernel's own in the kernel tests.
 */
import fc from 'fast-check';
import t from 'tap';
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
  return attribute(18, [
    ...attribute(1, text('can')),
    ...attribute(0x8002, [
      ...attribute(1, words(500_000, 875, 125, 6, 7, 2, 1, 5)),
      ...attribute(4, u32(state)),
      ...attribute(5, words(0x22, modeFlags)),
      ...attribute(6, u32(0)),
      ...attribute(8, [97, 0, 3, 0]),
    ]),
  ]);
}

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
