import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { FrameBatch } from '../../daemon/core/can/frame-batch.js';
import type { TickInputs } from '../../daemon/core/tick.js';
import type { Damage } from '../../daemon/record/chunk-index.js';
import { encodeBlockHead } from '../../daemon/record/container-layout.js';
import { crc32c } from '../../daemon/record/crc32c.js';
import { encodeJsonRecord, encodeRecord, type Recorded } from '../../daemon/record/recorded.js';
import type { RecordingHeader } from '../../daemon/record/recording-header.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { RecordingWriter } from '../../daemon/record/recording-writer.js';
import { smallDisk } from '../helpers/small-disk.js';

const header: RecordingHeader = {
  kind: 'run',
  productVersion: '0.1.0',
  runId: 'test',
  description: 'a test',
  preset: 'default',
  tickPeriodUs: 50_000,
  isSimulated: true,
  startWallMs: 1_700_000_000_000,
  digests: { source: 'ab' },
  context: { units: 'km/h' },
};

function inputs(tick: number): TickInputs {
  return {
    tick,
    tUs: tick * 50_000,
    wallMs: 0,
    lateUs: 0,
    missedTicks: 0,
    signals: [
      { path: 'Vehicle.Speed', value: tick === 3 ? Number.NaN : tick / 3, observedAtUs: tick, changes: 1 },
    ],
    facts: [],
    answers: [],
    sources: [],
    store: { healthy: true, durableTick: tick - 1, lagUs: 0 },
    commands: [],
    actAuthorised: false,
  };
}

const hash = new Uint8Array(32).fill(7);

async function writeRun(path: string, ticks: number, chunkBytes: number): Promise<void> {
  const writer = await RecordingWriter.open(path, header, {
    chunkBytes,
    flushMs: 0,
    sync: 'end',
    overwrite: true,
  });
  for (let tick = 0; tick < ticks; tick++) {
    writer.inputs(inputs(tick));
    writer.decision(tick, hash);
  }
  await writer.end({ ticks });
}

async function readAll(path: string): Promise<{ isTruncated: boolean; records: (Recorded | Damage)[] }> {
  const recording = await readRecording(path);
  try {
    const records: (Recorded | Damage)[] = [];
    for await (const record of recording.records()) records.push(record);
    return { isTruncated: recording.isTruncated, records };
  } finally {
    await recording.close();
  }
}

t.test('what was recorded is read, in order, with its header', async (t) => {
  const path = join(t.testdir({}), 'run.drec');
  const writer = await RecordingWriter.open(path, header, { chunkBytes: 500, flushMs: 0 });
  const batch = new FrameBatch(2, ['can0']);
  batch.count = 2;
  batch.id.set([0x123, 0x7ff]);
  batch.length.set([2, 0]);
  batch.data.set([0xca, 0xfe]);
  writer.note({ says: 'hello' });
  for (let tick = 0; tick < 20; tick++) {
    writer.inputs(inputs(tick));
    writer.decision(tick, hash);
  }
  writer.frames(batch, Float64Array.of(1000, 2000));
  writer.facts(2500, [{ kind: 'units', value: 'mph', conf: 1, provenance: 'map', observedAtUs: 2000 }]);
  await writer.end({ ticks: 20 });
  const recording = await readRecording(path);
  t.strictSame(recording.header, header);
  t.equal(recording.isTruncated, false);
  t.strictSame(recording.ticks, { first: 0, last: 19 });
  t.ok(recording.chunks.length > 3, 'several chunks');
  const records: (Recorded | Damage)[] = [];
  for await (const record of recording.records()) records.push(record);
  t.equal(records.length, 44);
  t.strictSame(records[0], { type: 'note', note: { says: 'hello' } });
  t.strictSame(records[7], { type: 'inputs', inputs: inputs(3) }, 'NaN included');
  t.strictSame(records[8], { type: 'decision', tick: 3, hash: '07'.repeat(32) });
  t.match(records[41], { type: 'frames', frames: { tUs: Float64Array.of(1000, 2000) } });
  t.strictSame(records.at(-1), { type: 'end', summary: { ticks: 20 } });
  const late: (Recorded | Damage)[] = [];
  for await (const record of recording.records({ fromTick: 12, types: ['decision'] })) late.push(record);
  t.match(late.at(-1), { type: 'decision', tick: 19 });
  t.ok(late.length < 20 && late.some((record) => record.type === 'decision' && record.tick === 12));
  await recording.close();
  await t.rejects(RecordingWriter.open(path, header), { code: 'RECORDING_FAILED' }, 'nothing is overwritten');
});

t.test('cut at every byte, the whole records before the cut are read', async (t) => {
  const dir = t.testdir({});
  const path = join(dir, 'run.drec');
  await writeRun(path, 12, 600);
  const whole = readFileSync(path);
  const { records: all } = await readAll(path);
  const texts = all.map((record) => JSON.stringify(record));
  const cutPath = join(dir, 'cut.drec');
  let before = 0;
  let refused = 0;
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(cutPath, whole.subarray(0, length));
    let read: Awaited<ReturnType<typeof readAll>>;
    try {
      read = await readAll(cutPath);
    } catch (error) {
      if ((error as { code?: string }).code !== 'RECORDING_INVALID' || before > 0) throw error;
      refused++;
      continue;
    }
    const good = read.records.filter((record) => record.type !== 'damaged');
    if (!read.isTruncated) t.fail(`cut at ${length} is not told`);
    if (good.some((record, i) => JSON.stringify(record) !== texts[i]))
      t.fail(`cut at ${length}: other records`);
    if (good.length < before) t.fail(`cut at ${length}: fewer records than with less`);
    before = good.length;
  }
  t.equal(before, all.length, 'without its trailer everything is still there');
  t.ok(refused < 500, 'only a cut head is refused');
});

t.test('a flipped bit loses at most its chunk, and is told', async (t) => {
  const dir = t.testdir({});
  const path = join(dir, 'run.drec');
  await writeRun(path, 60, 800);
  const whole = readFileSync(path);
  const { records: all } = await readAll(path);
  const texts = new Set(all.map((record) => JSON.stringify(record)));
  const { chunks, close } = await readRecording(path);
  await close();
  const flipPath = join(dir, 'flip.drec');
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: chunks[0]!.offset, max: whole.length - 1 }),
      fc.nat(7),
      async (offset, bit) => {
        const bytes = Buffer.from(whole);
        bytes[offset]! ^= 1 << bit;
        writeFileSync(flipPath, bytes);
        const { isTruncated, records } = await readAll(flipPath);
        const good = records.filter((record) => record.type !== 'damaged');
        const isTold = isTruncated || good.length < records.length || good.length === all.length;
        const mostInChunk = 12;
        return (
          isTold && good.every((r) => texts.has(JSON.stringify(r))) && good.length >= all.length - mostInChunk
        );
      },
    ),
    { numRuns: 150 },
  );
});

t.test('what is no recording is refused with a located error', async (t) => {
  const dir = t.testdir({ empty: '', text: 'hello, this is not a recording at all, sorry' });
  for (const name of ['empty', 'text']) {
    const path = join(dir, name);
    await t.rejects(readRecording(path), { code: 'RECORDING_INVALID', location: { file: path } });
  }
  await t.rejects(readRecording(join(dir, 'none')), { code: 'FILE_MISSING' });
  await t.rejects(readRecording(dir), { code: 'FILE_UNREADABLE' });
  const path = join(dir, 'newer');
  await writeRun(path, 1, 1000);
  const bytes = readFileSync(path);
  const text = Buffer.from(JSON.stringify({ format: 99, kind: 'run' }));
  const head = encodeBlockHead({
    type: 1,
    isDeflated: false,
    storedBytes: text.length,
    rawBytes: text.length,
    firstTick: -1,
    lastTick: -1,
    crc: crc32c(text),
  });
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 8), head, text]));
  await t.rejects(readRecording(path), { code: 'RECORDING_VERSION' });
});

t.test('intact bytes of the wrong shape are damage, not data', async (t) => {
  const path = join(t.testdir({}), 'forged.drec');
  await writeRun(path, 1, 1000);
  const recording = await readRecording(path);
  const start = recording.chunks[0]!.offset;
  await recording.close();
  const forged: [string, Buffer][] = [
    ['facts that are no list', encodeJsonRecord('facts', { tUs: 1, facts: 'all' })],
    ['inputs without a tick', encodeJsonRecord('inputs', { ...inputs(1), tick: '1' })],
    ['a note that is a list', encodeJsonRecord('note', [1])],
    ['frames of a bus without name', encodeRecord('frames', Buffer.alloc(20, 1))],
  ];
  for (const [what, record] of forged) {
    const head = encodeBlockHead({
      type: 2,
      isDeflated: false,
      storedBytes: record.length,
      rawBytes: record.length,
      firstTick: -1,
      lastTick: -1,
      crc: crc32c(record),
    });
    writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, start), head, record]));
    t.match((await readAll(path)).records, [{ type: 'damaged' }], what);
  }
  const bomb = deflateRawSync(Buffer.alloc(40_000_000));
  const head = {
    type: 2,
    isDeflated: true,
    storedBytes: bomb.length,
    rawBytes: 30_000_000,
    firstTick: 0,
    lastTick: 0,
  } as const;
  const block = Buffer.concat([encodeBlockHead({ ...head, crc: crc32c(bomb) }), bomb]);
  writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, start), block]));
  t.match((await readAll(path)).records, [{ type: 'damaged' }], 'a chunk that inflates beyond what it says');
});

t.test('a full buffer drops, counts and marks the gap', async (t) => {
  const path = join(t.testdir({}), 'run.drec');
  const writer = await RecordingWriter.open(path, header, { maxBufferedBytes: 4000, flushMs: 0 });
  for (let tick = 0; tick < 50; tick++) writer.inputs(inputs(tick));
  const { droppedRecords } = writer.state;
  t.ok(droppedRecords > 0 && droppedRecords < 50);
  t.ok(writer.state.bufferedBytes <= 4000);
  t.equal(await writer.flush(), true);
  writer.inputs(inputs(50));
  await writer.end({});
  const { records } = await readAll(path);
  const gap = records.find((record) => record.type === 'gap');
  t.strictSame(gap, { type: 'gap', dropped: droppedRecords, firstTick: 50 - droppedRecords, lastTick: 49 });
  t.equal(records.filter((record) => record.type === 'inputs').length, 51 - droppedRecords);
  await t.resolves(writer.drain());
});

t.test('the size limit ends the recording, not the run', async (t) => {
  const path = join(t.testdir({}), 'run.drec');
  const writer = await RecordingWriter.open(path, header, {
    maxFileBytes: 3000,
    chunkBytes: 300,
    flushMs: 0,
  });
  for (let tick = 0; tick < 200; tick++) {
    writer.inputs(inputs(tick));
    await writer.flush();
  }
  t.match(writer.state.trouble, /limit of 3000 bytes/);
  await writer.end({ done: true });
  const { isTruncated, records } = await readAll(path);
  t.equal(isTruncated, false);
  t.match(records.at(-2), { type: 'gap', lastTick: 199 });
  t.strictSame(records.at(-1), { type: 'end', summary: { done: true } });
});

t.test('a full disk delays the recording; when there is room again nothing is missing', async (t) => {
  const disk = smallDisk(t, '256k');
  if (disk === null) return;
  const path = join(disk.path, 'run.drec');
  const writer = await RecordingWriter.open(path, header, { chunkBytes: 2000, flushMs: 0 });
  disk.fill();
  for (let tick = 0; tick < 400; tick++) writer.inputs(inputs(tick));
  t.equal(await writer.flush(), false);
  t.match(writer.state.trouble, /ENOSPC/);
  disk.free();
  while (!(await writer.flush())) await new Promise((resolve) => setImmediate(resolve));
  t.equal(writer.state.trouble, null);
  await writer.end({});
  const saved = join(t.testdir({}), 'saved.drec');
  copyFileSync(path, saved);
  const { isTruncated, records } = await readAll(saved);
  t.equal(isTruncated, false);
  t.equal(records.length, 401);
});

t.test('a disk that stays full makes the end fail, with the reason', async (t) => {
  const disk = smallDisk(t, '128k');
  if (disk === null) return;
  const path = join(disk.path, 'run.drec');
  const writer = await RecordingWriter.open(path, header, { chunkBytes: 2000, flushMs: 0 });
  disk.fill();
  for (let tick = 0; tick < 400; tick++) writer.inputs(inputs(tick));
  await t.rejects(writer.end({}), { code: 'RECORDING_FAILED', message: /ENOSPC/ });
});

t.test('a recording that is removed while it is written is trouble, and never said to be kept', async (t) => {
  const path = join(t.testdir({}), 'a.drec');
  const writer = await RecordingWriter.open(path, header, { flushMs: 0 });
  writer.inputs(inputs(0));
  t.ok(await writer.flush());
  rmSync(path);
  writer.inputs(inputs(1));
  t.notOk(await writer.flush());
  t.match(writer.state.trouble, /was removed/);
  await t.rejects(writer.end({}), { code: 'RECORDING_FAILED' });
});

t.test('a recording follows no link, and neither side waits for a FIFO', async (t) => {
  const folder = t.testdir({ victim: 'precious' });
  const link = join(folder, 'link.drec');
  const fifo = join(folder, 'fifo.drec');
  symlinkSync(join(folder, 'victim'), link);
  spawnSync('mkfifo', [fifo]);
  for (const overwrite of [false, true]) {
    for (const path of [link, fifo]) {
      await t.rejects(RecordingWriter.open(path, header, { overwrite }), { code: 'RECORDING_FAILED' });
    }
  }
  t.equal(readFileSync(join(folder, 'victim'), 'utf8'), 'precious');
  await t.rejects(readRecording(fifo), { code: 'FILE_UNREADABLE' });
});
