/** The decode plan: decoding against an independent extractor, the encoder as its inverse, identifiers. */
import fc from 'fast-check';
import t from 'tap';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { decodeMessage, exactPhysical } from '../../daemon/vehicles/dbc/decode-message.js';
import {
  type DecodePlan,
  FRAME_LONG,
  FRAME_MUX_UNKNOWN,
  FRAME_SHORT,
  findSignal,
} from '../../daemon/vehicles/dbc/decode-plan.js';
import { encodeMessage, writeExact } from '../../daemon/vehicles/dbc/encode-message.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { readExact, readRaw } from '../../daemon/vehicles/dbc/read-raw.js';
import { pgnOf } from '../../daemon/vehicles/diagnostics/j1939-id.js';

function planOf(...texts: string[]): DecodePlan {
  return compilePlan(texts.map((text) => parseDbc(Buffer.from(text)).database));
}

/** Physical values of a payload by name. */
function decode(plan: DecodePlan, m: number, data: Uint8Array, length = data.length): Record<string, number> {
  const values = new Float64Array(plan.maxSignalsPerMessage);
  const present = new Uint8Array(plan.maxSignalsPerMessage).fill(1);
  decodeMessage(plan, m, data, 0, length, values, present);
  const first = plan.messageFirstSignal[m]!;
  const result: Record<string, number> = {};
  for (let s = first; s < plan.messageFirstSignal[m + 1]!; s++) {
    if (present[s - first] === 1) result[plan.signalName[s]!] = values[s - first]!;
  }
  return result;
}

interface Layout {
  start: number;
  length: number;
  isIntel: boolean;
  isSigned: boolean;
}

/** Positions of the bits of a signal, the most significant first, by the definition of the two numberings. */
function bitPositions({ start, length, isIntel }: Layout): number[] {
  if (isIntel) return Array.from({ length }, (_, i) => start + length - 1 - i);
  const positions: number[] = [];
  for (let at = start; positions.length < length; at = at % 8 === 0 ? at + 15 : at - 1) positions.push(at);
  return positions;
}

/** Bit by bit, with BigInt: slow and simple. */
function extract(layout: Layout, data: Uint8Array): bigint {
  let raw = 0n;
  for (const position of bitPositions(layout)) {
    raw = (raw << 1n) | BigInt((data[Math.floor(position / 8)]! >> (position % 8)) & 1);
  }
  return layout.isSigned ? BigInt.asIntN(layout.length, raw) : raw;
}

const bytesInFrame = 64;
const layouts = fc
  .record({
    start: fc.nat(bytesInFrame * 8 - 1),
    length: fc.integer({ min: 1, max: 64 }),
    isIntel: fc.boolean(),
    isSigned: fc.boolean(),
  })
  .filter((layout) => {
    const positions = bitPositions(layout);
    return positions.every((position) => position >= 0 && position < bytesInFrame * 8);
  });
const payloads = fc.uint8Array({ minLength: bytesInFrame, maxLength: bytesInFrame });

function signalText({ start, length, isIntel, isSigned }: Layout, name = 'S', scale = '1,0'): string {
  return ` SG_ ${name} : ${start}|${length}@${isIntel ? 1 : 0}${isSigned ? '-' : '+'} (${scale}) [0|0] "" X\n`;
}

t.test('any layout: raw values equal those of a bit-by-bit extractor', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(layouts, payloads, (layout, data) => {
        const plan = planOf(`BO_ 1 M: ${bytesInFrame} X\n${signalText(layout)}`);
        const want = extract(layout, data);
        return (
          readExact(plan, 0, data, 0) === want &&
          readRaw(plan, 0, data, 0) === Number(want) &&
          decode(plan, 0, data)['S'] === Number(want)
        );
      }),
      { numRuns: 1500 },
    ),
  );
});

t.test('any layout: encoding is the inverse, and touches no other bit', async (t) => {
  const scales = fc.constantFrom('1,0', '0.1,-273.15', '-0.5,10', '1E-007,0', '0.0009765625,-100', '150,-40');
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(layouts, payloads, payloads, scales, (layout, data, background, scale) => {
        const plan = planOf(`BO_ 1 M: ${bytesInFrame} X\n${signalText(layout, 'S', scale)}`);
        const values = new Float64Array(1);
        const present = new Uint8Array(1);
        decodeMessage(plan, 0, data, 0, data.length, values, present);
        const out = background.slice();
        const raw = extract(layout, data);
        // A float64 holds what it can: beyond ±2^52 neighbouring raw values share a physical one.
        if (raw < 2n ** 52n && raw > -(2n ** 52n)) encodeMessage(plan, 0, values, present, out, 0);
        else writeExact(plan, 0, raw, out, 0);
        const own = new Set(bitPositions(layout));
        for (let bit = 0; bit < bytesInFrame * 8; bit++) {
          const source = own.has(bit) ? data : background;
          const at = Math.floor(bit / 8);
          if (((out[at]! ^ source[at]!) >> (bit % 8)) & 1) return false;
        }
        return true;
      }),
      { numRuns: 1500 },
    ),
  );
});

t.test('floats of both widths and byte orders, non-finite too', async (t) => {
  const text = (bits: number, order: string, start: number) =>
    `BO_ 1 M: 16 X\n SG_ S : ${start}|${bits}@${order}- (1,0) [0|0] "" X\nSIG_VALTYPE_ 1 S : ${bits / 32};\n`;
  fc.assert(
    fc.property(
      fc.double(),
      fc.constantFrom(32, 64),
      fc.boolean(),
      fc.nat(40),
      (value, bits, isIntel, shift) => {
        // Also at places that are not whole bytes.
        const plan = planOf(text(bits, isIntel ? '1' : '0', isIntel ? shift : shift + 7));
        const want = bits === 32 ? Math.fround(value) : value;
        const data = new Uint8Array(16);
        const values = Float64Array.of(want);
        const present = Uint8Array.of(1);
        encodeMessage(plan, 0, values, present, data, 0);
        decodeMessage(plan, 0, data, 0, 16, values, present);
        return Object.is(values[0], want) || (want === 0 && values[0] === 0);
      },
    ),
  );
  const plan = planOf(text(32, '1', 0));
  t.same(decode(plan, 0, Uint8Array.from([0, 0, 0xc0, 0x7f, ...new Uint8Array(12)])), { S: Number.NaN });
});

t.test('values that the bits cannot hold are refused, with the signal named', async (t) => {
  const plan = planOf(
    'BO_ 1 M: 8 X\n SG_ U : 0|8@1+ (0.5,0) [0|10] "" X\n SG_ I : 8|4@1- (1,0) [0|0] "" X\n SG_ OUT : 60|8@1+ (1,0) [0|0] "" X\n',
  );
  const data = new Uint8Array(8);
  const encode = (name: string, value: number) => {
    const values = new Float64Array(3);
    const present = new Uint8Array(3);
    values[findSignal(plan, 0, name)] = value;
    present[findSignal(plan, 0, name)] = 1;
    encodeMessage(plan, 0, values, present, data, 0);
  };
  for (const value of [-0.5, 128, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.throws(() => encode('U', value), { code: 'SIGNAL_UNENCODABLE', location: { key: 'M.U' } });
  }
  for (const value of [-9, 8]) t.throws(() => encode('I', value), { code: 'SIGNAL_UNENCODABLE' });
  t.throws(() => encode('OUT', 0), { code: 'SIGNAL_UNENCODABLE' });
  t.same([...data], new Array(8).fill(0), 'nothing was written');
  encode('U', 127.5);
  encode('I', -8);
  t.same(decode(plan, 0, data), { U: 127.5, I: -8 }, 'limits of the DBC do not clamp');
});

t.test('multiplexing: nested, ranges, unknown and absent selectors', async (t) => {
  const plan = planOf(
    [
      'BO_ 1 M: 8 X',
      ' SG_ LATE m1 : 8|8@1+ (1,0) [0|0] "" X',
      ' SG_ ALL : 56|8@1+ (1,0) [0|0] "" X',
      ' SG_ SEL M : 0|4@1- (1,0) [0|0] "" X',
      ' SG_ SUB m2M : 4|4@1+ (1,0) [0|0] "" X',
      ' SG_ DEEP m3 : 16|8@1+ (1,0) [0|0] "" X',
      ' SG_ NEG m15 : 24|8@1+ (1,0) [0|0] "" X',
      'SG_MUL_VAL_ 1 DEEP SUB 3-5, 9-9;',
      'SG_MUL_VAL_ 1 SUB SEL 2-2;',
      'SG_MUL_VAL_ 1 LATE SEL 1-1, 6-7;',
    ].join('\n'),
  );
  const at = (first: number) => decode(plan, 0, Uint8Array.of(first, 10, 20, 30, 0, 0, 0, 99));
  t.same(at(0x01), { LATE: 10, ALL: 99, SEL: 1 });
  t.same(at(0x07), { LATE: 10, ALL: 99, SEL: 7 });
  t.same(at(0x42), { ALL: 99, SEL: 2, SUB: 4, DEEP: 20 });
  t.same(at(0x62), { ALL: 99, SEL: 2, SUB: 6 }, 'the inner selector has an unknown value');
  t.same(at(0x0f), { ALL: 99, SEL: -1, NEG: 30 }, 'selector bits are compared as unsigned');
  t.same(at(0x03), { ALL: 99, SEL: 3 });
  const values = new Float64Array(6);
  const present = new Uint8Array(6);
  const findings = (bytes: number[]) =>
    decodeMessage(plan, 0, Uint8Array.from(bytes), 0, bytes.length, values, present);
  t.equal(findings([1, 0, 0, 0, 0, 0, 0, 0]), 0);
  t.equal(findings([3, 0, 0, 0, 0, 0, 0, 0]), FRAME_MUX_UNKNOWN);
  t.equal(findings([0x62, 0, 0, 0, 0, 0, 0, 0]), FRAME_MUX_UNKNOWN);
  t.equal(findings([]), FRAME_SHORT, 'no selector, no unknown selector');
  t.equal(findings([1, 0, 0, 0, 0, 0, 0, 0, 0]), FRAME_LONG);

  // Every payload that decodes encodes again, from its own values alone.
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (data) => {
      decodeMessage(plan, 0, data, 0, 8, values, present);
      const out = new Uint8Array(8);
      encodeMessage(plan, 0, values, present, out, 0);
      t.same(decode(plan, 0, out), decode(plan, 0, data));
    }),
    { numRuns: 300 },
  );
  values.fill(0);
  present.fill(1);
  t.throws(() => encodeMessage(plan, 0, values, present, new Uint8Array(8), 0), {
    code: 'SIGNAL_UNENCODABLE',
  });
});

t.test('what does not fit the received bytes is absent; longer frames change nothing', async (t) => {
  const plan = planOf(
    'BO_ 1 M: 4 X\n SG_ A : 0|8@1+ (1,0) [0|0] "" X\n SG_ B : 4|16@1+ (1,0) [0|0] "" X\n SG_ C : 23|16@0+ (1,0) [0|0] "" X\n',
  );
  const data = Uint8Array.of(1, 2, 3, 4, 5, 6);
  t.same(decode(plan, 0, data, 0), {});
  t.same(decode(plan, 0, data, 1), { A: 1 });
  t.same(decode(plan, 0, data, 3), { A: 1, B: 0x3020 });
  t.same(decode(plan, 0, data, 4), { A: 1, B: 0x3020, C: 0x0304 });
  t.same(decode(plan, 0, data, 6), { A: 1, B: 0x3020, C: 0x0304 });
});

t.test('integers beyond 2^53', async (t) => {
  const plan = planOf(
    'BO_ 1 M: 8 X\n SG_ S : 0|64@1+ (1,0) [0|0] "" X\nBO_ 2 N: 8 X\n SG_ S : 0|64@1- (1,0) [0|0] "" X\nBO_ 3 O: 8 X\n SG_ S : 0|64@1+ (0.5,0) [0|0] "" X\n',
  );
  const exact = (m: number, hex: string) => {
    const data = Uint8Array.from(Buffer.from(hex, 'hex'));
    return exactPhysical(plan, plan.messageFirstSignal[m]!, decode(plan, m, data)['S']!, data, 0);
  };
  t.equal(exact(0, '0123456789abcdef'), 17279655951921914625n);
  t.equal(exact(0, '0000000000002000'), undefined, '2^53 is exact as a number');
  t.equal(exact(0, '0100000000002000'), 2n ** 53n + 1n);
  t.equal(exact(1, '000000000000e0ff'), undefined);
  t.equal(exact(1, 'ffffffffffffdfff'), -(2n ** 53n) - 1n);
  t.equal(exact(2, 'ffffffffffffffff'), undefined, 'scaled values are float64');
});

t.test('identifiers: (id, ext), J1939 parameter groups, several files', async (t) => {
  const j1939 = 'BA_DEF_ BO_ "VFrameFormat" ENUM "StandardCAN","ExtendedCAN","reserved","J1939PG";\n';
  const plan = planOf(
    [
      'BO_ 1536 STD: 8 X',
      'BO_ 2147485184 EXT: 8 X',
      'BO_ 2364540158 EEC1: 8 X',
      ' SG_ EngineSpeed : 24|16@1+ (0.125,0) [0|8031.875] "rpm" X',
      'BO_ 2364539904 EEC1_OF_ECU0: 8 X',
      `BO_ ${0x80000000 + 0x18efff03} PROPRIETARY_OF_3: 8 X`,
      `BO_ ${0x80000000 + 0x18ea00fe} REQUEST: 3 X`,
      `${j1939}BA_DEF_DEF_ "VFrameFormat" "J1939PG";`,
      'BA_ "VFrameFormat" BO_ 2147485184 1;',
    ].join('\n'),
  );
  const name = (id: number, ext = true) => plan.messageName[plan.find(id, ext)] ?? null;
  t.equal(name(0x600, false), 'STD');
  t.equal(name(0x600), 'EXT');
  t.equal(name(0x601, false), null);
  t.equal(name(0x18f00427), 'EEC1', 'priority and source differ');
  t.equal(name(0x0cf00400), 'EEC1_OF_ECU0', 'exact id');
  t.equal(name(0x18f00400), 'EEC1_OF_ECU0', 'the source address decides');
  t.equal(name(0x1cea21f9), 'REQUEST', 'PDU1: the destination is not part of the group');
  t.equal(name(0x18ef2103), 'PROPRIETARY_OF_3');
  t.equal(name(0x18ef2104), null, 'another source of a message that is tied to one');
  t.equal(name(0x18f00527), null);
  t.equal(name(0x18f00427), 'EEC1', 'the remembered answer is the same');
  t.equal(pgnOf(0x18ea21f9), 0xea00);
  t.equal(pgnOf(0x19f80003), 0x1f800, 'data page');
  const data = Uint8Array.from(Buffer.from('ffffff6813ffffff', 'hex'));
  t.same(decode(plan, plan.find(0x18f00427, true), data), { EngineSpeed: 621 });

  const two = planOf('BO_ 1 OLD: 8 X\nBO_ 2 KEPT: 8 X\n', 'BO_ 1 NEW: 8 X\n');
  t.equal(two.messageName[two.find(1, false)], 'NEW');
  t.equal(two.messageName[two.find(2, false)], 'KEPT');
  t.same(two.collisions, [{ id: 1, ext: false, kept: 'NEW', dropped: 'OLD' }]);

  // As many identifiers as a bus can bring: the memory of answers is bounded and stays right.
  fc.assert(
    fc.property(fc.array(fc.nat(0x1fffffff), { maxLength: 200 }), (ids) => {
      for (const id of [...ids, ...ids]) {
        const found = plan.find(id, true);
        if (found >= 0 && pgnOf(id) !== pgnOf(plan.messageId[found]!)) return false;
      }
      return true;
    }),
  );
});
