/** Frames that lie, from end to end: not believed, counted, on record, and what is decided is honest about it. */
import { closeSync, copyFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { kernelClockBaseUs, systemClock } from '../../daemon/runtime/clock.js';
import { CanInterface } from '../../daemon/sources/can/can-interface.js';
import { DecodedFrames } from '../../daemon/sources/can/decoded-frames.js';
import { FrameRing } from '../../daemon/sources/can/frame-ring.js';
import { InterfaceDrive } from '../../daemon/sources/can/interface-drive.js';
import { LinkWatch } from '../../daemon/sources/can/link-watch.js';
import { NativePort } from '../../daemon/sources/can/native-port.js';
import { NativeProfile } from '../../daemon/sources/can/native-profile.js';
import { type CanRxModule, type HostModule, loadCanRx, loadHost } from '../../native/index.js';
import { drivemcp } from '../helpers/command.js';
import { fixture } from '../helpers/paths.js';
import { candumpOf, type TestFrame } from '../vehicles/frames-of.js';
import { espState, profileOf, protectedSpeed } from '../vehicles/test-car.js';
import { summaryOf } from './tiny-drive.js';

const periodUs = 20_000;
const raw50 = 5000; // 50 km/h

/** Ten seconds of a steady car whose frames are wrong in one way from second 3 to second 5. */
function drive(wrong: (good: TestFrame, counter: number) => TestFrame): TestFrame[] {
  return Array.from({ length: 500 }, (_, i) => {
    const good = espState(raw50, i, 0, i * periodUs);
    return i >= 150 && i < 250 ? wrong(good, i) : good;
  });
}

const lies: readonly [string, string, string, (good: TestFrame, counter: number) => TestFrame][] = [
  [
    'wrong checksums',
    'checksum',
    'can:ESP_STATE',
    (good) => ({ ...good, data: [...good.data.slice(0, 7), good.data[7]! ^ 0x55] }),
  ],
  ['a frozen counter', 'counter', 'can:ESP_STATE', (_, i) => espState(raw50, 149, 0, i * periodUs)],
  ['frames cut short', 'too_short', 'can:ESP_STATE', (good) => ({ ...good, data: good.data.slice(0, 3) })],
  [
    'a jump from 50 to 288 km/h',
    'too_fast',
    'can:ESP_STATE.VEH_SPEED',
    (_, i) => espState(28_800, i, 0, i * periodUs),
  ],
];

for (const [what, counter, source, wrong] of lies) {
  t.test(`a log with ${what}`, async (t) => {
    const folder = t.testdir({ 'drive.log': candumpOf(drive(wrong)) });
    copyFileSync(fixture('vehicles', 'test-car.dbc'), join(folder, 'test-car.dbc'));
    writeFileSync(
      join(folder, 'profile.json'),
      JSON.stringify({
        profile: 1,
        name: 'test',
        dbc: [{ file: 'test-car.dbc' }],
        signals: protectedSpeed,
      }),
    );
    const state = ['--state', join(folder, 'state')];
    const run = await drivemcp([
      'run',
      '--source',
      join(folder, 'drive.log'),
      '--profile',
      folder,
      '--record-frames',
      ...state,
      '--json',
    ]);
    t.equal(run.code, 0, run.stderr);
    const summary = summaryOf(run);
    const { decode } = summary as unknown as { decode: Record<string, number> };
    t.equal(decode[counter], 100, 'each of them was counted');
    t.equal(decode['faults'], 1, 'and told once');
    t.ok((summary.modes['MONITOR'] ?? 0) > 0, 'no decision rests on a speed that is not believed');
    const exported = await drivemcp(['audit', 'export', ...state]);
    const changes = exported.stdout
      .split('\n')
      .filter((line) => line.includes('"source_change"') && line.includes(`"name":"${source}"`));
    t.equal(changes.length, 2, 'its beginning and its end are on record');
    const replayed = await drivemcp(['replay', ...state, '--frames', '--json']);
    t.equal(replayed.code, 0, `what was not believed is not believed again: ${replayed.stderr}`);
  });
}

const canRx = loadCanRx();
const host = loadHost();
const skip =
  (canRx.module === null && `native module missing: ${canRx.reason}`) ||
  (host.module === null && `native module missing: ${host.reason}`);

const errorFlag = 0x20000000;
const wire = (id: number, data: readonly number[], isFd = false): Buffer => {
  const bytes = Buffer.alloc(isFd ? 72 : 16);
  bytes.writeUInt32LE(id >>> 0, 0);
  bytes[4] = data.length;
  bytes.set(data, 8);
  return bytes;
};

t.test('a bus that misbehaves: everything is counted and bounded', { skip }, async (t) => {
  const { socketPair, closeDescriptor } = host.module as HostModule;
  const [ours, theirs] = socketPair();
  const ring = new FrameRing(65_536);
  const profile = new NativeProfile(canRx.module as CanRxModule, profileOf(protectedSpeed), ring);
  const { decoder } = profile;
  const port = new NativePort(canRx.module as CanRxModule, 'stand-in', {
    fd: theirs,
    decodeInto: { table: profile.table, bus: 0 },
  });
  closeDescriptor(theirs);
  const can = new CanInterface(port, 0);
  const news: string[] = [];
  let lost = 0;
  const source = new InterfaceDrive({
    interfaces: [can],
    links: new LinkWatch(host.module as HostModule),
    profile,
    decoded: new DecodedFrames({
      profile,
      ring,
      keeper: { keep: () => {}, lost: () => lost++ },
      names: ['stand-in'],
      clockBaseUs: kernelClockBaseUs(),
    }),
    clock: systemClock,
    requiresListenOnly: false,
    transmitAttempts: null,
    clockOffsetUs: () => Date.now() * 1000 - systemClock.monoUs(),
    onNews: ({ to }) => news.push(to),
  });
  t.teardown(async () => {
    closeSync(ours);
    await source.close();
  });
  source.start(systemClock.monoUs());
  can.onLink({ kind: 'link', index: 1, name: 'stand-in', isUp: true, family: 'can', controller: null }, 0);

  let tick = 0;
  let sent = 0;
  const send = async (count: number, frame: (i: number) => Buffer): Promise<void> => {
    for (let i = 0; i < count; ) {
      try {
        writeSync(ours, frame(i));
        i++;
        sent++;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    while (source.frameCount < sent) {
      await source.advance(++tick * 50_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  await t.test('a babbling node', async (t) => {
    await send(20_000, (i) => wire(0x001, [i & 255]));
    t.equal(decoder.unmapped, 20_000);
    t.same(source.drainSignals(), []);
    t.same(profile.states(), [], 'a message that nobody reads is no fault of one that is read');
  });

  await t.test('a storm of error frames', async (t) => {
    await send(5000, (i) => wire(errorFlag | 0x004, [0, i % 2 === 0 ? 0x10 : 0x04, 0, 0, 0, 0, 0, 0]));
    t.equal(port.counters().errorFrames, 5000);
    t.equal(decoder.ignoredError, 5000);
    t.match(source.states(), [{ name: 'stand-in', state: 'stale' }]);
    t.ok(news.includes('error_passive'));
    news.length = 0;
    await send(1, () => wire(errorFlag | 0x040, [0, 0, 0, 0, 0, 0, 0, 0]));
    t.match(source.states(), [{ state: 'lost', detail: 'bus_off', required: true }]);
    await send(1, () => wire(0x001, [1]));
    t.match(source.states(), [{ state: 'fresh' }], 'whoever receives is not bus-off');
  });

  await t.test('CAN FD frames on a classic bus', async (t) => {
    await send(100, () => wire(0x100, [...espState(raw50, 0).data, 0, 0, 0, 0], true));
    t.equal(decoder.ignoredFd, 100);
    t.same(source.drainSignals(), []);
  });

  await t.test('datagrams that are no frames', async (t) => {
    const before = port.counters().malformed;
    for (const length of [1, 5, 15, 17, 71, 73, 100]) writeSync(ours, Buffer.alloc(length, 0xff));
    writeSync(ours, wire(0x100, [1, 2]).fill(200, 4, 5));
    await send(1, () => wire(0x001, []));
    t.equal(port.counters().malformed - before, 8);
  });

  await t.test('a frozen counter, live', async (t) => {
    await send(200, () => wire(0x100, espState(raw50, 3).data));
    t.equal(profile.counts()['counter'], 199);
    t.match(profile.states(), [{ name: 'ESP_STATE', detail: 'counter' }]);
    t.ok(
      source.drainSignals().every(({ value }) => value === null),
      'what it says is not believed',
    );
    await send(1, () => wire(0x100, espState(raw50, 4).data));
    t.same(profile.states(), []);
    t.ok(source.drainSignals().some(({ value }) => value !== null));
  });

  t.equal(port.counters().ringDrops, 0);
  t.equal(lost, 0);
  t.equal(source.frameCount, sent);
});
