/** The ego's frames: what is encoded is what is decoded, what is broken is seen by who only listens. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { decodeMessage } from '../../daemon/vehicles/dbc/decode-message.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { HeardDiagnostics } from '../../daemon/vehicles/health/diagnostic-reader.js';
import { loadProfile } from '../../daemon/vehicles/profile/load-profile.js';
import { EgoBus } from '../../hil/carla/drive/ego-bus.js';
import { EgoCar, type EgoMoment } from '../../hil/carla/drive/ego-car.js';
import { motionOf } from '../../hil/carla/drive/ego-motion.js';
import { carlaProfileNames } from '../../hil/carla/profile/profile.js';
import type { VehicleCondition } from '../../hil/carla/wire/vehicle-condition.js';
import { noControl } from '../../hil/carla/wire/vehicle-control.js';
import { clearWeather, type WeatherField, weatherFields } from '../../hil/carla/wire/weather.js';
import { carMessages, signalsOf } from '../../hil/sim/car-signals.js';
import { faultReading } from '../../hil/sim/fault-reading.js';
import { passengerCar, soundFaults, wheels } from '../../hil/sim/plant.js';
import { createPrng } from '../../hil/sim/prng.js';
import type { FaultEvent } from '../../hil/sim/scenario.js';
import { drivemcp } from '../helpers/command.js';
import { quietTown, serveWorld } from './serve-world.js';

const dbcFile = packageFile('daemon', 'vehicles', 'profiles', 'sim-car', 'sim-car.dbc');
const { database } = parseDbc(readFileSync(dbcFile), dbcFile);
const plan = compilePlan([database]);

function decode(id: number, data: Uint8Array): { message: string; values: Record<string, number> } | null {
  const message = plan.find(id, false);
  if (message < 0) return null;
  const first = plan.messageFirstSignal[message]!;
  const values = new Float64Array(plan.messageFirstSignal[message + 1]! - first);
  const present = new Uint8Array(values.length);
  decodeMessage(plan, message, data, 0, data.length, values, present);
  const named = [...values].map((value, k) => [plan.signalName[first + k]!, value] as const);
  return { message: plan.messageName[message]!, values: Object.fromEntries(named) };
}

const scaleOf = new Map(plan.signalName.map((name, s) => [name, plan.signalScale[s]!]));
const rangeOf = new Map(
  plan.signalName.map((name, s) => [name, [plan.signalMin[s]!, plan.signalMax[s]!] as const]),
);

const weather = { ...clearWeather, precipitation: 60, precipitationDeposits: 20, wetness: 40 };
const parked: EgoMoment = {
  tUs: 0,
  dtS: 0.05,
  motion: { x: 0, y: 0, headingRad: 0, vMps: 0, axMps2: 0, yawRateRadps: 0 },
  control: noControl,
  weather,
  condition: null,
  body: null,
};

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const share = real(0, 1);
const four = (min: number, max: number) =>
  fc.record({ FL: real(min, max), FR: real(min, max), RL: real(min, max), RR: real(min, max) });
const condition: fc.Arbitrary<VehicleCondition> = fc.record({
  isDriven: fc.boolean(),
  absFault: fc.boolean(),
  escFault: fc.boolean(),
  brakeFluidLow: fc.boolean(),
  tyreKpa: four(0, 600),
  absActive: fc.boolean(),
  escActive: fc.boolean(),
  tcsActive: fc.boolean(),
  throttle: share,
  brake: share,
  wheelMps: four(0, 90),
  ambientC: real(-60, 70),
  frameFaults: fc.constant([]),
  body: fc.constant([]),
});
/** Beyond what a car does as well: CARLA's collisions give hundreds of m/s². */
const moment: fc.Arbitrary<Omit<EgoMoment, 'tUs' | 'dtS'>> = fc.record({
  motion: fc.record({
    x: real(-5000, 5000),
    y: real(-5000, 5000),
    headingRad: real(-4, 4),
    vMps: real(-15, 120),
    axMps2: real(-300, 300),
    yawRateRadps: real(-5, 5),
  }),
  control: fc.record({
    throttle: share,
    steer: real(-1, 1),
    brake: share,
    handBrake: fc.boolean(),
    reverse: fc.boolean(),
    manualGearShift: fc.boolean(),
    gear: fc.integer({ min: -1, max: 6 }),
  }),
  weather: fc.record(
    Object.fromEntries(weatherFields.map((field) => [field, real(0, 100)])) as Record<
      WeatherField,
      fc.Arbitrary<number>
    >,
  ),
  condition: fc.option(condition),
  body: fc.constant(null),
});

t.test('every signal of every message decodes to what the car measured, within one step of its DBC', (t) => {
  const told = new Set<string>();
  fc.assert(
    fc.property(fc.array(moment, { minLength: 25, maxLength: 40 }), (moments) => {
      const bus = new EgoBus({ database, seed: 'x', scripted: [], hasReadings: false });
      // The same car beside it, and the same noise: drawn in the order in which frames are made.
      const car = new EgoCar([]);
      const noise = createPrng('x', 'inertial sensors');
      return moments.every((each, k) => {
        const now = { ...each, dtS: 0.05, tUs: (k + 1) * 50_000 };
        const state = car.step(now, k * 0.05);
        let isNear = true;
        bus.step(now, (_tUs, id, data) => {
          const decoded = decode(id, data);
          if (decoded === null) throw new Error(`no message ${id}`);
          const measured = signalsOf(decoded.message, state, noise) ?? {};
          for (const [name, value] of Object.entries(measured)) {
            const [low, high] = rangeOf.get(name) ?? [];
            const sensed = Math.min(high ?? Infinity, Math.max(low ?? -Infinity, value));
            told.add(name);
            isNear &&= Math.abs(decoded.values[name]! - sensed) <= scaleOf.get(name)! * 0.5 + 1e-9;
          }
        });
        return isNear;
      });
    }),
    { numRuns: 40 },
  );
  const signals = plan.signalName.filter((name) => !/_(CNT|CRC)$/.test(name));
  t.strictSame([...told].sort(), [...signals].sort(), 'all of them were looked at');
  t.strictSame([...carMessages].sort(), plan.messageName.toSorted());
  t.end();
});

t.test('what drives backwards says so, what is no number is refused, time never goes back', (t) => {
  const bus = new EgoBus({ database, seed: 'x', scripted: [], hasReadings: true });
  const seen: Record<string, number> = {};
  let lastUs = 0;
  for (let k = 1; k <= 300; k++)
    bus.step({ ...parked, tUs: k * 50_000, control: { ...noControl, reverse: k > 150 } }, (tUs, id, data) => {
      if (tUs < lastUs) t.fail(`${tUs} µs after ${lastUs} µs`);
      lastUs = tUs;
      Object.assign(seen, decode(id, data)?.values);
    });
  t.match(seen, { GEAR_CURRENT: -1, GEAR_SELECTED: 1 });
  const vector = { x: 0, y: 0, z: 0 };
  const actor = {
    id: 7,
    actorState: 1,
    transform: { location: vector, rotation: { pitchDeg: 0, yawDeg: 0, rollDeg: 0 } },
    velocityMps: vector,
    angularVelocityDegps: vector,
    accelerationMps2: { ...vector, x: Number.NaN },
    typeBytes: Buffer.alloc(54),
  };
  t.throws(() => motionOf(actor), { code: 'CARLA_WIRE', message: /actor 7: axMps2 is NaN/ });
  t.end();
});

/** Twenty seconds of frames through the profile that a daemon uses. */
async function heardBy(scripted: readonly FaultEvent[]) {
  const { profile } = await loadProfile({ profile: 'sim-car', dbcFiles: [] });
  const bus = new EgoBus({ database, seed: 'x', scripted, hasReadings: false });
  const batch = new FrameBatch(256, ['test']);
  const tUs = new Float64Array(256);
  const counts: Record<string, number> = {};
  for (let k = 1; k <= 400; k++) {
    batch.clear();
    bus.step({ ...parked, tUs: k * 50_000 }, (atUs, id, data) => {
      const i = batch.count++;
      tUs[i] = atUs;
      batch.id[i] = id;
      batch.length[i] = batch.dlc[i] = data.length;
      batch.data.set(data, i * FRAME_STRIDE);
      counts[id] = (counts[id] ?? 0) + 1;
    });
    profile.consume(batch, 0, batch.count, tUs.subarray(0, batch.count));
  }
  return { counts, profile: profile.counts() };
}

t.test('frames that are lost, frozen or wrong are what a profile notices', async (t) => {
  const fault = (kind: 'lost' | 'frozen' | 'corrupt'): FaultEvent => ({
    kind: 'frame',
    fault: kind,
    message: 'VEHICLE_DYNAMICS',
    atS: 5,
    untilS: 10,
  });
  const sound = await heardBy([]);
  t.match(sound.profile, { checksum: 0, counter: 0, lost: 0 });
  const corrupt = await heardBy([fault('corrupt')]);
  t.ok(Math.abs((corrupt.profile['checksum'] ?? 0) - 500) <= 6, `${corrupt.profile['checksum']} of 500`);
  const frozen = await heardBy([fault('frozen')]);
  t.ok(Math.abs((frozen.profile['counter'] ?? 0) - 500) <= 6, `${frozen.profile['counter']} of 500`);
  const lost = await heardBy([fault('lost')]);
  t.ok(Math.abs(sound.counts[0xc0]! - lost.counts[0xc0]! - 500) <= 6);
  t.equal(lost.counts[0xb0], sound.counts[0xb0]);
});

t.test('trouble codes are read by a unit of the car, and heard', (t) => {
  const hear = (faults: ReturnType<typeof soundFaults>): Record<string, unknown> => {
    const reader = new HeardDiagnostics([]);
    const frames = faultReading({ faults, model: passengerCar }, 0);
    const batch = new FrameBatch(frames.length, ['test']);
    for (const [i, { id, data }] of frames.entries()) {
      batch.count = i + 1;
      batch.id[i] = id;
      batch.length[i] = batch.dlc[i] = data.length;
      batch.data.set(data, i * FRAME_STRIDE);
    }
    reader.consume(batch, 0, batch.count, 1_000_000);
    reader.finish(2_000_000);
    const { units } = reader.drain().memory;
    return Object.fromEntries(
      Object.entries(units).map(([ecu, { lists }]) => [ecu, lists['19']?.map(({ code }) => code)]),
    );
  };
  t.strictSame(hear(soundFaults(passengerCar)), { '7EA': [], '7EC': [] });
  const broken = soundFaults(passengerCar);
  Object.assign(broken, { absFault: true, escFault: true, brakeFluidLow: true });
  broken.tyreKpa.RL = 150;
  t.strictSame(hear(broken), {
    '7EA': ['C0020', 'C006A', 'C0049'],
    '7EC': ['C0077'],
  });
  t.end();
});

t.test('a served world tells the condition of its ego in every profile, an older one nothing', async (t) => {
  const faults: FaultEvent[] = [
    { kind: 'abs', atS: 0.2 },
    { kind: 'esc', atS: 0.2 },
    { kind: 'tyre_leak', atS: 0, wheel: 'RR', kpaPerS: 100, downToKpa: 100 },
    { kind: 'frame', fault: 'frozen', message: 'STEERING', atS: 0, untilS: 9 },
  ];
  const scenario = {
    ...quietTown,
    weather: [{ ...quietTown.weather[0]!, ambientC: -4 }],
    ego: {
      ...quietTown.vehicles[0]!,
      roleName: 'hero',
      place: { road: '2', lane: -1, sM: 40 },
      brain: 'client' as const,
    },
    faults,
  };
  for (const name of carlaProfileNames) {
    const { open, server } = await serveWorld(t, name, scenario);
    const session = await open();
    const { world } = server.episode;
    const id = world.egoId!;
    t.match(await session.condition(id), { absFault: false, escFault: false });
    await session.control(id, { ...noControl, brake: 1 });
    for (let k = 0; k < 10; k++) await session.step();
    const told = (await session.condition(id))!;
    const { plant } = world.bicycle(id);
    t.match(
      told,
      { isDriven: true, absFault: true, escFault: true, brakeFluidLow: false, ambientC: -4 },
      name,
    );
    t.match(told, { frameFaults: [{ message: 'STEERING', fault: 1 }], absActive: plant.absActive });
    t.ok(wheels.every((wheel) => Math.abs(told.wheelMps[wheel] - plant.wheelMps[wheel]) < 1e-4));
    t.ok(told.tyreKpa.RR < 200 && told.tyreKpa.RL === passengerCar.placardKpa);
    await t.rejects(session.condition(123_456), { code: 'CARLA_REFUSED' });
  }
  const { open } = await serveWorld(t);
  const session = await open();
  const { name, ...method } = session.methods.getVehicleCondition;
  t.ok(name.startsWith('drivemcp_'), 'no name that CARLA could give to something else');
  Object.assign(session.methods, { getVehicleCondition: { ...method, name: 'drivemcp_not_there_yet' } });
  t.equal(await session.condition(1), null);
});

t.test('a fault of the served scenario reaches health and trouble codes at the other end', async (t) => {
  const dir = t.testdir();
  const log = join(dir, 'faults.log');
  const scenario = join(dir, 'faults.yaml');
  writeFileSync(
    scenario,
    [
      'id: faults',
      'family: other',
      'title: Everything breaks',
      'map: motorway-deu',
      'weather: [{ at_s: 0 }]',
      'ego: { spawn: { road: 1, lane: -2, s_m: 20 }, speed_mps: 20 }',
      'can_faults:',
      '  - { kind: abs, at_s: 4 }',
      '  - { kind: tyre_leak, at_s: 2, wheel: FL, kpa_per_s: 20 }',
      '  - { kind: frame_lost, message: STEERING, at_s: 6 }',
      'stop: { at_s: 60 }',
    ].join('\n'),
  );
  const { readScenario } = await import('../../hil/scenarios/scenario-file.js');
  const { world } = readScenario({
    file: scenario,
    text: readFileSync(scenario, 'utf8'),
    readMap: () => '',
  });
  const { server } = await serveWorld(t, '0.9.15', world);
  const address = `127.0.0.1:${server.ports.rpc}`;
  const args = ['hil', 'bridge', address, '--candump', log, '--pacing', 'lockstep', '--duration-s', '20'];
  const bridged = await drivemcp([...args, '--fault', 'esc@8']);
  t.equal(bridged.code, 0, bridged.stderr);
  const health = await drivemcp(['health', log, '--profile', 'sim-car']);
  t.equal(health.code, 0, health.stderr);
  for (const found of [
    /\babs +100 %/,
    /dtc 7EA:C0020/,
    /dtc 7EC:C0077/,
    /dtc 7EA:C006A/,
    /esc +100 %/,
    /tyre_pressure front left/,
    /lost_message STEERING/,
  ])
    t.match(health.stdout, found);
  const bad = ['frame_lost@3', 'abs', 'frame_lost:NOPE@3', 'tyre_leak:XX@3', 'nonsense@3', 'abs@-1'];
  for (const fault of bad) {
    const refused = await drivemcp(['hil', 'bridge', address, '--candump', '-', '--fault', fault]);
    t.match(refused, { code: 2, stderr: /--fault/ }, fault);
  }
});
