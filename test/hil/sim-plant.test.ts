/** The simulated world by itself: random numbers, weather, road, physics, driver and traffic. */
import fc from 'fast-check';
import { test } from 'tap';
import { estimateGrip } from '../../daemon/core/safety/friction-estimate.js';
import { wiperMode } from '../../hil/sim/car-signals.js';
import { enterLead, stepLead } from '../../hil/sim/lead.js';
import type { Controls, Faults } from '../../hil/sim/plant.js';
import {
  brakingEfficiency,
  gravityMps2,
  passengerCar,
  restingPlant,
  soundFaults,
  stepPlant,
} from '../../hil/sim/plant.js';
import { createPrng } from '../../hil/sim/prng.js';
import type { Road, RoadSegment } from '../../hil/sim/road.js';
import { limitInForce, segmentAt } from '../../hil/sim/road.js';
import type { WeatherState } from '../../hil/sim/weather.js';
import { plantMu, weatherAt } from '../../hil/sim/weather.js';

const dtS = 0.01;
const dry: WeatherState = {
  precipitation: 0,
  precipitationDeposits: 0,
  wetness: 0,
  fogDensity: 0,
  ambientC: 15,
};

const soundCar = (): Faults => soundFaults(passengerCar);

test('random streams: same seed same numbers, other purpose other numbers, right moments', async (t) => {
  const first = createPrng('x/7', 'range');
  const again = createPrng('x/7', 'range');
  const other = createPrng('x/7', 'closing');
  const draws = Array.from({ length: 20_000 }, () => first.normal());
  t.same(
    draws.slice(0, 50),
    Array.from({ length: 50 }, () => again.normal()),
  );
  t.notSame(
    draws.slice(0, 50),
    Array.from({ length: 50 }, () => other.normal()),
  );
  const mean = draws.reduce((sum, x) => sum + x, 0) / draws.length;
  const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / draws.length;
  t.ok(Math.abs(mean) < 0.03, `mean ${mean}`);
  t.ok(Math.abs(variance - 1) < 0.04, `variance ${variance}`);
  const pinned = createPrng('x/1', 'pin');
  t.same(
    [pinned.uniform(), pinned.uniform(), pinned.uniform()].map((u) => Math.round(u * 4294967296)),
    [3976332895, 1136531681, 1254834781],
    'the generator is pinned: another one would change every recorded drive',
  );
});

test('friction: dry 0.85, wet 0.55, flooded 0.40, less still when aquaplaning; never rises with water', async (t) => {
  t.equal(plantMu(dry, 30), 0.85);
  t.ok(Math.abs(plantMu({ ...dry, wetness: 60 }, 30) - 0.55) < 1e-12);
  t.ok(Math.abs(plantMu({ ...dry, wetness: 90, precipitationDeposits: 100 }, 10) - 0.4) < 1e-12);
  const cloudburst = { ...dry, wetness: 90, precipitationDeposits: 100, precipitation: 90 };
  t.ok(Math.abs(plantMu(cloudburst, 81 / 3.6) - 0.36) < 1e-12);
  t.ok(Math.abs(plantMu(cloudburst, 79 / 3.6) - 0.4) < 1e-12);
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(percent, percent, percent, percent, (wetness, more, deposits, precipitation) => {
      const weather = { ...dry, wetness, precipitationDeposits: deposits, precipitation };
      const wetter = { ...weather, wetness: Math.min(100, wetness + more) };
      return plantMu(wetter, 20) <= plantMu(weather, 20);
    }),
  );
});

test('the expert’s lower bound of the grip is never above the plant’s truth, in any weather at any speed', async (t) => {
  const steps = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
  let [least, most, sum, count] = [Infinity, -Infinity, 0, 0];
  for (const precipitation of steps)
    for (const precipitationDeposits of steps)
      for (const wetness of steps)
        for (const speedMps of [0, 15, 22, 23, 30, 45]) {
          const weather = { ...dry, precipitation, precipitationDeposits, wetness };
          const { lower } = estimateGrip({
            precipitation,
            precipitationDeposits,
            wetness,
            speedMps,
            wiper: wiperMode(precipitation),
            tyreKpa: 240,
            ambientC: 15,
          });
          const gap = plantMu(weather, speedMps) - lower;
          least = Math.min(least, gap);
          most = Math.max(most, gap);
          sum += gap;
          count++;
        }
  t.ok(
    least >= 0,
    `truth − lower bound: ${least.toFixed(3)} … ${most.toFixed(3)}, mean ${(sum / count).toFixed(3)}`,
  );
  t.ok(least > 0.05, 'they are different functions');
});

test('weather is linear between the points of its curve and constant outside', async (t) => {
  const curve = [
    { tS: 10, ...dry },
    { tS: 20, ...dry, precipitation: 50, ambientC: 10 },
  ];
  t.same(weatherAt(curve, 0).precipitation, 0);
  t.same(weatherAt(curve, 15), { ...dry, precipitation: 25, ambientC: 12.5 });
  t.same(weatherAt(curve, 99).precipitation, 50);
  t.throws(() => weatherAt([], 0), RangeError);
});

test('the limit in force: last sign or gantry of the segment, dark and end signs cancel, statute otherwise', async (t) => {
  const segment = (id: string, statute: number | null): RoadSegment => ({
    id,
    lengthM: 1000,
    jurisdiction: 'DEU',
    roadClass: 'motorway',
    carriageway: 'separated',
    lanesPerDir: 2,
    unit: 'km/h',
    driveSide: 'right',
    statutoryLimit: statute === null ? null : { value: statute, unit: 'km/h' },
    curvaturePerM: 0,
  });
  const road: Road = {
    gripFactor: 1,
    segments: [segment('a', 100), segment('b', null)],
    signs: [
      { sM: 200, sign: { id: 's70', category: 'speed_limit', value: 70, unit: 'km/h' } },
      { sM: 600, sign: { id: 'end', category: 'end_limit' } },
    ],
    gantries: [
      {
        id: 'g',
        sM: 1300,
        country: 'DEU',
        schedule: [
          { fromS: 10, value: 80, unit: 'km/h' },
          { fromS: 20, value: null, unit: 'km/h' },
        ],
      },
    ],
  };
  const at = (sM: number, tS: number) => {
    const { sourceId, limit } = limitInForce(road, sM, tS);
    return `${sourceId} ${limit?.value ?? 'none'}`;
  };
  t.equal(at(0, 0), 'a 100');
  t.equal(at(200, 0), 's70 70', 'a sign holds from where it stands');
  t.equal(at(599.9, 0), 's70 70');
  t.equal(at(600, 0), 'end 100');
  t.equal(at(1000, 0), 'b none', 'a sign does not outlive its segment');
  t.equal(at(1500, 5), 'b none', 'a gantry without a display says nothing');
  t.equal(at(1500, 15), 'g 80');
  t.equal(at(1500, 25), 'g none', 'dark');
  t.equal(segmentAt(road, 5000).segment.id, 'b');
});

test('physics: grip bounds every acceleration, braking bounds by efficiency, no speed below zero', async () => {
  const pedal = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(pedal, pedal), { minLength: 1, maxLength: 40 }),
      fc.double({ min: 0.2, max: 0.9, noNaN: true }),
      fc.double({ min: 0, max: 60, noNaN: true }),
      fc.double({ min: -0.02, max: 0.02, noNaN: true }),
      fc.boolean(),
      (pedals, mu, vMps, curvaturePerM, absFault) => {
        const faults = { ...soundCar(), absFault };
        const state = restingPlant(0, vMps);
        const grip = mu * gravityMps2 * (1 + 1e-9);
        for (const [throttle, brake] of pedals) {
          const before = { ...state };
          for (let i = 0; i < 10; i++)
            stepPlant(state, passengerCar, { throttle, brake, curvaturePerM }, faults, mu, dtS);
          const total = Math.sqrt(state.axMps2 ** 2 + state.ayMps2 ** 2);
          if (total > grip) return false;
          if (state.axMps2 < -grip * brakingEfficiency(passengerCar, faults)) return false;
          if (state.vMps < 0 || state.sM < before.sM) return false;
        }
        return true;
      },
    ),
  );
});

test('energy: coasting never gains speed, full braking stops within v²/(2·μ·g·η) plus the lag', async (t) => {
  for (const [mu, absFault] of [
    [0.85, false],
    [0.5, false],
    [0.5, true],
  ] as const) {
    const faults = { ...soundCar(), absFault };
    const coasting = restingPlant(0, 30);
    for (let i = 0; i < 1000; i++) {
      const before = coasting.vMps;
      stepPlant(coasting, passengerCar, { throttle: 0, brake: 0, curvaturePerM: 0 }, faults, mu, dtS);
      if (coasting.vMps > before) t.fail('a coasting car gained speed');
    }
    const braking = restingPlant(0, 30);
    while (braking.vMps > 0)
      stepPlant(braking, passengerCar, { throttle: 0, brake: 1, curvaturePerM: 0 }, faults, mu, dtS);
    const idealM = 900 / (2 * mu * gravityMps2 * brakingEfficiency(passengerCar, faults));
    t.ok(braking.sM >= idealM, `μ ${mu}: ${braking.sM.toFixed(1)} m is not less than ${idealM.toFixed(1)} m`);
    t.ok(braking.sM < idealM + 30 * 0.3, `μ ${mu}: only the brake lag is lost`);
  }
});

test('faults: a failed ABS and soft tyres lengthen the stop, and the ABS no longer cycles', async (t) => {
  const stop = (faults: Faults): { distanceM: number; absCycled: boolean } => {
    const state = restingPlant(0, 25);
    let absCycled = false;
    while (state.vMps > 0) {
      stepPlant(state, passengerCar, { throttle: 0, brake: 1, curvaturePerM: 0 }, faults, 0.5, dtS);
      absCycled ||= state.absActive;
    }
    return { distanceM: state.sM, absCycled };
  };
  const sound = stop(soundCar());
  const broken = stop({ ...soundCar(), absFault: true });
  const soft = stop({ ...soundCar(), tyreKpa: { FL: 150, FR: 240, RL: 240, RR: 240 } });
  t.ok(broken.distanceM > 1.2 * sound.distanceM);
  t.ok(soft.distanceM > sound.distanceM);
  t.ok(sound.absCycled);
  t.notOk(broken.absCycled);
});

test('control systems work where the road gives less than is asked, and only there', async (t) => {
  const after = (mu: number, controls: Controls, vMps: number) => {
    const state = restingPlant(0, vMps);
    for (let i = 0; i < 100; i++) stepPlant(state, passengerCar, controls, soundCar(), mu, dtS);
    return { tcs: state.tcsActive, esc: state.escActive, lateral: Math.abs(state.ayMps2) };
  };
  const fullThrottle = { throttle: 1, brake: 0, curvaturePerM: 0 };
  t.equal(after(0.2, fullThrottle, 5).tcs, true);
  t.equal(after(0.85, fullThrottle, 5).tcs, false);
  const bend = { throttle: 0, brake: 0, curvaturePerM: 1 / 100 };
  t.equal(after(0.4, bend, 25).esc, true);
  t.ok(after(0.4, bend, 25).lateral <= 0.4 * gravityMps2 + 1e-9, 'it understeers');
  t.equal(after(0.85, bend, 25).esc, false);
});

test('a lead follows its script within what the road allows and stops at zero', async (t) => {
  const lead = enterLead(
    {
      id: 'x',
      cls: 'car',
      entersS: 0,
      leavesS: 99,
      entry: 'cut_in',
      gapM: 20,
      vMps: 20,
      phases: [{ fromS: 1, toMps: 0, rateMps2: 9 }],
    },
    100,
  );
  t.equal(lead.rearM, 120);
  t.equal(lead.inLane, 0);
  let hardest = 0;
  for (let i = 1; i <= 1000; i++) {
    stepLead(lead, i * dtS, 0.5, dtS);
    hardest = Math.min(hardest, lead.axMps2);
  }
  t.equal(lead.vMps, 0);
  t.equal(lead.inLane, 1);
  t.ok(Math.abs(hardest + 0.5 * gravityMps2) < 1e-9, 'braking is limited by the friction of the road');
});
