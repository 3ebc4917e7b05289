/** What leaves the simulator: frames and facts, deterministic, honest about noise, silent about the truth. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'tap';
import type { FactInput } from '../../daemon/core/world/facts.js';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import { decodeMessage } from '../../daemon/vehicles/dbc/decode-message.js';
import { parseDbc } from '../../daemon/vehicles/dbc/parse-dbc.js';
import { borderRainBraking } from '../../hil/scenarios/border-rain-braking.js';
import { createActorSensor, senseActors } from '../../hil/sim/actor-sensor.js';
import { frameDurationUs } from '../../hil/sim/can-bus.js';
import { crc8SaeJ1850, createCanOutput, emitFrames } from '../../hil/sim/can-output.js';
import type { CarState } from '../../hil/sim/car-signals.js';
import { alertDriver, type DriverModel, type Observation, stepDriver } from '../../hil/sim/driver.js';
import { enterLead } from '../../hil/sim/lead.js';
import { passengerCar, restingPlant, soundFaults } from '../../hil/sim/plant.js';
import { warmPowertrain } from '../../hil/sim/powertrain.js';
import type { Scenario } from '../../hil/sim/scenario.js';
import { simulate, type Truth } from '../../hil/sim/simulator.js';

const dbcFile = packageFile('daemon', 'vehicles', 'profiles', 'sim-car', 'sim-car.dbc');
const { database, diagnostics } = parseDbc(readFileSync(dbcFile), dbcFile);
const plan = compilePlan([database]);

interface Run {
  readonly frames: { readonly tUs: number; readonly id: number; readonly data: Uint8Array }[];
  readonly facts: { readonly arrivedAtUs: number; readonly fact: FactInput }[];
  readonly truths: Truth[];
  readonly digest: string;
}

function run(scenario: Scenario): Run {
  const hash = createHash('sha256');
  const result = { frames: [], facts: [], truths: [] } as Omit<Run, 'digest'>;
  simulate(scenario, database, {
    frame(tUs, id, data) {
      result.frames.push({ tUs, id, data: data.slice() });
      hash.update(`${tUs} ${id} `).update(data);
    },
    fact(arrivedAtUs, fact) {
      result.facts.push({ arrivedAtUs, fact });
      hash.update(`${arrivedAtUs} ${JSON.stringify(fact)}`);
    },
    truth(truth) {
      result.truths.push({ ...truth, plant: { ...truth.plant } });
    },
  });
  return { ...result, digest: hash.digest('hex') };
}

/** Decoded physical values by signal name. */
function decode(id: number, data: Uint8Array): Record<string, number> {
  const message = plan.find(id, false);
  const first = plan.messageFirstSignal[message]!;
  const count = plan.messageFirstSignal[message + 1]! - first;
  const values = new Float64Array(count);
  const present = new Uint8Array(count);
  decodeMessage(plan, message, data, 0, data.length, values, present);
  const named: Record<string, number> = {};
  for (let k = 0; k < count; k++) if (present[k] === 1) named[plan.signalName[first + k]!] = values[k]!;
  return named;
}

const whole = run(borderRainBraking);

test("the simulated car's DBC has no finding and a cycle time for each message", async (t) => {
  t.same(diagnostics, []);
  t.ok(database.messages.every((message) => message.cycleMs !== null && message.cycleMs >= 10));
});

test('same seed, same bytes; another seed, other bytes', async (t) => {
  t.equal(run(borderRainBraking).digest, whole.digest);
  t.not(run({ ...borderRainBraking, seed: borderRainBraking.seed + 1 }).digest, whole.digest);
});

test('the truth stays inside: no oracle fact, and grip that nobody uses up changes no output', async (t) => {
  t.ok(whole.facts.every(({ fact }) => fact.provenance === 'map' || fact.provenance === 'perception'));
  // Without hard braking the friction of the road is not felt, so it must not show anywhere.
  const gentle = { ...borderRainBraking, leads: [], durationS: 140 };
  const polished = { ...gentle, road: { ...gentle.road, gripFactor: 0.9 } };
  t.not(run(polished).truths[0]?.mu, run(gentle).truths[0]?.mu);
  t.equal(run(polished).digest, run(gentle).digest);
});

test('outputs come in the order of time, frames never overlap on the bus, every message keeps its period', async (t) => {
  let endUs = 0;
  const last = new Map<number, number>();
  const gaps = new Map<number, number[]>();
  for (const { tUs, id, data } of whole.frames) {
    if (tUs - frameDurationUs(data.length) < endUs) t.fail(`frames overlap at ${tUs} µs`);
    endUs = tUs;
    const before = last.get(id);
    if (before !== undefined) gaps.set(id, [...(gaps.get(id)?.slice(-200) ?? []), tUs - before]);
    last.set(id, tUs);
  }
  for (const message of database.messages) {
    const seen = gaps.get(message.id) ?? [];
    const mean = seen.reduce((sum, gap) => sum + gap, 0) / seen.length;
    const periodUs = (message.cycleMs ?? 0) * 1000;
    t.ok(
      Math.abs(mean - periodUs) < 0.03 * periodUs,
      `${message.name}: ${mean.toFixed(0)} µs of ${periodUs}`,
    );
    t.ok(new Set(seen).size > 10, `${message.name} has jitter`);
  }
  const arrivals = whole.facts.map(({ arrivedAtUs }) => arrivedAtUs);
  t.same(
    arrivals,
    [...arrivals].sort((a, b) => a - b),
  );
  t.ok(whole.facts.every(({ arrivedAtUs, fact }) => fact.observedAtUs <= arrivedAtUs));
});

test('frames decode back to what the car measured, within half a quantisation step', async () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 80, noNaN: true }),
      fc.double({ min: -10, max: 10, noNaN: true }),
      share,
      share,
      fc.boolean(),
      fc.double({ min: 0, max: 500, noNaN: true }),
      (vMps, axMps2, throttlePedal, brakePedal, absFault, kpa) => {
        const car: CarState = {
          model: passengerCar,
          plant: { ...restingPlant(0, vMps), axMps2, throttlePedal, brakePedal },
          powertrain: warmPowertrain(vMps),
          faults: { ...soundFaults(passengerCar), absFault, tyreKpa: { FL: kpa, FR: 240, RL: 240, RR: 240 } },
          isReversing: false,
          weather: { precipitation: 50, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: -3.2 },
          odometerM: 12_345,
        };
        const seen: Record<string, number> = {};
        emitFrames(createCanOutput(database, 'x/1'), car, 1_100_000, (_tUs, id, data) =>
          Object.assign(seen, decode(id, data)),
        );
        const near = (name: string, value: number, step: number) =>
          Math.abs(seen[name]! - value) <= step / 2 + 1e-9;
        return (
          near('VEH_SPD', vMps * 3.6, 0.01) &&
          near('WHL_SPD_RL', vMps * 3.6, 0.0625) &&
          near('BRK_PEDAL_POS', brakePedal * 100, 0.4) &&
          near('ACC_PEDAL_POS', throttlePedal * 100, 0.4) &&
          near('TYRE_P_FL', kpa, 1) &&
          near('AMBIENT_TEMP', -3.2, 0.5) &&
          near('ODO', 12.345, 0.001) &&
          // The inertial sensor has noise: six standard deviations.
          Math.abs(seen['LONG_ACCEL']! - axMps2) <= 0.005 + 6 * 0.03 &&
          seen['ABS_FAULT'] === (absFault ? 1 : 0) &&
          seen['WIPER_MODE'] === 2 &&
          seen['GEAR_SELECTED'] === 3
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('the recorded speed is the plant’s speed, and protected messages carry counter and CRC', async (t) => {
  let worst = 0;
  const counters = new Map<string, number>();
  for (const { tUs, id, data } of whole.frames) {
    const values = decode(id, data);
    if (values['VEH_SPD'] !== undefined) {
      // The state at the end of the step before and after bracket the frame.
      const index = Math.floor(tUs / 50_000);
      const around = [whole.truths[index - 1]?.plant.vMps ?? 25, whole.truths[index]?.plant.vMps ?? 25];
      const low = Math.min(...around) * 3.6;
      const high = Math.max(...around) * 3.6;
      worst = Math.max(worst, low - values['VEH_SPD'], values['VEH_SPD'] - high);
    }
    const name = plan.messageName[plan.find(id, false)]!;
    const counter = values[`${name}_CNT`];
    if (counter === undefined) continue;
    const before = counters.get(name);
    if (before !== undefined && counter !== (before + 1) % 16)
      t.fail(`${name}: counter ${before} → ${counter}`);
    counters.set(name, counter);
    if (data[7] !== crc8SaeJ1850(data, 7)) t.fail(`${name}: wrong CRC at ${tUs} µs`);
  }
  t.ok(worst <= 0.01 + 1e-9, `off by ${worst} km/h at most`);
  t.equal(counters.size, 6);
  // Check value of the CRC catalogue for "123456789".
  t.equal(crc8SaeJ1850(new TextEncoder().encode('123456789'), 9), 0x4b);
});

test('perception is an estimate: unbiased noise, misses, no view beyond its range, latency', async (t) => {
  const errors: number[] = [];
  let missed = 0;
  for (const { arrivedAtUs, fact } of whole.facts) {
    if (fact.kind !== 'actors') continue;
    if (arrivedAtUs - fact.observedAtUs !== 60_000) t.fail('latency');
    const truth = whole.truths[fact.observedAtUs / 50_000 - 1];
    // A vehicle that enters in this very step has no truth before it.
    if (truth === undefined || truth.lead === null) continue;
    const seen = fact.value[0];
    if (seen === undefined) missed++;
    else errors.push(seen.gapM - truth.lead.gapM);
  }
  const mean = errors.reduce((sum, x) => sum + x, 0) / errors.length;
  const deviation = Math.sqrt(errors.reduce((sum, x) => sum + (x - mean) ** 2, 0) / errors.length);
  t.ok(Math.abs(mean) < 0.1, `mean error ${mean.toFixed(3)} m`);
  t.ok(deviation > 0.1 && deviation < 0.6, `standard deviation ${deviation.toFixed(3)} m`);
  t.ok(missed > 0 && missed < 0.1 * errors.length, `${missed} of ${errors.length} missed`);

  const [script] = borderRainBraking.leads;
  const weather = { precipitation: 100, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 9 };
  const seenAt = (gapM: number) => {
    const fact = senseActors(
      createActorSensor('x/6'),
      [enterLead({ ...script!, gapM }, 0)],
      0,
      20,
      weather,
      0,
    );
    return fact.kind === 'actors' ? fact.value : null;
  };
  t.equal(seenAt(77)?.length, 1);
  t.same(seenAt(85), [], 'rain shortens the range');
});

test('faults show on the bus when they happen: a leaking tyre, little brake fluid', async (t) => {
  const scenario: Scenario = {
    ...borderRainBraking,
    durationS: 40,
    faults: [
      { kind: 'tyre_leak', atS: 10, wheel: 'RL', kpaPerS: 4, downToKpa: 180 },
      { kind: 'brake_fluid_low', atS: 20 },
    ],
  };
  const seen = run(scenario).frames.map(({ tUs, id, data }) => ({ tUs, ...decode(id, data) })) as (Record<
    string,
    number
  > & { tUs: number })[];
  const tyres = seen.filter((frame) => frame['TYRE_P_RL'] !== undefined);
  t.equal(tyres.find(({ tUs }) => tUs > 8e6)?.['TYRE_P_RL'], 240);
  t.equal(tyres.at(-1)?.['TYRE_P_RL'], 180, 'it does not fall below its bound');
  t.equal(tyres.at(-1)?.['TYRE_P_FL'], 240);
  t.ok(tyres.every((frame) => frame['TYRE_LOW_LAMP'] === (frame['TYRE_P_RL']! < 192 ? 1 : 0)));
  const warnings = seen.filter((frame) => frame['BRK_FLUID_LOW'] !== undefined);
  t.ok(warnings.every((frame) => frame['BRK_FLUID_LOW'] === (frame.tUs > 20e6 ? 1 : 0)));
});

test('no negative gap, no collision, and braking stays within what road and brakes give', async (t) => {
  for (const { lead, hasCollided, plant, mu, tUs } of whole.truths) {
    if (hasCollided || (lead !== null && lead.gapM <= 0)) t.fail(`collision at ${tUs} µs`);
    if (Math.abs(plant.axMps2) > mu * 9.81 + 1e-9) t.fail(`more grip than there is at ${tUs} µs`);
  }
  const crash = { ...borderRainBraking, ego: { ...borderRainBraking.ego } };
  const blind: Scenario = {
    ...crash,
    ego: { ...crash.ego, driver: { ...crash.ego.driver, looksAway: [{ fromS: 140, untilS: 165 }] } },
  };
  const truths = run(blind).truths;
  t.ok(truths.at(-1)?.hasCollided, 'a driver who never looks up does hit the lead');
  t.ok(truths.every(({ lead }) => lead === null || lead.gapM >= 0));
});

test('the driver reacts late, overlooks what it is told to and keeps its feet still while looking away', async (t) => {
  const { driver } = borderRainBraking.ego;
  const observation = (gapM: number | null): Observation => ({
    lead: gapM === null ? null : { gapM, closingMps: 5 },
    limit: { sourceId: 's', limit: null },
    weather: { precipitation: 0, precipitationDeposits: 0, wetness: 0, fogDensity: 0, ambientC: 15 },
    curvaturePerM: 0,
  });
  const brakesAt = (model: DriverModel): number => {
    const state = alertDriver(observation(null));
    for (let i = 0; i < 400; i++) {
      const tS = i * 0.05;
      const controls = stepDriver(state, model, passengerCar, observation(tS < 2 ? null : 8), 20, tS, 0.05);
      if (controls.brake > 0) return tS;
    }
    return Infinity;
  };
  const awake = { ...driver, looksAway: [] };
  t.ok(Math.abs(brakesAt(awake) - 2 - driver.reactionS) < 0.051);
  t.ok(brakesAt({ ...awake, looksAway: [{ fromS: 1, untilS: 5 }] }) >= 5);
});
