import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import t, { type Test } from 'tap';
import type { SignalSample } from '../../daemon/core/tick.js';
import type { FactInput } from '../../daemon/core/world/facts.js';
import type { Clock, DriveSource, FrameSource, VehicleProfile } from '../../daemon/ports.js';
import { readRecording } from '../../daemon/record/recording-reader.js';
import { RecordingWriter } from '../../daemon/record/recording-writer.js';
import { ContainerDrive } from '../../daemon/sources/drive/container-drive.js';
import { LiveDrive } from '../../daemon/sources/drive/live-drive.js';
import { driveOf, isLiveTime, openInput } from '../../daemon/sources/drive/open-drive.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { loadProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { tinyFiles, tinyFrame, tinyLog } from './tiny-drive.js';

const periodUs = 50_000;
const startS = 1_700_000_000;

async function tinyProfileIn(folder: string): Promise<VehicleProfile> {
  return (await loadProfile({ profile: folder, dbcFiles: [] })).profile;
}

function borderFact(value: string, observedAtUs: number): FactInput {
  return { kind: 'jurisdiction', value, conf: 1, provenance: 'map', observedAtUs };
}

/** The frames of a log as a recorded drive; facts arrive at 120 ms and 2.51 s. */
async function recorded(logPath: string, path: string): Promise<void> {
  const writer = await RecordingWriter.open(path, {
    kind: 'drive',
    productVersion: '0',
    runId: 'r',
    description: 'recorded',
    preset: null,
    tickPeriodUs: null,
    isSimulated: true,
    startWallMs: startS * 1000,
    digests: {},
  });
  const log = await openLog(logPath);
  for (let batch = await log.next(); batch; batch = await log.next()) {
    writer.frames(
      batch,
      Float64Array.from(batch.tS, (tS) => Math.round((tS - startS) * 1e6)),
    );
  }
  await log.close();
  // Written behind all frames: a reader must not rely on the order of frames and facts in the file.
  writer.facts(120_000, [borderFact('DEU', 90_000)]);
  writer.facts(2_510_000, [borderFact('GBR', 2_480_000)]);
  await writer.end({});
}

interface Played {
  readonly ticks: SignalSample[][];
  readonly facts: { tick: number; value: unknown }[];
}

/** What every source of a drive promises, and what came out of it tick by tick. */
async function play(t: Test, source: DriveSource): Promise<Played> {
  const ticks: SignalSample[][] = [];
  const facts: { tick: number; value: unknown }[] = [];
  t.equal(await source.advance(-1), true, 'reads ahead');
  t.same(source.drainSignals(), [], 'and delivers nothing from the future');
  for (let tick = 0; await source.advance(tick * periodUs); tick++) {
    const signals = source.drainSignals();
    t.ok(signals.every((sample) => sample.observedAtUs <= tick * periodUs && sample.observedAtUs >= 0));
    t.same(source.drainSignals(), [], 'drained is drained');
    for (const one of source.drainFacts()) facts.push({ tick, value: one.value });
    ticks.push(signals);
    if (tick > 500) throw new Error('the drive does not end');
  }
  t.equal(await source.advance(1e12), false, 'over is over');
  await source.close();
  await source.close();
  return { ticks, facts };
}

t.test('a log and the same frames as a recorded drive say the same, tick by tick', async (t) => {
  const folder = t.testdir(tinyFiles({ seconds: 4, startS, kmh: (s) => 30 + 10 * s }));
  const at = (name: string) => join(folder, name);
  await recorded(at('drive.log'), at('drive.drec'));
  const log = driveOf(await openInput(at('drive.log')), await tinyProfileIn(folder));
  const drive = driveOf(await openInput(at('drive.drec')), await tinyProfileIn(folder));
  t.equal(drive.isSimulated, true);
  t.equal(log.isSimulated, false);
  const [a, b] = [await play(t, log), await play(t, drive)];
  t.equal(log.startWallMs, startS * 1000);
  t.equal(drive.startWallMs, startS * 1000);
  t.equal(a.ticks.length, 81);
  t.same(a.ticks, b.ticks);
  t.same(b.facts, [
    { tick: 3, value: 'DEU' },
    { tick: 51, value: 'GBR' },
  ]);
  t.match(
    a.ticks[1]?.find((sample) => sample.path === 'Vehicle.Speed'),
    { value: 30.4 / 3.6, observedAtUs: 40_000 },
  );
});

t.test('a container cut in the middle still gives its beginning', async (t) => {
  const folder = t.testdir(tinyFiles({ seconds: 4, startS }));
  const path = join(folder, 'drive.drec');
  await recorded(join(folder, 'drive.log'), path);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length - 100));
  const recording = await readRecording(path);
  t.equal(recording.isTruncated, true);
  const drive = new ContainerDrive(recording, await tinyProfileIn(folder), 'x');
  let ticks = 0;
  while (ticks < 500 && (await drive.advance(ticks * periodUs))) ticks++;
  t.ok(ticks <= 81);
  await drive.close();
});

t.test('a live input: frames when they come, on the clock of the ticks', async (t) => {
  const folder = t.testdir(tinyFiles());
  let nowUs = 5_000_000;
  const clock: Clock = { monoUs: () => nowUs, wallMs: () => startS * 1000, sleepUntilUs: async () => {} };
  const pipe = new Readable({ read() {} });
  pipe.push(tinyFrame(startS + 0.01, 36));
  const frames: FrameSource = await openLog('-', { stdin: pipe });
  t.ok(isLiveTime(frames, startS, startS * 1000 + 9000));
  t.notOk(isLiveTime(frames, startS, startS * 1000 + 11_000), 'a recorded log in a pipe is older');
  const live = new LiveDrive(frames, await tinyProfileIn(folder), clock);
  nowUs += 30_000;
  live.start(5_000_000);
  const arrived = async (count: number) => {
    while (live.frameCount < count) await new Promise((resolve) => setImmediate(resolve));
  };
  await arrived(1);
  t.equal(await live.advance(50_000), true);
  t.match(live.drainSignals(), [{ value: 0 }, { value: 10 }]);
  t.equal(await live.advance(100_000), true, 'nothing came, and the tick does not wait');
  t.same(live.drainSignals(), []);
  nowUs += 70_000;
  pipe.push(tinyFrame(startS + 3600, 36.2));
  pipe.push(null);
  await arrived(2);
  t.equal(await live.advance(150_000), true);
  const [, speed] = live.drainSignals();
  t.ok((speed?.observedAtUs ?? 1e12) <= 100_000, 'no frame is newer than the moment it is read');
  while (await live.advance(200_000)) await new Promise((resolve) => setImmediate(resolve));
  t.pass('the end of the pipe is the end of the drive');
  await live.close();
});

/** A recorded drive of facts alone. */
async function factsDrive(path: string, records: readonly (readonly [number, readonly unknown[]])[]) {
  const writer = await RecordingWriter.open(path, {
    kind: 'drive',
    productVersion: '0',
    runId: 'r',
    description: 'facts',
    preset: null,
    tickPeriodUs: null,
    isSimulated: true,
    startWallMs: startS * 1000,
    digests: {},
  });
  for (const [tUs, facts] of records) writer.facts(tUs, facts as readonly FactInput[]);
  await writer.end({});
}

t.test('a recorded drive whose time jumps ends, and says what was left out', async (t) => {
  const folder = t.testdir(tinyFiles({ seconds: 1 }));
  const path = join(folder, 'jump.drec');
  const yearUs = 86_400e6 * 365;
  await factsDrive(path, [
    [0, [borderFact('DEU', 0)]],
    [yearUs, [borderFact('GBR', yearUs - 30_000)]],
  ]);
  const drive = new ContainerDrive(await readRecording(path), await tinyProfileIn(folder), 'x');
  const arrived: [number, unknown, number][] = [];
  let tick = 0;
  for (; tick < 3000 && (await drive.advance(tick * periodUs)); tick++) {
    for (const fact of drive.drainFacts()) arrived.push([tick * periodUs, fact.value, fact.observedAtUs]);
  }
  t.same(
    arrived,
    [
      [0, 'DEU', 0],
      [60_000_000, 'GBR', 59_970_000],
    ],
    'a year is a minute, and a fact keeps its age',
  );
  t.equal(drive.silence.gapsShortened, 1);
  t.equal(tick, 1201);
  await drive.close();

  const many = join(folder, 'many.drec');
  const hours = Array.from({ length: 500 }, (_, i) => [i * 3600e6, [borderFact('DEU', i * 3600e6)]] as const);
  await factsDrive(many, hours);
  const torn = new ContainerDrive(await readRecording(many), await tinyProfileIn(folder), 'x');
  let facts = 0;
  for (tick = 0; tick < 50_000 && (await torn.advance(tick * periodUs)); tick++)
    facts += torn.drainFacts().length;
  t.equal(facts, 500, 'nothing is lost');
  t.equal(tick, 30 * 1200 + 469 + 1, 'half an hour of silence, then one tick each');
  t.same([torn.silence.gapsShortened, torn.silence.gapsSqueezed], [499, 469]);
  await torn.close();
});

t.test('records that no drive can hold are refused before the core sees them', async (t) => {
  const folder = t.testdir(tinyFiles({ seconds: 1 }));
  const good = borderFact('DEU', 0);
  const cases: [string, readonly (readonly [number, readonly unknown[]])[]][] = [
    ['facts.tUs', [[Number.NaN, [good]]]],
    ['facts.tUs', [[1e300, [good]]]],
    ['facts.tUs', [[-1e15, [good]]]],
    ['facts[1]', [[0, [good, null]]]],
    ['facts[0]', [[0, ['x']]]],
    ['facts[0].kind', [[0, [{}]]]],
    ['facts[0].observedAtUs', [[0, [{ ...good, observedAtUs: Number.POSITIVE_INFINITY }]]]],
    ['facts', [[0, Array(100_001).fill(good)]]],
  ];
  for (const [i, [key, records]] of cases.entries()) {
    const path = join(folder, `${i}.drec`);
    await factsDrive(path, records);
    const drive = new ContainerDrive(await readRecording(path), await tinyProfileIn(folder), 'x');
    await t.rejects(drive.advance(0), { code: 'RECORDING_INVALID', location: { file: path, key } });
    await drive.close();
  }
  const path = join(folder, 'crowd.drec');
  await factsDrive(path, [[0, Array(100_000).fill(good)]]);
  const drive = new ContainerDrive(await readRecording(path), await tinyProfileIn(folder), 'x');
  await drive.advance(0);
  t.equal(drive.drainFacts().length, 100_000, 'many at once are no overflow of the stack');
  await drive.close();
});

t.test('inputs that are no drive', async (t) => {
  const folder = t.testdir({ 'a.log': tinyLog({ seconds: 1 }), 'short.drec': '\u0089DM' });
  await t.rejects(openInput(join(folder, 'none')), { code: 'FILE_MISSING' });
  await t.rejects(openInput(join(folder, 'short.drec')), { code: 'LOG_FORMAT_UNKNOWN' });
  writeFileSync(join(folder, 'head.drec'), Buffer.from([0x89, 0x44, 0x4d, 0x52, 1, 2, 3]));
  await t.rejects(openInput(join(folder, 'head.drec')), { code: 'RECORDING_INVALID' });
});
