import fc from 'fast-check';
import t from 'tap';
import { FRAME_ERROR, FRAME_FD, FRAME_REMOTE } from '../../daemon/core/can/frame-batch.js';
import type { SignalSample } from '../../daemon/core/tick.js';
import { framesOf, type TestFrame } from './frames-of.js';
import { espState, feed, profileOf, protectedSpeed } from './test-car.js';
import { assertVehicleProfile } from './vehicle-profile-conformance.js';

t.test('it is a VehicleProfile', async (t) => {
  const frames = [
    ...Array.from({ length: 30 }, (_, i) => espState(1000 + i, i, (i % 3) << 1)),
    { id: 512, data: [0x10, 0x0e, 130, 100, 0, 0, 0, 0], tUs: 600_000 },
  ];
  assertVehicleProfile({
    make: () =>
      profileOf({
        ...protectedSpeed,
        'Motor_1.Motordrehzahl': { vss: 'Vehicle.Powertrain.CombustionEngine.Speed' },
      }),
    frames: () => framesOf(frames),
  });
  t.same(
    [...profileOf(protectedSpeed).required],
    [['Vehicle.Speed', 200_000]],
    'five periods, at least 200 ms',
  );
});

t.test('a value is (decoded · scale + offset) in the core unit, or invalid', async () => {
  const units = [
    ['km/h', (v: number) => v / 3.6],
    ['mph', (v: number) => v * 0.44704],
    ['m/s', (v: number) => v],
  ] as const;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 65_535 }),
      fc.constantFrom(...units),
      fc.double({ min: 0.1, max: 4, noNaN: true }),
      fc.double({ min: -50, max: 50, noNaN: true }),
      fc.double({ min: -100, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 700, noNaN: true }),
      (raw, [unit, toCore], scale, offset, min, max) => {
        const profile = profileOf({
          'ESP_STATE.VEH_SPEED': { vss: 'Vehicle.Speed', unit, scale, offset, min, max: Math.max(min, max) },
        });
        const [sample] = feed(profile, [espState(raw, 0)]);
        const scaled = (raw * 0.01 + 0) * scale + offset;
        const core = toCore(scaled);
        const isValid = scaled >= min && scaled <= Math.max(min, max) && core >= -20 && core <= 120;
        if (!isValid) return sample?.value === null;
        return (
          sample?.value !== null && Math.abs(sample!.value! - core) <= 1e-9 * Math.max(1, Math.abs(core))
        );
      },
    ),
  );
});

t.test('ends of ranges belong to them; "not available" and NaN are invalid', async (t) => {
  const profile = profileOf({
    'Motor_1.Oeltemperatur': {
      vss: 'Vehicle.Powertrain.CombustionEngine.EngineOil.Temperature',
      min: -20,
      max: 150,
      invalid_raw: [100, '255'],
    },
    'BODY_MUX.YAW_RATE_F': { vss: 'Vehicle.AngularVelocity.Yaw' },
    'BODY_MUX.AMBIENT_TEMP': { vss: 'Vehicle.Exterior.AirTemperature' },
  });
  const oil = (raw: number) => feed(profile, [{ id: 512, data: [0, 0, 0, raw, 0, 0, 0, 0] }])[0]?.value;
  t.equal(oil(19), null);
  t.equal(oil(20), -20);
  t.equal(oil(190), 150);
  t.equal(oil(191), null);
  t.equal(oil(100), null, 'not available, though in range');
  t.equal(oil(255), null);
  const mux = (page: number, ...bytes: number[]) =>
    feed(profile, [{ id: 768, data: [page, ...bytes, 0, 0, 0, 0].slice(0, 8) }]);
  t.same(
    mux(1, 72, 0, 0, 0),
    [{ path: 'Vehicle.Exterior.AirTemperature', value: 0, observedAtUs: 0, changes: 0 }],
    '32 °F is 0 °C, and only the active page speaks',
  );
  t.equal(mux(3, 0, 0, 0xc0, 0x7f)[0]?.value, null, 'NaN');
  t.equal(mux(3, 0, 0, 0x80, 0x7f)[0]?.value, null, 'infinity');
  t.equal(mux(3, 0, 0, 0, 0)[0]?.value, 0);
  t.same(mux(9, 1, 2, 3, 4), [], 'a page of nobody');
  const [temperature, yaw] = [
    profile.signals.find((s) => s.mapped.key.includes('Oel'))!,
    profile.signals.find((s) => s.mapped.key.includes('YAW'))!,
  ];
  t.same([temperature.outOfRange, temperature.notAvailable, temperature.accepted], [2, 2, 2]);
  t.equal(yaw.notFinite, 2);
});

t.test('changes are counted, so that a pulse within a tick is seen', async (t) => {
  const profile = profileOf(protectedSpeed);
  const samples = feed(
    profile,
    [0, 2, 0, 2, 2, 0].map((flags, i) => espState(0, i, flags)),
  );
  t.equal(samples.find((sample) => sample.path.endsWith('ABS.IsEngaged'))?.changes, 4);
  t.equal(samples.find((sample) => sample.path === 'Vehicle.Speed')?.changes, 0);
  const pedal = feed(profile, [espState(0, 6, 1 << 2), espState(0, 7, 2 << 2)]).find((sample) =>
    sample.path.endsWith('Pressed'),
  );
  t.same([pedal?.value, pedal?.changes], [1, 1], 'raw 1 = not pressed, 2 = pressed');
  t.equal(feed(profile, [espState(0, 8, 3 << 2)])[1]?.value, null, 'raw 3 is no state');
});

t.test(
  'a frame with a wrong checksum is never used; five make a fault, one good frame ends it',
  async (t) => {
    const profile = profileOf(protectedSpeed);
    feed(profile, [espState(1000, 0)]);
    for (let i = 1; i <= 4; i++) {
      const bad = espState(9000, i);
      t.same(
        feed(profile, [{ ...bad, data: [...bad.data.slice(0, 7), bad.data[7]! ^ 1] }]),
        [],
        `bad frame ${i}`,
      );
    }
    t.same(profile.drainFaults(), []);
    const bad = espState(9000, 5);
    const broken = feed(profile, [{ ...bad, data: [...bad.data.slice(0, 7), 0] }]);
    t.ok(
      broken.length === 3 && broken.every((sample) => sample.value === null),
      'the fifth: all signals invalid',
    );
    t.same(profile.drainFaults(), [{ message: 'ESP_STATE', kind: 'checksum', isActive: true, tUs: 100_000 }]);
    t.equal(feed(profile, [espState(1010, 6)])[2]?.value, (1010 * 0.01) / 3.6);
    t.same(profile.drainFaults(), [
      { message: 'ESP_STATE', kind: 'checksum', isActive: false, tUs: 120_000 },
    ]);
    t.same(
      profile.messages.map((message) => [message.frames, message.accepted, message.checksum]),
      [[7, 2, 5]],
    );
  },
);

t.test('a frozen counter is a fault, lost frames are counted, a restart is neither', async (t) => {
  const profile = profileOf(protectedSpeed);
  t.ok(feed(profile, [espState(1000, 0)]).length > 0);
  for (let i = 1; i <= 4; i++) t.same(feed(profile, [espState(1000, 0, 0, i * 20_000)]), []);
  t.equal(feed(profile, [espState(1000, 0, 0, 100_000)])[2]?.value, null);
  t.equal(profile.drainFaults()[0]?.kind, 'counter');
  t.ok(feed(profile, [espState(1000, 4, 0, 120_000)])[2]?.value, 'it moves again');
  t.equal(profile.messages[0]?.lost, 3, '1, 2 and 3 never came');
  t.ok(feed(profile, [espState(1000, 4, 0, 2_000_000)])[2]?.value, 'the same value after a silence');
  for (let i = 5; i < 40; i++) feed(profile, [espState(1000, i, 0, 2_000_000 + i * 20_000)]);
  t.equal(profile.messages[0]?.lost, 3, 'a counter of 15 values turns over');
  const mirrored = profileOf(protectedSpeed);
  for (let i = 0; i < 20; i++) feed(mirrored, [espState(1000, i), { ...espState(1000, i), bus: 1 }]);
  t.match(
    mirrored.counts(),
    { frames: 40, counter: 0, lost: 0 },
    'a gateway repeats the message on another bus',
  );
});

t.test('frames that are too short, remote, error or FD frames are ignored and counted', async (t) => {
  const profile = profileOf({ 'ESP_STATE.VEH_SPEED': { vss: 'Vehicle.Speed' } });
  const good = espState(1000, 0);
  const samples = feed(profile, [
    { ...good, data: good.data.slice(0, 7) },
    { ...good, data: [] },
    { ...good, flags: FRAME_REMOTE },
    { ...good, flags: FRAME_ERROR },
    { ...good, flags: FRAME_FD },
    { ...good, ext: true },
    { ...good, id: 999 },
  ]);
  t.same(samples, []);
  t.same(
    [
      profile.messages[0]?.short,
      profile.ignoredRemote,
      profile.ignoredError,
      profile.ignoredFd,
      profile.unmapped,
    ],
    [2, 1, 1, 1, 2],
  );
  t.equal(
    feed(profile, [{ ...good, data: [...good.data, 1, 2, 3] }])[0]?.value,
    10 / 3.6,
    'a longer one is used',
  );
  t.equal(profile.messages[0]?.long, 1);
});

t.test('a speed that jumps is rejected, a speed that changes as cars do is not', async (t) => {
  const speedOf = (samples: readonly SignalSample[]) =>
    samples.find((s) => s.path === 'Vehicle.Speed')?.value;
  const profile = profileOf({ 'ESP_STATE.VEH_SPEED': { vss: 'Vehicle.Speed' } });
  const at = (mps: number, tMs: number): TestFrame => espState(Math.round(mps * 360), 0, 0, tMs * 1000);
  t.equal(speedOf(feed(profile, [at(0, 0)])), 0);
  for (let i = 1; i <= 4; i++)
    t.same(feed(profile, [at(80, i * 20)]), [], 'no sample: the last value goes stale');
  t.equal(speedOf(feed(profile, [at(80, 100)])), null, 'the fifth in a row: invalid');
  t.same(
    profile.drainFaults().map(({ kind, isActive }) => [kind, isActive]),
    [['rate', true]],
  );
  t.equal(speedOf(feed(profile, [at(0, 120)])), 0);
  t.same(
    profile.drainFaults().map(({ kind, isActive }) => [kind, isActive]),
    [['rate', false]],
  );
  t.equal(profile.signals[0]?.tooFast, 5);

  const braking = profileOf({ 'ESP_STATE.VEH_SPEED': { vss: 'Vehicle.Speed' } });
  for (let i = 0; i <= 200; i++) feed(braking, [at(Math.max(0, 40 - i * 0.02 * 12), i * 20)]);
  t.equal(braking.signals[0]?.tooFast, 0, '12 m/s² is braking');
  const started = profileOf({ 'ESP_STATE.VEH_SPEED': { vss: 'Vehicle.Speed' } });
  feed(started, [at(0, 0)]);
  for (let i = 1; i <= 150; i++) feed(started, [at(30, i * 20)]);
  t.equal(started.signals[0]?.isValid, true, 'a wrong first value is left behind after the time it takes');
  t.equal(started.signals[0]?.value, 30);
});

t.test('checksum rules: right frames pass, every single wrong bit fails', async () => {
  const of = ['VALUE', 'SUM_CNT'];
  const rules = {
    xor8: {
      signal: 'BYTE',
      set: (d: number[]) => [...d.slice(0, 7), d.slice(0, 7).reduce((a, b) => a ^ b, 0)],
    },
    sum8: {
      signal: 'BYTE',
      set: (d: number[]) => [...d.slice(0, 7), d.slice(0, 7).reduce((a, b) => a + b, 0) & 255],
    },
    nibble_sum4: {
      signal: 'NIBBLE',
      set: (d: number[]) => {
        const bytes = d.map((byte, i) => (i === 6 ? byte & 0xf0 : byte));
        const sum = bytes.reduce((a, b) => a + (b >> 4) + (b & 15), 0);
        bytes[6]! |= -sum & 15;
        return bytes;
      },
    },
    field_sum8: {
      signal: 'BYTE',
      of,
      set: (d: number[]) => [...d.slice(0, 7), (255 - d[0]! - d[1]! - (d[2]! >> 4)) & 255],
    },
  } as const;
  const isAccepted = (kind: keyof typeof rules, data: readonly number[]): boolean => {
    const rule = rules[kind];
    const profile = profileOf({
      'CHECKS.FLAG': {
        vss: 'Vehicle.IsMoving',
        checksum: { kind, signal: rule.signal, ...('of' in rule ? { of: [...rule.of] } : {}) },
      },
    });
    return feed(profile, [{ id: 1024, data }]).length === 1;
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(rules) as (keyof typeof rules)[])),
      fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 0, max: 63 }),
      (kind, bytes, bit) => {
        const data = rules[kind].set(bytes);
        const flipped = data.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        // A field sum covers its fields and itself only.
        const isCovered = kind !== 'field_sum8' || bit < 16 || (bit >= 20 && bit < 24) || bit >= 56;
        return isAccepted(kind, data) && isAccepted(kind, flipped) === !isCovered;
      },
    ),
  );
});

t.test('J1939: the source address does not matter', async (t) => {
  const profile = profileOf({ 'J1939_SPEED.WheelBasedVehicleSpeed': { vss: 'Vehicle.Speed' } });
  const [sample] = feed(profile, [
    { id: 0x18fef13e, ext: true, data: [0xff, 0, 72, 255, 255, 255, 255, 255] },
  ]);
  t.equal(sample?.value, 20);
});
