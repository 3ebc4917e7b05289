import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { canonicalJson } from '../../daemon/core/canonical.js';
import type { TickOutputs } from '../../daemon/core/tick.js';
import { crc32c } from '../../daemon/record/crc32c.js';
import { DecisionHasher } from '../../daemon/record/decision-hasher.js';
import { exactParse, exactStringify } from '../../daemon/record/exact-json.js';
import { framesThatFit, packFrames, unpackFrames } from '../../daemon/record/packed-frames.js';

t.test('CRC-32C gives the values of RFC 3720 appendix B.4', async (t) => {
  const ascending = Uint8Array.from({ length: 32 }, (_, i) => i);
  const readCommand = Buffer.from(
    '01c00000000000000000000000000000140000000000040000000014000000182800000000000000' + '0200000000000000',
    'hex',
  );
  const cases: [Uint8Array, string][] = [
    [new Uint8Array(32), '8a9136aa'],
    [new Uint8Array(32).fill(0xff), '62a8ab43'],
    [ascending, '46dd794e'],
    [ascending.toReversed(), '113fdb5c'],
    [readCommand, 'd9963a56'],
    [Buffer.from('123456789'), 'e3069283'],
    [new Uint8Array(0), '00000000'],
  ];
  for (const [bytes, hex] of cases) t.equal(crc32c(bytes).toString(16).padStart(8, '0'), hex);
});

t.test('CRC-32C in parts is CRC-32C of the whole', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, cut) => {
      const at = Math.min(cut, bytes.length);
      return crc32c(bytes) === crc32c(bytes.subarray(at), crc32c(bytes.subarray(0, at)));
    }),
  );
});

t.test('recorded JSON keeps every number and cannot be tricked into one', async (t) => {
  const value = { a: [Number.NaN, -0, 0, Number.POSITIVE_INFINITY], b: Number.NEGATIVE_INFINITY, c: 1e-7 };
  t.strictSame(exactParse(exactStringify(value)), value);
  t.ok(Object.is((exactParse(exactStringify(value)) as typeof value).a[1], -0));
  const key = fc.constantFrom('$f64', '$$f64', '__proto__', 'a', 'toString');
  const leaf = fc.oneof(
    fc.double(),
    fc.constantFrom(-0, Number.NaN, Number.NEGATIVE_INFINITY),
    fc.constantFrom('NaN', '-0', '\ud800', '\u2028'),
    fc.boolean(),
    fc.constant(null),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('tree')), fc.dictionary(key, tie('tree'))),
  }));
  fc.assert(fc.property(tree, (data) => isSame(exactParse(exactStringify(data)), data)));
});

/** Object.is all the way down. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const keys = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isSame(member(a, key), member(b, key)));
}

function member(value: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}

t.test('frames come back as they were packed', async (t) => {
  const frame = fc.record({
    id: fc.nat(0x1fff_ffff),
    flags: fc.nat(127),
    bus: fc.nat(2),
    dlc: fc.nat(15),
    data: fc.uint8Array({ maxLength: FRAME_STRIDE }),
    step: fc.nat(5_000_000),
  });
  fc.assert(
    fc.property(fc.array(frame, { maxLength: 50 }), fc.nat(1e12), (frames, start) => {
      const batch = new FrameBatch(Math.max(1, frames.length), ['can0', 'body "2"', '']);
      const tUs = new Float64Array(frames.length);
      let now = start;
      for (const [i, f] of frames.entries()) {
        tUs[i] = now += f.step;
        batch.id[i] = f.id;
        batch.flags[i] = f.flags;
        batch.bus[i] = f.bus;
        batch.dlc[i] = f.dlc;
        batch.length[i] = f.data.length;
        batch.data.set(f.data, i * FRAME_STRIDE);
      }
      batch.count = frames.length;
      const back = unpackFrames(packFrames(batch, tUs, 0, batch.count));
      if (back.batch.count !== frames.length) return false;
      return frames.every(
        (f, i) =>
          back.tUs[i] === tUs[i] &&
          back.batch.id[i] === f.id &&
          back.batch.flags[i] === f.flags &&
          back.batch.bus[i] === f.bus &&
          back.batch.dlc[i] === f.dlc &&
          Buffer.compare(back.batch.payload(i), f.data) === 0,
      );
    }),
  );
  const times = Float64Array.of(0, 10, 5, 6, 5e9, 5e9);
  t.equal(framesThatFit(times, 0, 6), 2, 'time goes back');
  t.equal(framesThatFit(times, 2, 6), 2, 'more than 71 minutes apart');
  t.equal(framesThatFit(times, 4, 6), 2);
});

t.test('frames that do not add up are refused, never read past their end', async () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 200 }), (bytes) => {
      try {
        unpackFrames(Buffer.from(bytes));
      } catch (error) {
        return error instanceof RangeError || error instanceof SyntaxError;
      }
      return true;
    }),
  );
});

t.test('the decision hash is SHA-256 over the hash before and the canonical outputs', async (t) => {
  const outputs = [0, 1, 2].map((tick) => ({ tick, z: 1.5, a: 'x' }) as unknown as TickOutputs);
  const hasher = new DecisionHasher();
  t.equal(hasher.hex, '0'.repeat(64));
  let expected = Buffer.alloc(32);
  for (const output of outputs) {
    expected = Buffer.from(
      createHash('sha256')
        .update(Buffer.concat([expected, Buffer.from(canonicalJson(output))]))
        .digest(),
    );
    t.same(Buffer.from(hasher.add(output)), expected);
  }
  t.equal(hasher.hex, expected.toString('hex'));
  t.throws(() => hasher.add({ tick: 3, x: Number.NaN } as unknown as TickOutputs), { code: 'INVARIANT' });
});
