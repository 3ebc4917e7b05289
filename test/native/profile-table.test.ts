/**
 * The profile that the native module executes against the one in TypeScript: the same frames, whatever they are, must
 * give the same samples, states, faults and counts, by Object.is, at every look.
 */
import fc from 'fast-check';
import t from 'tap';
import { FRAME_FD, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { NativeProfile } from '../../daemon/sources/can/native-profile.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { readDbcFile } from '../../daemon/vehicles/profile/dbc-set.js';
import { loadProfile, useProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { parseProfile } from '../../daemon/vehicles/profile/parse-profile.js';
import type { ProfileDecoder } from '../../daemon/vehicles/profile/profile-decoder.js';
import { checksumKinds, type ProfileSignal } from '../../daemon/vehicles/profile/profile-schema.js';
import { receptionPlan } from '../../daemon/vehicles/profile/reception-plan.js';
import type { NativePlan } from '../../native/index.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';
import { framesOf, type TestFrame } from '../vehicles/frames-of.js';
import { espState, profileOf, protectedSpeed } from '../vehicles/test-car.js';
import { assertVehicleProfile } from '../vehicles/vehicle-profile-conformance.js';
import { hostileCar, sequence } from './hostile-frames.js';
import { canRx, host, skip } from './native-modules.js';
import { ProfilePair } from './profile-pair.js';

for (const kind of checksumKinds) {
  t.test(`hostile sequences, ${kind}`, { skip }, async () => {
    fc.assert(
      fc.property(sequence, (steps) => {
        const pair = new ProfilePair(canRx, profileOf(hostileCar(kind)), profileOf(hostileCar(kind)));
        let tUs = 1_000_000;
        for (const step of steps) {
          tUs += step.stepUs;
          const damaged = step.harm(step.frame);
          const { batch, tUs: times } = framesOf(
            Array.from({ length: step.again + 1 }, (_, i) => ({ ...damaged, tUs: tUs + i * 20_000 })),
          );
          pair.consume(batch, 0, batch.count, times);
          if (step.looks > 6) continue;
          const found = pair.look(step.looks === 0 ? tUs - 10_000 : undefined);
          if (found !== '') throw new Error(found);
        }
        const found = pair.look();
        if (found !== '') throw new Error(found);
      }),
      { numRuns: 150 },
    );
  });
}

t.test('both sides of every limit', { skip }, async (t) => {
  const scaled = (raw: number): number => (raw - 40) * 1.1 - 0.3;
  const make = () =>
    profileOf({
      ...protectedSpeed,
      'Motor_1.Oeltemperatur': {
        vss: 'Vehicle.Powertrain.CombustionEngine.EngineOil.Temperature',
        scale: 1.1,
        offset: -0.3,
        min: scaled(20),
        max: scaled(150),
      },
    });
  const oil = (raw: number): TestFrame => ({ id: 512, data: [0, 0, 0, raw, 0, 0, 0, 0] });
  /** Frames at a steady pace, with the value of the counter as given: 15 is none of its 15 values. */
  const speeds = (raws: readonly number[], stepUs = 20_000, counters?: readonly number[]): TestFrame[] =>
    raws.map((raw, i) => withCounter(espState(raw, i, 0, 5_000_000 + i * stepUs), counters?.[i] ?? i % 15));
  const steady = (count: number): number[] => Array<number>(count).fill(5000);
  const jumps = (count: number) => [...steady(3), ...Array<number>(count).fill(28_000), ...steady(3)];
  const cases: Record<string, TestFrame[]> = {
    range: [19, 20, 21, 149, 150, 151].map(oil),
    'four jumps': speeds(jumps(4)),
    'five jumps': speeds(jumps(5)),
    'six jumps': speeds(jumps(6)),
    'a jump that its age allows': speeds([5000, 5000 + 1500, 5000], 500_000),
    'counter beyond its range': speeds(steady(8), 20_000, [13, 14, 15, 3, 15, 15, 0, 2]),
    'counter after a silence': speeds(steady(4), 1_000_000, [3, 3, 4, 4]),
    'counter after a longer silence': speeds(steady(4), 1_000_001, [3, 3, 4, 4]),
    'five and six frozen': [
      ...speeds(steady(7), 20_000, [1, 1, 1, 1, 1, 1, 1]),
      ...speeds(steady(1), 0, [2]),
    ],
  };
  for (const [what, frames] of Object.entries(cases)) {
    const pair = new ProfilePair(canRx, make(), make());
    const { batch, tUs } = framesOf(frames);
    for (let i = 0; i < batch.count; i++) {
      pair.consume(batch, i, i + 1, tUs.subarray(i, i + 1));
      t.equal(pair.look(), '', `${what}, frame ${i}`);
    }
  }
});

t.test('a CAN FD car: long messages, wide fields, a sum over 64 bits', { skip }, async (t) => {
  const dbc = `BO_ 256 FD: 64 X
 SG_ SPEED : 0|64@1- (1E-17,0) [0|0] "m/s" X
 SG_ RPM : 71|64@0+ (1E-16,0) [0|0] "rpm" X
 SG_ TEMP : 130|31@1- (1,0) [0|0] "degC" X
 SG_ CNT : 500|3@1+ (1,0) [0|0] "" X
 SG_ SUM : 504|8@1+ (1,0) [0|0] "" X
BO_ 257 OTHER: 12 X
 SG_ YAW : 0|64@1- (1,0) [0|0] "deg/s" X
SIG_VALTYPE_ 257 YAW : 2;
`;
  const file = readDbcFile(`${t.testdir({ 'fd.dbc': dbc })}/fd.dbc`);
  const signals: Record<string, ProfileSignal> = {
    'FD.SPEED': {
      vss: 'Vehicle.Speed',
      checksum: { kind: 'field_sum8', signal: 'SUM', of: ['SPEED', 'RPM', 'TEMP', 'CNT'] },
      counter: { signal: 'CNT', modulo: 7 },
      invalid_raw: ['-9223372036854775808', '9223372036854775807', 0],
    },
    'FD.RPM': { vss: 'Vehicle.Powertrain.CombustionEngine.Speed' },
    'FD.TEMP': { vss: 'Vehicle.Exterior.AirTemperature' },
    'OTHER.YAW': { vss: 'Vehicle.AngularVelocity.Yaw' },
  };
  const make = () => {
    const text = JSON.stringify({ profile: 1, name: 'fd', dbc: [{ file: 'fd.dbc' }], signals });
    return useProfile(parseProfile(text, 'fd.json'), [file]).profile;
  };
  const sums = make();
  t.notOk(sums.isClassic);
  const byte = fc.nat(255);
  const extreme = fc.oneof(byte, fc.constantFrom(0, 255, 127, 128));
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          id: fc.constantFrom(256, 256, 257),
          data: fc.array(extreme, { minLength: 60, maxLength: 64 }),
          sum: fc.nat(3),
          counter: byte,
          flags: fc.constantFrom(FRAME_FD, 0),
        }),
        { maxLength: 20 },
      ),
      (frames) => {
        const pair = new ProfilePair(canRx, make(), make());
        const sent = frames.map(({ sum, counter, ...each }) => {
          const { data } = each;
          // The right sum of what the fields hold, as TypeScript counts it: found by trying.
          if (sum > 0 && data.length === 64 && each.id === 256) {
            data[62] = (data[62]! & 0x0f) | ((counter & 7) << 4);
            data[63] = rightByte(sums, data, 63);
          }
          return each;
        });
        const { batch, tUs } = framesOf(sent);
        for (let i = 0; i < batch.count; i++) {
          pair.consume(batch, i, i + 1, tUs.subarray(i, i + 1));
          const found = pair.look();
          if (found !== '') throw new Error(found);
        }
        accepted += pair.ours.messages[0]!.accepted;
      },
    ),
    // Compiling a profile for every attempt to shrink takes minutes.
    { numRuns: 100, endOnFailure: true },
  );
  t.ok(accepted > 50, `${accepted} frames passed the sum`);
  // 2^64 − 1 is no float64: it is summed as 2^64, here and there.
  for (const fill of [255, 254, 127, 128]) {
    const data = Array<number>(64).fill(fill);
    data[63] = rightByte(sums, data, 63);
    const pair = new ProfilePair(canRx, make(), make());
    const { batch, tUs } = framesOf([{ id: 256, flags: FRAME_FD, data }]);
    pair.consume(batch, 0, 1, tUs);
    t.equal(pair.look(), '');
    t.equal(pair.native.decoder.messages.find(({ mapped }) => mapped.name === 'FD')?.accepted, 1);
  }
});

/** ESP_STATE with another counter and the checksum that belongs to it. */
function withCounter(frame: TestFrame, counter: number): TestFrame {
  const data = [...frame.data.slice(0, 7), 0];
  data[3] = counter;
  return { ...frame, data: [...data.slice(0, 7), rightByte(profileOf(protectedSpeed), data, 7)] };
}

/** The byte that the message's checksum wants at `at`: found by trying. */
function rightByte(decoder: ProfileDecoder, data: readonly number[], at: number): number {
  const bytes = Uint8Array.from(data);
  const { checksum } = decoder.messages.find(({ mapped }) => mapped.checksum !== null)!.mapped;
  for (let sum = 0; sum < 256; sum++) {
    bytes[at] = sum;
    if (checksum!.holds(bytes, 0, data.length)) return sum;
  }
  throw new Error('no sum fits');
}

t.test('it is a VehicleProfile', { skip }, async () => {
  assertVehicleProfile({
    make: () => new NativeProfile(canRx, profileOf(protectedSpeed)),
    frames: () => framesOf(Array.from({ length: 30 }, (_, i) => espState(1000 + i, i, (i % 3) << 1))),
  });
});

const recordings = [
  ['ford-gt350', 'ford_lincoln_base_pt.dbc', 'ford_gt350_modes_engine_on.log'],
  ['hyundai-kona', 'hyundai_2015_ccan.dbc', 'hyundai_kona_turnon_v11.trc'],
  // Neither car sends what the other's profile wants: identifiers meet, contents lie.
  ['hyundai-kona', 'hyundai_2015_ccan.dbc', 'kia_forte_turnon_ext_id_collision.log'],
  ['hyundai-kona', 'hyundai_2015_ccan.dbc', 'kia_forte_time_backwards.log'],
  ['ford-gt350', 'ford_lincoln_base_pt.dbc', 'mitsubishi_evox_truncated_last_line.log'],
] as const;

for (const [name, dbcName, logName] of recordings) {
  const [dbc, log] = [corpusFile('can', 'dbc', dbcName), corpusFile('can', 'logs', logName)];
  t.test(`${name} on ${logName}`, { skip: skip || (dbc && log ? false : corpusMissing) }, async (t) => {
    const make = async () => (await loadProfile({ profile: name, dbcFiles: [dbc!] })).profile;
    const pair = new ProfilePair(canRx, await make(), await make());
    const source = await openLog(log!);
    t.teardown(() => source.close());
    let firstS: number | null = null;
    for (let batch = await source.next(); batch !== null; batch = await source.next()) {
      if (batch.count === 0) continue;
      firstS ??= batch.tS[0]!;
      const tUs = Float64Array.from(batch.tS.subarray(0, batch.count), (s) =>
        Math.floor((s - firstS!) * 1e6),
      );
      for (let from = 0; from < batch.count; from += 50) {
        const to = Math.min(batch.count, from + 50);
        pair.consume(batch, from, to, tUs.subarray(from, to));
        const found = pair.look();
        if (found !== '') t.fail(found);
        if (found !== '') return;
      }
    }
    t.ok(pair.ours.frames > 100, `${pair.ours.frames} frames`);
  });
}

t.test('a plan that is wrong, and objects that are none, are refused', { skip }, async (t) => {
  const decoder = profileOf(hostileCar('field_sum8'));
  const plan = decoder.plan as unknown as NativePlan;
  const reception = receptionPlan(decoder);
  for (const [name, value] of Object.entries(reception)) {
    if (typeof value === 'boolean') continue;
    t.throws(() => new canRx.ProfileTable(plan, { ...reception, [name]: undefined }), TypeError, name);
    if (typeof value === 'number') continue;
    const array = value as Uint32Array;
    t.throws(() => new canRx.ProfileTable(plan, { ...reception, [name]: array.slice(1) }), RangeError, name);
  }
  const out = (name: keyof typeof reception, value: number) => {
    const array = (reception[name] as Uint32Array).slice().fill(value);
    return { ...reception, [name]: array };
  };
  for (const wrong of [
    out('message', 999),
    out('checksumKind', 6),
    out('checksumSignal', 9999),
    out('counterSignal', 9999),
    out('counterModulo', 0),
    out('counterModulo', 65_537),
    out('summed', 9999),
    out('member', 9999),
    out('signal', 9999),
    out('firstUnavailable', 7),
  ]) {
    t.throws(() => new canRx.ProfileTable(plan, wrong), RangeError);
  }
  const { table } = new NativeProfile(canRx, decoder);
  t.throws(() => table.read(new Float64Array(table.size - 1)), RangeError);
  const batch = new FrameBatch(2);
  const take = (to: number, times: number, data = batch.data): void =>
    table.take(batch.id, batch.flags, batch.length, batch.bus, data, 0, to, new Float64Array(times));
  t.throws(() => take(3, 3), RangeError);
  t.throws(() => take(2, 1), RangeError);
  t.throws(() => take(2, 2, batch.data.subarray(1)), RangeError);
  batch.length[1] = 65;
  t.throws(() => take(2, 2), RangeError, 'longer than any frame');
  const [ours, theirs] = host.socketPair();
  t.teardown(() => [ours, theirs].map(host.closeDescriptor));
  for (const options of [
    { table: {} as never, bus: 0 },
    { table, bus: 256 },
    { table: new canRx.Decoder(plan) as never, bus: 0 },
  ]) {
    t.throws(() => new canRx.CanReceiver({ fd: theirs, ...options }), TypeError);
  }
});
