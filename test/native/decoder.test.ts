/**
 * The native decoder against the one in TypeScript, with Object.is: the same plan, the same bytes, the same float64.
 * The corpus brings real DBC files; a generator brings the layouts that no real file has.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { decodeMessage } from '../../daemon/vehicles/dbc/decode-message.js';
import type { DecodePlan } from '../../daemon/vehicles/dbc/decode-plan.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { type CanRxModule, loadCanRx, type NativeDecoder, type NativePlan } from '../../native/index.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

const loaded = loadCanRx();
const skip = loaded.module === null && `native module missing: ${loaded.reason}`;
const canRx = loaded.module as CanRxModule;

/** First difference between the two decoders on one payload, or ''. */
function difference(plan: DecodePlan, native: NativeDecoder, message: number, data: Uint8Array): string {
  const size = plan.maxSignalsPerMessage;
  const [ours, theirs] = [new Float64Array(size), new Float64Array(size)];
  const [isOurs, isTheirs] = [new Uint8Array(size), new Uint8Array(size)];
  const findings = decodeMessage(plan, message, data, 0, data.length, ours, isOurs);
  const nativeFindings = native.decode(message, data, 0, data.length, theirs, isTheirs);
  if (findings !== nativeFindings) return `findings ${findings} and ${nativeFindings}`;
  const first = plan.messageFirstSignal[message]!;
  for (let s = first; s < plan.messageFirstSignal[message + 1]!; s++) {
    const k = s - first;
    if (isOurs[k] !== isTheirs[k]) return `${plan.signalName[s]} present ${isOurs[k]} and ${isTheirs[k]}`;
    if (isOurs[k] === 1 && !Object.is(ours[k], theirs[k]))
      return `${plan.signalName[s]} ${ours[k]} and ${theirs[k]}`;
  }
  return '';
}

/** xorshift32: the same payloads on every run. */
function payloads(seed: number): (length: number) => Uint8Array {
  let state = seed;
  return (length) =>
    Uint8Array.from({ length }, () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 0xff;
    });
}

function differences(plan: DecodePlan, rounds: number): string[] {
  const native = new canRx.Decoder(plan as unknown as NativePlan);
  const next = payloads(0x9e3779b9);
  const wrong: string[] = [];
  for (let m = 0; m < plan.messageCount; m++) {
    const id = plan.messageId[m]!;
    const ext = (plan.messageFlags[m]! & 1) !== 0;
    for (const probe of [id, id ^ 1, id ^ 0x100, id ^ 0x1c000000]) {
      const known = probe >>> 0 < 0x20000000 ? probe >>> 0 : id;
      if (native.find(known, ext) !== plan.find(known, ext)) wrong.push(`find ${known}`);
    }
    for (let round = 0; round < rounds; round++) {
      const length = round % 3 === 0 ? plan.messageLength[m]! : (round * 7) % 65;
      const differs = difference(plan, native, m, next(Math.min(64, length)));
      if (differs !== '') wrong.push(`${plan.messageName[m]}: ${differs}`);
    }
  }
  return wrong;
}

const corpus = corpusFile('can', 'dbc_src');
t.test(
  'every message of the public DBC files',
  { skip: skip || (corpus === null && corpusMissing) },
  async (t) => {
    let messages = 0;
    for (const folder of ['dbc_src', 'cantools_dbc_src', 'dbc']) {
      const path = corpusFile('can', folder);
      if (path === null) continue;
      for (const file of readdirSync(path).filter((name) => /\.dbc$/i.test(name))) {
        const plan = compilePlan([parseDbc(readFileSync(join(path, file))).database]);
        messages += plan.messageCount;
        t.same(differences(plan, 24).slice(0, 3), [], file);
      }
    }
    t.ok(messages > 5000, `${messages} messages`);
  },
);

t.test('arbitrary layouts', { skip }, async () => {
  const signal = fc.record({
    start: fc.nat(511),
    length: fc.integer({ min: 1, max: 64 }),
    order: fc.constantFrom(0, 1),
    sign: fc.constantFrom('+', '-'),
    scale: fc.double({ noNaN: true, noDefaultInfinity: true }),
    offset: fc.double({ noNaN: true, noDefaultInfinity: true }),
    mux: fc.constantFrom('', ' m0', ' m3'),
  });
  fc.assert(
    fc.property(
      fc.array(signal, { minLength: 1, maxLength: 20 }),
      fc.array(fc.uint8Array({ minLength: 0, maxLength: 64 }), { minLength: 1, maxLength: 10 }),
      (signals, frames) => {
        const lines = signals.map(
          (s, i) =>
            ` SG_ S${i}${s.mux} : ${s.start}|${s.length}@${s.order}${s.sign} (${s.scale},${s.offset}) [0|0] "" X`,
        );
        const text = `BO_ 291 M: 64 X\n SG_ MUX M : 0|2@1+ (1,0) [0|0] "" X\n${lines.join('\n')}\n`;
        const plan = compilePlan([parseDbc(new TextEncoder().encode(text)).database]);
        const native = new canRx.Decoder(plan as unknown as NativePlan);
        return frames.every((frame) => difference(plan, native, 0, frame) === '');
      },
    ),
    { numRuns: 300 },
  );
});

t.test('a plan that points out of bounds is refused, whatever array is wrong', { skip }, async (t) => {
  const text = 'BO_ 291 M: 8 X\n SG_ A M : 0|8@1+ (1,0) [0|0] "" X\n SG_ B m1 : 8|8@1+ (1,0) [0|0] "" X\n';
  const plan = compilePlan([parseDbc(new TextEncoder().encode(text)).database]);
  // The flags of a message serve the look-up tables and are not read by the decoder.
  const arrays = Object.entries(plan).filter(
    ([name, value]) => ArrayBuffer.isView(value) && name !== 'messageFlags',
  );
  t.equal(arrays.length, 22);
  for (const [name, value] of arrays) {
    const broken: Record<string, unknown> = { ...plan, [name]: undefined };
    t.throws(() => new canRx.Decoder(broken), TypeError, `${name} missing`);
    broken[name] = new BigInt64Array(4);
    t.throws(() => new canRx.Decoder(broken), TypeError, `${name} of another type`);
    const array = value as Uint32Array;
    if (['messageId', 'extendedId', 'extendedMessage', 'pgnKey', 'pgnMessage'].includes(name)) continue;
    broken[name] = array.slice(0, Math.max(0, array.length - 1));
    if (array.length > 0) t.throws(() => new canRx.Decoder(broken), `${name} too short`);
  }
  const out = (name: keyof DecodePlan, index: number, value: number): NativePlan => {
    const array = (plan[name] as Uint32Array).slice();
    array[index] = value;
    return { ...plan, [name]: array };
  };
  for (const wrong of [
    out('signalLastByte', 0, 64),
    out('signalBits', 0, 65),
    out('signalShift', 0, 8),
    out('messageFirstSignal', 1, 9),
    out('blockFirstSignal', 1, 9),
    out('blockSelector', 1, 7),
    out('standardMessage', 5, 1),
  ]) {
    t.throws(() => new canRx.Decoder(wrong), RangeError);
  }
  const decoder = new canRx.Decoder(plan as unknown as NativePlan);
  const values = new Float64Array(2);
  const present = new Uint8Array(2);
  t.throws(() => decoder.decode(1, new Uint8Array(8), 0, 8, values, present), RangeError, 'unknown message');
  t.throws(() => decoder.decode(0, new Uint8Array(8), 1, 8, values, present), RangeError, 'beyond the data');
  t.throws(
    () => decoder.decode(0, new Uint8Array(8), 0, 8, values.subarray(1), present),
    RangeError,
    'no room',
  );
});
