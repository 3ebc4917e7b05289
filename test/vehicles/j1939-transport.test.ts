/** J1939 as it passes by: groups, broadcasts, directed messages, faults and lamps. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { destinationOf, pgnOf, sourceOf } from '../../daemon/vehicles/diagnostics/j1939-id.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { bytesOf, hear, hexOf, type TimedFrame } from './diagnostic-frames.js';

const truck = corpusFile('can', 'logs', 'css_j1939_truck_bam.log');

/** Announcement and packets, as SAE J1939-21 has them; `to` FF: to all. */
function transported(pgn: number, payload: Uint8Array, tS: number, to = 'FF', from = '00'): TimedFrame[] {
  const packets = Math.ceil(payload.length / 7);
  const group = [pgn & 255, (pgn >> 8) & 255, pgn >> 16];
  const length = [payload.length & 255, payload.length >> 8];
  const open = Uint8Array.of(to === 'FF' ? 32 : 16, ...length, packets, 0xff, ...group);
  return [
    [tS, `1CEC${to}${from}`, open],
    ...Array.from({ length: packets }, (_, i): TimedFrame => {
      const part = payload.subarray(7 * i, 7 * i + 7);
      const filled = Uint8Array.of(i + 1, ...part, ...new Uint8Array(7 - part.length).fill(0xff));
      return [tS + 0.05 * (i + 1), `1CEB${to}${from}`, filled];
    }),
  ];
}

const fault = (spn: number, fmi: number, count: number): number[] => [
  spn & 255,
  (spn >> 8) & 255,
  ((spn >> 16) << 5) | fmi,
  count,
];
const four = Uint8Array.of(
  0x44,
  0xff,
  ...fault(100, 1, 3),
  ...fault(110, 0, 126),
  ...fault(524_287, 31, 1),
  ...fault(3226, 2, 127),
);
const errors = (frames: TimedFrame[]) =>
  hear(frames)
    .map(({ error }) => error)
    .filter((error) => error !== undefined);
const payloads = (frames: TimedFrame[]) =>
  hear(frames)
    .filter(({ raw }) => raw.length > 0)
    .map(({ raw }) => hexOf(raw));

t.test('groups and addresses', async (t) => {
  t.equal(pgnOf(0x0cf00400), 0xf004);
  t.equal(pgnOf(0x18f00427), pgnOf(0x0cf00400), 'whatever priority and source');
  t.equal(pgnOf(0x18ea00f9), 0xea00, 'below F0 the next byte is a destination');
  t.equal(pgnOf(0x1cecff17), 0xec00);
  t.equal(pgnOf(0x19f21103), 0x1f211, 'with data page');
  t.equal(destinationOf(0x18ea0bf9), 0x0b);
  t.equal(destinationOf(0x18feca0b), 0xff);
  t.equal(sourceOf(0x18feca0b), 0x0b);
});

t.test('four active faults by broadcast', async (t) => {
  const [dm1, ...more] = hear(transported(0xfeca, four, 1));
  t.same(more, []);
  t.match(dm1, {
    ecu: '00',
    service: null,
    pgn: 0xfeca,
    faultMessage: 'DM1',
    lamps: { malfunction: 'on', red_stop: 'off', amber_warning: 'on', protect: 'off' },
    dtcs: [
      { code: 'SPN 100 FMI 1', state: 'failing', details: { spn: 100, fmi: 1, occurrences: 3 } },
      { code: 'SPN 110 FMI 0', details: { occurrences: 126 } },
      { code: 'SPN 524287 FMI 31' },
      { code: 'SPN 3226 FMI 2', details: { occurrences: null } },
    ],
  });
});

t.test('single frames: one fault, none, not available, too short', async (t) => {
  const one = (data: string, id = '18FECA00') => hear([[1, id, data]])[0];
  t.match(one('44ff640001030000')?.dtcs, [{ code: 'SPN 100 FMI 1' }]);
  t.equal(one('44ff64000103ffff')?.dtcs?.length, 1, 'the last two bytes are filler');
  t.match(one('00ff00000000ffff'), { dtcs: [], lamps: { malfunction: 'off' } });
  t.match(one('ffffffffffffffff'), { dtcs: null, lamps: { malfunction: null, protect: null } });
  t.match(one('4001640001030000')?.lamps, { malfunction: 'slow_flash' });
  t.match(one('4440640001030000')?.lamps, { malfunction: 'fast_flash', amber_warning: 'slow_flash' });
  t.match(one('84ff640001030000')?.lamps, { malfunction: null }, 'a reserved pattern');
  t.match(one('00ff640001830000')?.dtcs, [{ details: { spn_certain: false } }], 'old order of the bits');
  t.match(one('00ff640001030000', '18FECB17'), {
    faultMessage: 'DM2',
    ecu: '17',
    dtcs: [{ state: 'history' }],
  });
  t.match(one('00ff64'), { error: 'short', dtcs: null });
  t.match(hear(transported(0xfeca, four.subarray(0, 16), 1))[0], { error: 'short', dtcs: [{}, {}, {}] });
});

t.test('messages to one destination, and what a receiver may ask for again', async (t) => {
  const vin = new TextEncoder().encode('1M8GDM9AXKP042788*');
  const [open, first, second, third] = transported(0xfeec, vin, 1, 'F9') as [
    TimedFrame,
    TimedFrame,
    TimedFrame,
    TimedFrame,
  ];
  const cts = (tS: number, packets: number, next: number): TimedFrame => [
    tS,
    '1CEC00F9',
    Uint8Array.of(17, packets, next, 0xff, 0xff, 0xec, 0xfe, 0),
  ];
  const ended: TimedFrame = [1.5, '1CEC00F9', '131200 03ffecfe00'.replace(' ', '')];
  t.match(hear([open, cts(1.01, 3, 1), first, second, third, ended]), [
    { vin: '1M8GDM9AXKP042788', pgn: 0xfeec },
  ]);
  t.same(
    payloads([open, cts(1.01, 2, 1), first, second, cts(1.2, 2, 2), second, third]),
    [hexOf(vin)],
    'packets sent once more',
  );
  t.same(
    errors([open, cts(1.01, 0, 255), cts(2.2, 0, 255), [3.4, first[1], first[2]]]),
    ['timeout'],
    'held, and then left',
  );
  t.same(errors([open, first, [1.1, '1CEC00F9', 'ff01ffffffecfe00']]), ['interrupted'], 'abort');
  t.same(errors([cts(1, 3, 1)]), ['flow_control_ignored']);
  t.match(hear(transported(0xfeec, new TextEncoder().encode('1M8GDM9AXKP04278*'), 1))[0], { vin: null });
});

t.test('damage', async (t) => {
  const frames = transported(0xfeca, four, 1);
  const [open, first, second, third] = frames as [TimedFrame, TimedFrame, TimedFrame, TimedFrame];
  t.match(hear([open, first]), [
    { error: 'timeout', tS: 1.8, incomplete: { receivedBytes: 7, announcedBytes: 18 } },
  ]);
  t.same(errors([open, second]), ['sequence']);
  t.same(errors([open, first, first, second, third]), ['sequence', 'unexpected', 'unexpected']);
  t.same(errors([first]), ['unexpected']);
  t.same(errors([open, first, ...frames]), ['interrupted']);
  t.same(payloads([open, first, ...frames]), [hexOf(four)]);
  t.same(errors([open, first, second, [1.2, third[1], '03']]), ['malformed'], 'bytes are missing');
  const cm = (hex: string): TimedFrame[] => [[1, '1CECFF00', hex]];
  t.same(errors(cm('20120003ffcafe')), ['malformed'], 'seven bytes');
  t.same(errors(cm('20120004ffcafe00')), ['malformed'], 'length and number of packets disagree');
  t.same(errors(cm('20080002ffcafe00')), ['malformed'], 'fits into one frame');
  t.same(errors(cm('20fa06ffffcafe00')), ['too_long']);
  t.same(errors(cm('20ffffffffcafe00')), ['too_long']);
  t.same(errors(cm('10120003ffcafe00')), ['malformed'], 'a request to send to all');
  t.same(errors(cm('55120003ffcafe00')), ['malformed']);
  const largest = Uint8Array.from({ length: 1785 }, (_, i) => i);
  t.same(payloads(transported(0xfee3, largest, 1)), [hexOf(largest)]);
  const other = transported(0xfee3, bytesOf('000102030405060708090a'), 1.01, 'FF', '17');
  t.same(
    payloads([...frames, ...other].sort((a, b) => a[0] - b[0])).sort(),
    [hexOf(four), '000102030405060708090a'].sort(),
    'two senders at once',
  );
});

t.test('a truck: every broadcast is whole', { skip: truck === null ? corpusMissing : false }, async (t) => {
  const frames = readFileSync(truck!, 'utf8')
    .trim()
    .split('\n')
    .map((line): TimedFrame => {
      const [, tS = '', id = '', data = ''] = /^\(([\d.]+)\) \S+ ([0-9A-F]+)#([0-9A-F]*)$/.exec(line) ?? [];
      return [Number(tS), id, data];
    });
  const messages = hear(frames);
  const count = (pgn: number): number =>
    messages.filter((message) => message.pgn === pgn && message.raw.length > 0).length;
  t.same(
    [count(0xfee3), count(0xfeec), messages.filter(({ error }) => error !== undefined).length],
    [13, 3, 0],
  );
});
