/** What every log format must do as a frame source, and what damage may and may not cost. */

import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { DriveMcpError } from '../../daemon/core/errors.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { collectFrames, collectPiped, contentFile, type Frame } from './collect-frames.js';
import { type LogSample, logSamples, sampleFrames, sampleKeys } from './log-samples.js';

const key = (frame: Frame) => `${frame.id}#${frame.data}`;

for (const sample of logSamples) {
  t.test(`${sample.name} keeps the contract of a frame source`, async (t) => {
    const folder = t.testdir();
    const path = contentFile(folder, 'log.txt', sample.content);
    const whole = await collectFrames(path);
    t.same(whole.frames.map(key), sampleKeys, 'the frames');
    const startS = whole.frames[0]!.t;
    for (const [i, frame] of whole.frames.entries()) {
      t.ok(Math.abs(frame.t - startS - sampleFrames[i]!.tS) < 2e-4, 'the time');
    }
    t.equal(whole.source.hasAbsoluteTime, startS > 1e9);
    t.match(whole.source.description, /log\.txt \(.+\)/);
    t.equal(whole.source.frames, 40);
    t.equal(whole.source.damaged, 0);

    for (const batchFrames of [1, 7, 40, 41]) {
      const small = await collectFrames(path, { batchFrames });
      t.same(small.frames, whole.frames, `batches of ${batchFrames}`);
    }
    t.same((await collectPiped(sample.content, 13)).frames, whole.frames, 'from a pipe');
    t.same(
      (await collectFrames(contentFile(folder, 'log.gz', gzipSync(sample.content)))).frames,
      whole.frames,
    );

    const source = await openLog(path, { batchFrames: 10 });
    const first = await source.next();
    const second = await source.next();
    t.equal(first, second, 'the batch is reused');
    t.same([second?.count, second?.capacity], [10, 10]);
    await source.close();
    t.equal(await source.next(), null, 'closed is ended');
    await source.close();
  });
}

t.test('a pipe is answered before it ends, and closing wakes whoever waits', async (t) => {
  const pipe = new PassThrough();
  pipe.write('(1700000000.000000) can0 123#11\n(1700000000.1');
  const source = await openLog('-', { stdin: pipe });
  t.equal((await source.next())?.count, 1);
  pipe.write('00000) can0 124#22\n');
  t.equal((await source.next())?.count, 1);
  const waiting = source.next();
  await source.close();
  t.equal(await waiting, null);
});

t.test('a named pipe is read as it is written and can be given up', async (t) => {
  const pipe = join(t.testdir(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const opening = openLog(pipe);
  const writer = await open(pipe, 'w');
  await writer.write('(1700000000.000000) can0 123#11\n');
  const source = await opening;
  t.equal((await source.next())?.count, 1);
  const waiting = source.next();
  await source.close();
  t.equal(await waiting, null);
  await writer.close();
});

t.test('what cannot be opened says why', async (t) => {
  const folder = t.testdir({ empty: '' });
  await t.rejects(openLog(`${folder}/none`), { code: 'FILE_MISSING', location: { file: `${folder}/none` } });
  await t.rejects(openLog(folder), { code: 'FILE_UNREADABLE' });
  await t.rejects(openLog(`${folder}/empty`), { code: 'LOG_NO_FRAMES' });
  const broken = new PassThrough();
  broken.destroy(new Error('cable pulled'));
  await t.rejects(openLog('-', { stdin: broken }), { code: 'FILE_UNREADABLE' });
});

interface Damage {
  /** name of the sample */
  readonly name: string;
  /** place in the body, 0 … 1 */
  readonly at: number;
  readonly removed: number;
  readonly added: Uint8Array;
  readonly chunkBytes: number;
}

const damages: fc.Arbitrary<Damage> = fc.record({
  name: fc.constantFrom(...logSamples.map((sample) => sample.name)),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.oneof(fc.constant(0), fc.nat(8), fc.nat(200)),
  added: fc.oneof(
    fc.uint8Array({ maxLength: 8 }),
    fc.uint8Array({ maxLength: 300 }),
    fc.nat(120_000).map((length) => new Uint8Array(length).fill(0x37)),
  ),
  chunkBytes: fc.constantFrom(500, 100_000),
});

function sampleOf(name: string): LogSample {
  return logSamples.find((sample) => sample.name === name)!;
}

/** The change applied to the bytes from `start` to `end`; `from`, `to`: what it touches of the old content. */
function damaged(content: Buffer, damage: Damage, start: number, end: number) {
  const from = start + Math.floor(damage.at * (end - start));
  const to = Math.min(end, from + damage.removed);
  return {
    content: Buffer.concat([content.subarray(0, from), damage.added, content.subarray(to)]),
    from,
    to,
  };
}

/** The same without moving what stands behind it: addresses in binary files are fixed. */
function overwritten(content: Buffer, damage: Damage, start: number, end: number): Buffer {
  const from = start + Math.floor(damage.at * (end - start));
  const bytes = Buffer.from(content);
  bytes.set(damage.added.subarray(0, Math.min(40, end - from)), from);
  return bytes;
}

async function readOrError(content: Buffer, chunkBytes: number): Promise<readonly string[]> {
  try {
    return (await collectPiped(content, chunkBytes)).frames.map(key);
  } catch (error) {
    if (error instanceof DriveMcpError) return [];
    throw error;
  }
}

t.test('no damage anywhere throws anything but a located error', async () => {
  await fc.assert(
    fc.asyncProperty(damages, fc.boolean(), async (damage, isPacked) => {
      const { content } = sampleOf(damage.name);
      const packed = gzipSync(content);
      const bytes = isPacked
        ? overwritten(packed, damage, 0, packed.length)
        : damaged(content, damage, 0, content.length).content;
      await readOrError(bytes, damage.chunkBytes);
    }),
    { numRuns: 150 },
  );
});

t.test('cut anywhere, every line before the cut is read', async () => {
  const names = logSamples.filter((sample) => sample.isText).map((sample) => sample.name);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (name, at) => {
        const { content, bodyStart } = sampleOf(name);
        const cut = content.subarray(0, bodyStart + Math.floor(at * (content.length - bodyStart)));
        const whole = cut.subarray(bodyStart).filter((byte) => byte === 0x0a).length;
        const keys = await readOrError(cut, 100_000);
        return sampleKeys.slice(0, whole).every((expected, i) => keys[i] === expected);
      },
    ),
    { numRuns: 100 },
  );
});

t.test('damage to a text costs the lines that it hits', async () => {
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => {
      const sample = sampleOf(damage.name);
      fc.pre(sample.isText);
      const { content, from, to } = damaged(sample.content, damage, sample.bodyStart, sample.content.length);
      const found = new Set(await readOrError(content, damage.chunkBytes));
      return untouchedKeys(sample, from, to).every((expected) => found.has(expected));
    }),
    { numRuns: 200 },
  );
});

t.test('damage to a binary log costs a few frames at its place', async () => {
  await fc.assert(
    fc.asyncProperty(damages, async (damage) => {
      const sample = sampleOf(damage.name);
      fc.pre(!sample.isText);
      const bytes = overwritten(sample.content, damage, sample.bodyStart, sample.bodyEnd);
      const found = new Set(await readOrError(bytes, damage.chunkBytes));
      return sampleKeys.filter((expected) => !found.has(expected)).length <= sample.lossMax;
    }),
    { numRuns: 200 },
  );
});

/** Frames whose line, with its line end and the one before it, the change left alone. */
function untouchedKeys(sample: LogSample, from: number, to: number): string[] {
  const keys: string[] = [];
  let start = sample.bodyStart;
  for (const expected of sampleKeys) {
    const end = sample.content.indexOf(0x0a, start) + 1;
    if (to <= start - 1 || from >= end) keys.push(expected);
    start = end;
  }
  return keys;
}
