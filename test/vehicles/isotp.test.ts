/** ISO-TP as it passes by: real shapes, every kind of damage, and nothing that grows. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { DiagnosticListener } from '../../daemon/vehicles/diagnostics/diagnostic-listener.js';
import { isoTpLimits } from '../../daemon/vehicles/diagnostics/isotp-reassembly.js';
import { j1939Limits } from '../../daemon/vehicles/diagnostics/j1939-transport.js';
import { transportErrors } from '../../daemon/vehicles/diagnostics/transport-error.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { batchOf, bytesOf, hear, hexOf, segmented, type TimedFrame } from './diagnostic-frames.js';

const path = corpusFile('can', 'vectors', 'tp', 'isotp_cases.json');
const payloads = (frames: readonly TimedFrame[], pairs?: readonly string[]): string[] =>
  hear(frames, pairs)
    .filter(({ raw }) => raw.length > 0)
    .map(({ raw }) => hexOf(raw));
const errors = (frames: readonly TimedFrame[], pairs?: readonly string[]) =>
  hear(frames, pairs)
    .map(({ error }) => error)
    .filter((error) => error !== undefined);
const vin = bytesOf('490201314d3847444d3941584b50303432373838');
const vinFrames = segmented('7E8', vin, 1);

t.test('the receive cases of the corpus', { skip: path === null ? corpusMissing : false }, async (t) => {
  const corpus = JSON.parse(readFileSync(path!, 'utf8')) as {
    interleaved_two_ecus: { frames: [string, string][]; expected: Record<string, string> };
    cases: { name: string; frames: { dt: number; data: string }[]; payloads: string[]; errors: string[] }[];
  };
  for (const { name, frames, payloads: wanted, errors: wantedErrors } of corpus.cases) {
    let tS = 1000;
    const timed = frames.map(({ dt, data }): TimedFrame => {
      tS += dt;
      return [tS, '7E8', data];
    });
    t.same(payloads(timed), wanted, name);
    // What is inside the payloads of these cases is arbitrary: only errors of the transport count.
    const found = hear(timed).filter(({ raw }) => raw.length === 0);
    t.same(
      found.map(({ error }) => error),
      wantedErrors.map((error) => error.replaceAll(' ', '_')),
      name,
    );
  }
  const { frames, expected } = corpus.interleaved_two_ecus;
  const messages = hear(frames.map(([id, data], i): TimedFrame => [i / 100, id, data]));
  t.same(Object.fromEntries(messages.map(({ ecu, raw }) => [ecu, hexOf(raw)])), expected);
});

t.test('times: at the limit, beyond it, at the end, and when the clock steps back', async (t) => {
  const [first, second, third] = vinFrames as [TimedFrame, TimedFrame, TimedFrame];
  const spaced = (gapS: number, startS: number): TimedFrame[] =>
    [first, second, third].map(([, id, data], i) => [startS + i * gapS, id, data]);
  for (const startS of [0, 1.7e9]) {
    t.same(payloads(spaced(1, startS)), [hexOf(vin)], `one second apart from ${startS}`);
    t.same(errors(spaced(1.001, startS)), ['timeout', 'unexpected', 'unexpected'], 'a little later');
  }
  const [cut] = hear([first]);
  t.match(cut, { error: 'timeout', tS: 2, service: 9, incomplete: { receivedBytes: 6, announcedBytes: 20 } });
  t.equal(cut?.vin, undefined, 'no part of a VIN');
  const later = hear([first, [5, '123', '00']]);
  t.match(later, [{ error: 'timeout', tS: 2 }], 'any frame tells that time has passed');
  t.same(payloads([first, [0.5, '7E8', second[2]], [0.6, '7E8', third[2]]]), [hexOf(vin)], 'time steps back');
});

t.test('flow control belongs to the other direction', async (t) => {
  const [first, second, third] = vinFrames as [TimedFrame, TimedFrame, TimedFrame];
  const fc1: TimedFrame = [1.005, '7E0', '3000000000000000'];
  t.same(errors([first, fc1, second, third]), []);
  t.same(errors([fc1, first, second, third]), ['flow_control_ignored'], 'nothing waits yet');
  t.same(errors([first, [1.005, '7E8', '300000'], second, third]), ['flow_control_ignored'], 'own direction');
  t.same(errors([first, [1.005, '7DF', '300000'], second, third]), ['flow_control_ignored'], 'functional');
  t.same(errors([first, [1.005, '7E1', '300000'], second, third]), ['flow_control_ignored'], 'another unit');
  t.same(errors([first, [1.005, '7E0', '320000'], second]), ['too_long', 'unexpected'], 'overflow ends it');
  t.same(errors([first, [1.005, '7E0', '330000'], second, third]), ['malformed'], 'a status that is none');
  t.same(errors([first, [1.005, '7E0', '30'], second, third]), ['malformed'], 'too short');
  const waits = (n: number): TimedFrame[] =>
    Array.from({ length: n }, (_, i) => [1.5 + i * 0.5, '7E0', '310000']);
  const after = (tS: number): TimedFrame[] => [
    [tS, '7E8', second[2]],
    [tS + 0.01, '7E8', third[2]],
  ];
  t.same(errors([first, ...waits(8), ...after(5.9)]), [], 'waiting prolongs');
  const flood = errors([first, ...waits(100), ...after(52)]);
  t.ok(flood.includes('timeout'), 'but not for ever');
  const request = segmented('7E0', bytesOf('2ef1904142434445464748494a4b4c4d'), 1);
  t.same(errors([request[0]!, [1.001, '7E8', '300000'], ...request.slice(1)]), [], 'a long request');
});

t.test('addresses: 29 bits, an address byte, further pairs, several buses', async (t) => {
  const answer = bytesOf('410d32');
  for (const [id, ecu] of [
    ['18DAF110', '18DAF110'],
    ['18DAFA0B', '18DAFA0B'],
    ['7BB', '7BB'],
    ['17FE007B', '17FE007B'],
  ] as const) {
    t.match(hear(segmented(id, answer, 1)), [{ ecu, service: 1, values: { VSS: { value: 50 } } }], id);
  }
  t.match(hear(segmented('18DA10F1', bytesOf('010d'), 1)), [{ ecu: '18DAF110', isRequest: true, pid: 13 }]);
  t.match(hear(segmented('18DB33F1', bytesOf('010d'), 1)), [{ ecu: null, isRequest: true }]);
  t.same(hear(segmented('18DA1020', answer, 1)), [], 'two units among themselves are no diagnostics');
  t.match(hear(segmented('00000180', answer, 1), ['180:181']), [], '29-bit 180 is not 11-bit 180');
  t.match(hear(segmented('181', answer, 1), ['180:181']), [{ ecu: '181' }]);
  const extended: TimedFrame[] = [
    [1, '612', 'f103410d32'],
    [1, '612', 'f203410d33'],
    [1.1, '612', 'f110144902015756'],
    [1.2, '6F1', '1230000000'],
    ...[0x21, 0x22, 0x23].map(
      (pci, i): TimedFrame => [
        1.3 + i / 10,
        '612',
        Uint8Array.of(0xf1, pci, ...Buffer.from('WZZZ1JZ3W386750'.slice(i * 6, i * 6 + 6))),
      ],
    ),
  ];
  const heard = hear(extended, ['6F1/12:612/F1']);
  t.match(heard[0], { ecu: '612/F1', values: { VSS: { value: 50 } } });
  t.equal(heard[1]?.vin, 'WVWZZZ1JZ3W386750');
  t.equal(heard.length, 2, 'another address byte is another conversation');
  const twoBuses = vinFrames.flatMap(([tS, id, data], i): TimedFrame[] => [
    [tS, id, data, 0],
    [tS + 0.001, id, i === 1 ? '2f00' : data, 1],
  ]);
  t.match(
    hear(twoBuses).map(({ bus, error, vin: found }) => ({ bus, error, found })),
    [{ bus: 'can1', error: 'sequence' }, { bus: 'can0', found: '1M8GDM9AXKP042788' }, { bus: 'can1' }],
  );
  for (const bad of ['7E0', '7E0:', 'G:7E8', '800:7E8', '7E0:7E0', '7E0:20000000', '7E0/1:7E8', '']) {
    t.throws(() => hear([], [bad]), { code: 'USAGE' }, JSON.stringify(bad));
  }
});

t.test('CAN FD lengths', async (t) => {
  const letters = Uint8Array.from({ length: 200 }, (_, i) => i);
  const frame = (head: number[], from: number, bytes: number): Uint8Array =>
    Uint8Array.of(...head, ...letters.subarray(from, from + bytes));
  t.same(payloads([[1, '7E8', frame([0x00, 62], 0, 62)]]), [hexOf(letters.subarray(0, 62))]);
  t.same(errors([[1, '7E8', frame([0x00, 63], 0, 62)]]), ['malformed'], 'longer than the frame');
  t.same(errors([[1, '7E8', frame([0x00, 7], 0, 62)]]), ['malformed'], 'a short one needs no second byte');
  t.same(errors([[1, '7E8', frame([0x05], 0, 63)]]), ['malformed'], 'a classic length in a long frame');
  t.same(
    payloads([
      [1, '7E8', frame([0x10, 200], 0, 62)],
      [1.1, '7E8', frame([0x21], 62, 63)],
      [1.2, '7E8', frame([0x22], 125, 63)],
      [1.3, '7E8', frame([0x23], 188, 12)],
    ]),
    [hexOf(letters)],
  );
  t.same(
    errors([
      [1, '7E8', frame([0x10, 200], 0, 62)],
      [1.1, '7E8', frame([0x21], 62, 31)],
    ]),
    ['malformed'],
    'only the last may be shorter',
  );
  const announced = (bytes: number): TimedFrame[] => {
    const head = new Uint8Array(8);
    new DataView(head.buffer).setUint32(2, bytes);
    head[0] = 0x10;
    return [[1, '7E8', head]];
  };
  for (const [bytes, error] of [
    [4095, 'malformed'],
    [4096, 'timeout'],
    [isoTpLimits.messageBytes, 'timeout'],
    [isoTpLimits.messageBytes + 1, 'too_long'],
    [0xffffffff, 'too_long'],
  ] as const) {
    t.same(errors(announced(bytes)), [error], String(bytes));
  }
});

t.test('every message of any length comes back whole, among others and after damage', async (t) => {
  const ids = ['7E8', '7E9', '7EC', '18DAF110', '18DAF118'];
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...ids), fc.uint8Array({ minLength: 1, maxLength: 300 })), {
        minLength: 1,
        maxLength: 8,
      }),
      fc.infiniteStream(fc.nat()),
      (messages, choice) => {
        // Conversations of one identifier follow each other, those of several mix at random.
        const queues = ids.map((id) =>
          messages.filter(([own]) => own === id).flatMap(([, bytes]) => segmented(id, bytes, 1, 0)),
        );
        const mixed: TimedFrame[] = [];
        for (let left = queues.flat().length; left > 0; left--) {
          const open = queues.filter((queue) => queue.length > 0);
          mixed.push(open[choice.next().value % open.length]!.shift()!);
        }
        for (const id of ids) {
          const wanted = messages.filter(([own]) => own === id).map(([, bytes]) => hexOf(bytes));
          const found = hear(mixed).filter(({ ecu, raw }) => ecu === id && raw.length > 0);
          t.same(
            found.map(({ raw }) => hexOf(raw)),
            wanted,
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});

t.test('a lost, doubled or swapped frame never gives a wrong message', async (t) => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 20, maxLength: 120 }),
      fc.constantFrom('lost', 'doubled', 'swapped'),
      fc.nat(),
      (payload, damage, seed) => {
        const frames = segmented('7E8', payload, 1, 0.001);
        const at = 1 + (seed % (frames.length - 2));
        if (damage === 'lost') frames.splice(at, 1);
        else if (damage === 'doubled') frames.splice(at, 0, frames[at]!);
        else [frames[at], frames[at + 1]] = [frames[at + 1]!, frames[at]!];
        t.same(payloads(frames), []);
        t.ok(errors(frames).includes('sequence'));
      },
    ),
    { numRuns: 200 },
  );
});

t.test('random frames never throw, and what is held stays within its bounds', async (t) => {
  const anyId = fc.oneof(
    fc.integer({ min: 0x7b0, max: 0x7ef }).map((id) => id.toString(16).padStart(3, '0')),
    fc.integer({ min: 0, max: 255 }).map((ecu) => `18DAF1${ecu.toString(16).padStart(2, '0')}`),
    fc.integer({ min: 0, max: 255 }).map((ecu) => `18DA${ecu.toString(16).padStart(2, '0')}F1`),
    fc
      .constantFrom('18EC', '18EB')
      .chain((pf) =>
        fc.integer({ min: 0, max: 0xffff }).map((addresses) => pf + addresses.toString(16).padStart(4, '0')),
      ),
    fc.constantFrom('18FECA00', '18FECB17', '17FC0076', '17FE0076', '18DB33F1', '00000000', '1FFFFFFF'),
  );
  const anyFrame = fc.tuple(
    fc.double({ min: 0, max: 20, noNaN: true }),
    anyId,
    fc.oneof(
      fc.uint8Array({ maxLength: 8 }),
      fc.uint8Array({ maxLength: 64 }),
      fc
        .tuple(
          fc.constantFrom(0x0f, 0x10, 0x1f, 0x20, 0x21, 0x30, 0x31, 0x32),
          fc.uint8Array({ minLength: 7, maxLength: 7 }),
        )
        .map(([first, rest]) => Uint8Array.of(first, ...rest)),
    ),
    fc.integer({ min: 0, max: 2 }),
  );
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 120 }), (frames) => {
      for (const { error, raw, vin: found } of hear(frames as TimedFrame[])) {
        if (error !== undefined && !transportErrors.includes(error)) t.fail(error);
        if (typeof found === 'string' && raw.length < 17) t.fail('a partial VIN');
      }
    }),
    { numRuns: 400 },
  );
  let heard = 0;
  const listener = new DiagnosticListener([], () => heard++);
  for (let round = 0; round < 40; round++) {
    const flood = Array.from({ length: 2048 }, (_, i): TimedFrame => {
      const n = (round * 2048 + i) % 65_536;
      const isFirst = i % 2 === 0;
      const id = isFirst
        ? `18DAF${(n >> 8).toString(16).slice(-1)}${(n & 255).toString(16).padStart(2, '0')}`
        : `1CEC${n.toString(16).padStart(4, '0')}`;
      return [1, id, isFirst ? '1fff490201314d38' : '10f906ffffeefe00', round % 3];
    });
    listener.consume(batchOf(flood));
    const { isoTpBytes, isoTpMessages, j1939Sessions, streams } = listener.held;
    t.ok(isoTpBytes <= isoTpLimits.totalBytes && isoTpMessages <= isoTpLimits.openMessages, `${isoTpBytes}`);
    t.ok(j1939Sessions <= j1939Limits.sessions && streams <= 4096);
  }
  t.ok(listener.counters.isotp_evicted > 0 && listener.counters.j1939_evicted > 0, 'counted');
  t.ok(heard > 0);
});
