import fc from 'fast-check';
import t from 'tap';
import { createParams } from '../../daemon/core/params.js';
import {
  estimateGrip,
  type GripObservations,
  measuredGrip,
  surfaceOfEstimate,
} from '../../daemon/core/safety/friction-estimate.js';
import {
  displayedAdvice,
  mpsPerUnit,
  speedFactor,
  targetSpeed,
} from '../../daemon/core/safety/target-speed.js';
import { hasSlipHint, noSlip, observeSlip, type SlipMemory } from '../../daemon/core/safety/wheel-slip.js';
import { drive, fairStart, signal, speedSignal } from './step-drive.js';

const params = createParams('default');
const unitRange = fc.double({ min: 0, max: 1, noNaN: true });
const friction = fc.double({ min: 0.05, max: 1, noNaN: true });
const unit = fc.constantFrom('km/h' as const, 'mph' as const);

t.test('speed factor: above 0, at most 1, monotone in μ, and keeps the dry stopping distance', async (t) => {
  fc.assert(
    fc.property(fc.double({ min: 1, max: 60, noNaN: true }), friction, friction, (limit, a, b) => {
      const [low, high] = [
        speedFactor(limit, Math.min(a, b), params),
        speedFactor(limit, Math.max(a, b), params),
      ];
      return low > 0 && low <= high + 1e-12 && high <= 1;
    }),
  );
  fc.assert(
    fc.property(
      fc.double({ min: 1, max: 60, noNaN: true }),
      fc.double({ min: 0.05, max: 0.79, noNaN: true }),
      (limit, mu) => {
        const stop = (v: number, grip: number): number => v * 0.7 + (v * v) / (2 * grip * 9.81);
        const v = limit * speedFactor(limit, mu, params);
        return Math.abs(stop(v, mu) - stop(limit, 0.8)) < 1e-6;
      },
    ),
  );
  t.ok(speedFactor(0.5, 0.05, params) < 1, 'any limit above 0');
  for (const limit of [0, -3, Number.NaN, Number.POSITIVE_INFINITY])
    t.equal(speedFactor(limit, 0.5, params), 1);
});

t.test('advice is a multiple of five or the limit, never above the limit or the target', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 150 }), unit, friction, unitRange, (limit, unit, mu, h) => {
      const target = targetSpeed(limit, unit, mu, h, params);
      const least = unit === 'mph' ? 10 : 20;
      const targetInUnit = target.targetMps / mpsPerUnit[unit];
      return (
        target.advice <= limit &&
        target.targetMps <= limit * mpsPerUnit[unit] &&
        (target.advice % 5 === 0 || target.advice === limit) &&
        (target.advice <= targetInUnit + 1e-6 || target.advice === Math.min(limit, least)) &&
        target.tellBoth === target.advice < limit
      );
    }),
  );
  t.equal(displayedAdvice(50 / 3.6 - 1e-12, 50, 'km/h'), 50, '49.999…9 is 50');
  t.equal(displayedAdvice(49.9 / 3.6, 50, 'km/h'), 45);
  t.equal(displayedAdvice(1, 50, 'km/h'), 20);
  t.equal(displayedAdvice(1, 30, 'mph'), 10);
  t.equal(displayedAdvice(1, 7, 'km/h'), 7, 'walking pace');
  t.equal(mpsPerUnit.mph, 0.44704);
  const half = targetSpeed(100, 'km/h', 0.8, 0.5, params);
  t.ok(Math.abs(half.targetMps - 0.85 * (100 / 3.6)) < 1e-9);
  const sick = targetSpeed(100, 'km/h', 0.8, 1, params);
  t.ok(Math.abs(sick.targetMps - 0.7 * (100 / 3.6)) < 1e-9);
});

function perhaps(min: number, max: number): fc.Arbitrary<number | null> {
  return fc.option(fc.double({ min, max, noNaN: true }));
}
const stage: fc.Arbitrary<number | null> = fc.constantFrom(null, 0, 1, 2, 3);
const observations: fc.Arbitrary<GripObservations> = fc.record({
  precipitation: perhaps(0, 100),
  precipitationDeposits: perhaps(0, 100),
  wetness: perhaps(0, 100),
  wiper: stage,
  speedMps: perhaps(0, 60),
  tyreKpa: perhaps(100, 350),
  ambientC: perhaps(-30, 45),
  measuredGripRatio: perhaps(0, 1.5),
});

t.test('grip: bounds, order, and no observation makes the road better', async () => {
  fc.assert(
    fc.property(observations, (seen) => {
      const grip = estimateGrip(seen);
      return (
        grip.lower >= 0.05 - 1e-12 && grip.lower <= grip.estimate && grip.estimate <= 0.8 && grip.wetness <= 1
      );
    }),
  );
  const keys = [
    'wetness',
    'wiper',
    'ambientC',
    'measuredGripRatio',
    'precipitation',
    'precipitationDeposits',
  ] as const;
  fc.assert(
    fc.property(observations, fc.constantFrom(...keys), (seen, key) => {
      const with_ = estimateGrip(seen);
      const without = estimateGrip({ ...seen, [key]: null });
      return with_.lower <= without.lower + 1e-12 && with_.estimate <= without.estimate + 1e-12;
    }),
  );
});

t.test('grip: single steps', async (t) => {
  const near = (found: number, expected: number, name: string): void => {
    t.ok(Math.abs(found - expected) < 1e-12, `${name}: ${found} instead of ${expected}`);
  };
  near(estimateGrip({ wetness: 50 }).lower, 0.425, 'half wet');
  near(estimateGrip({ wetness: 100 }).lower, 0.15, 'the floor of the wet estimate');
  near(
    estimateGrip({}).hydroplaneMps,
    (6.35 * Math.sqrt(220)) / 3.6,
    '220 kPa where the pressure is not known',
  );
  for (const tyreKpa of [0, -10, Number.NaN])
    near(estimateGrip({ tyreKpa }).hydroplaneMps, (6.35 * Math.sqrt(220)) / 3.6, String(tyreKpa));
  near(estimateGrip({ tyreKpa: 150 }).hydroplaneMps, (6.35 * Math.sqrt(150)) / 3.6, '150 kPa');
  const reasons = (seen: GripObservations): readonly string[] => estimateGrip(seen).reasons;
  t.same(
    [{}, { wetness: 1 }, { wiper: 1 }, { wiper: 1, wetness: 30 }, { wiper: 1, wetness: 29 }].map(reasons),
    [[], ['wet_road'], ['wiper'], ['wet_road'], ['wiper']],
  );
  near(estimateGrip({ precipitation: 100 }).wetness, 0.6, 'rain alone');
  near(estimateGrip({ wetness: 400 }).estimate, 0.4, 'clamped');
  for (const [wiper, wetness] of [
    [0, 0],
    [1, 0.3],
    [2, 0.5],
    [3, 0.8],
    [9, 0.8],
    [-1, 0],
    [Number.NaN, 0],
  ] as const) {
    near(estimateGrip({ wiper }).wetness, wetness, `wiper ${wiper}`);
  }
  near(estimateGrip({ ambientC: 3 }).lower, 0.5, 'cold and dry');
  near(estimateGrip({ ambientC: 3.0001 }).lower, 0.7, 'not cold');
  near(estimateGrip({ ambientC: 0, wetness: 10 }).lower, 0.1, 'cold and wet');
  near(estimateGrip({ ambientC: 0, wetness: 9.9 }).lower, 0.5, 'cold and hardly wet');
  const flood = { precipitationDeposits: 60, tyreKpa: 220 };
  const { hydroplaneMps } = estimateGrip(flood);
  const lowerAt = (share: number): number =>
    estimateGrip({ ...flood, speedMps: share * hydroplaneMps }).lower;
  t.equal(lowerAt(0.799999), estimateGrip(flood).lower);
  t.ok(lowerAt(0.85) < lowerAt(0.8) && lowerAt(0.9) < lowerAt(0.85));
  near(lowerAt(1.2), 0.1, 'afloat');
  t.equal(
    estimateGrip({ ...flood, precipitationDeposits: 59, speedMps: 60 }).reasons.includes('standing_water'),
    false,
  );
  near(estimateGrip({ utilisationRatio: 0.9 }).estimate, 0.9, 'driven harder than estimated');
  near(estimateGrip({ utilisationRatio: 0.9 }).lower, 0.7, 'the lower bound does not move');

  // Deposits of 60 are a wetness of 0.6: lower bound 0.37 before the tyres float.
  near(lowerAt(0.803), 0.37 - 0.27 * 0.015, 'just beginning to float');
  near(lowerAt(0.9), 0.37 - 0.27 * 0.5, 'half afloat');
  near(estimateGrip({ ambientC: 0, wetness: 10 }).estimate, 0.3, 'estimate, cold and wet');
  near(estimateGrip({ measuredGripRatio: 0.4 }).estimate, 0.45, 'measured, estimate');
  near(estimateGrip({ measuredGripRatio: 0.4 }).lower, 0.35, 'measured, lower bound');
  near(estimateGrip({ measuredGripRatio: 0.08 }).lower, 0.05, 'measured, floor of the lower bound');
  near(estimateGrip({ measuredGripRatio: 0 }).estimate, 0.1, 'measured, floor');
  near(estimateGrip({ utilisationRatio: 3 }).estimate, 1, 'no tyre is credited with more');
  t.same(estimateGrip({ utilisationRatio: 0.8 }).reasons, [], 'driven as hard as estimated is no news');
  near(estimateGrip({ tyreKpa: 0.5 }).hydroplaneMps, (6.35 * Math.sqrt(0.5)) / 3.6, 'any pressure above 0');
  near(estimateGrip({ wiper: 1.9 }).wetness, 0.3, 'a stage between two is the lower one');
  for (const seen of [{ wetness: Number.NaN }, { measuredGripRatio: Number.NaN }, { ambientC: Number.NaN }]) {
    near(estimateGrip(seen).lower, 0.7, 'no number is no observation');
    t.equal(estimateGrip(seen).confidence, 0.2);
  }
  t.equal(estimateGrip({ precipitation: 0 }).confidence, 0.9);
  t.equal(estimateGrip({ precipitationDeposits: 0 }).confidence, 0.9);

  t.equal(measuredGrip(true, -0.999, params), null);
  near(measuredGrip(true, -1, params) ?? 0, 1 / 9.81, 'just enough');
  t.equal(measuredGrip(false, -5, params), null);
  t.equal(measuredGrip(true, Number.NaN, params), null);
  t.equal(measuredGrip(true, -20, params), 1);
  t.equal(measuredGrip(true, null, params), null);

  const level = (lower: number): string => estimateGrip({ measuredGripRatio: lower + 0.05 }).riskLevel;
  t.same([0.61, 0.59, 0.41, 0.39, 0.21, 0.19].map(level), [
    'low',
    'moderate',
    'moderate',
    'high',
    'high',
    'severe',
  ]);
  t.same(
    [0.65, 0.653, 0.45, 0.453, 0.25, 0.253].map(
      (measured) => estimateGrip({ measuredGripRatio: measured }).riskLevel,
    ),
    ['low', 'low', 'moderate', 'moderate', 'high', 'high'],
    'on the edge and just above it',
  );
  const surface = (seen: GripObservations): string => surfaceOfEstimate(estimateGrip(seen), seen);
  t.same(
    [
      {},
      { wetness: 0 },
      { wiper: 0 },
      { wetness: 1 },
      { wetness: 40 },
      { wetness: 80 },
      { precipitationDeposits: 60 },
      { wiper: 1, ambientC: 0 },
    ].map(surface),
    ['unknown', 'dry', 'dry', 'damp', 'wet', 'heavy_rain', 'standing_water', 'ice'],
  );
  t.same(
    [{ wetness: 3 }, { measuredGripRatio: 0.4, wiper: 1 }, { wiper: 1 }, {}].map(
      (seen) => estimateGrip(seen).confidence,
    ),
    [0.9, 0.7, 0.6, 0.2],
  );
});

t.test('slipping wheels hint at a slippery road, wrong tyres and tight turns do not', async (t) => {
  /** speeds of the wheels, sample by sample, 50 ms apart */
  const hints = (
    samples: readonly number[][],
    speedMps: number | null,
    accelerationMps2: number | null = 0,
  ): string => {
    let memory: SlipMemory = noSlip;
    return samples
      .map((wheels, i) => {
        const tUs = i * 50_000;
        const readings = wheels.map((wheel) => ({ speedMps: wheel, observedAtUs: tUs }));
        memory = observeSlip(memory, readings, speedMps, accelerationMps2, params);
        return hasSlipHint(memory, tUs, params) ? 'S' : '.';
      })
      .join('');
  };
  const spin = [22.1, 20, 20, 20];
  const fine = [20, 20, 20, 20];
  t.equal(hints([spin, spin, spin], 20), '..S', 'one wheel in three samples');
  t.equal(hints([[22.1, 17.9, 22.1, 20]], 20), 'S', 'three wheels in one');
  const late = hints([...Array.from({ length: 100 }, () => fine), spin, spin, spin], 20);
  t.equal(late.indexOf('S'), 102, 'five seconds into the drive');
  t.equal(hints([spin, spin, fine, spin, spin], 20), '.....', 'a good sample in between');
  t.equal(hints([spin, spin, [22, 20, 20, 20], spin], 20), '....', 'exactly 10 % is none');
  t.equal(hints([spin, spin, spin], 20, -2), '...', 'braking explains it');
  t.equal(hints([spin, spin, spin], 20, -1.99), '..S');
  t.equal(hints([spin, spin, spin], 20, null), '..S');
  t.equal(hints([spin, spin, spin], null), '...');
  const slow = [9, 7.9, 7.9, 7.9];
  t.equal(hints([slow, slow, slow], 7.99), '...', 'a turning circle explains it');
  t.equal(hints([slow, slow, slow], 8), '..S');
  const spare = hints(
    Array.from({ length: 200 }, () => spin),
    20,
  );
  t.equal(
    spare.indexOf('.', 3),
    61 + 100,
    'held for three seconds it is a wrong tyre; the hint runs out after five',
  );

  let memory: SlipMemory = noSlip;
  for (let repeat = 0; repeat < 5; repeat++) {
    memory = observeSlip(memory, [{ speedMps: 30, observedAtUs: 7 }], 20, 0, params);
  }
  t.equal(memory.count, 1, 'a sample counts once however often it is looked at');
  const [old, fresh] = [
    { speedMps: 30, observedAtUs: 7 },
    { speedMps: 20, observedAtUs: 9 },
  ];
  t.equal(observeSlip(memory, [old, fresh], 20, 0, params).count, 0, 'nor beside a newer one');
  t.equal(hasSlipHint({ ...noSlip, hintUs: 0 }, 5_000_000, params), true);
  t.equal(hasSlipHint({ ...noSlip, hintUs: 0 }, 5_000_001, params), false);

  const wheel = 'Vehicle.Chassis.Axle.Row1.Wheel.Left.Speed';
  const slippery = drive({
    ticks: 60,
    plan: (tick, tUs) => ({
      signals: [speedSignal(20, tUs), signal(wheel, tick >= 30 && tick < 34 ? 25 : 20, tUs)],
      facts: tick === 0 ? fairStart(tUs) : [],
    }),
  });
  const fired = slippery.outputs.flatMap(({ events }) =>
    events.filter(({ type }) => type === 'low_friction'),
  );
  t.same(
    fired.map(({ score, payload }) => [score, payload['cause']]),
    [[0.6, 'slip']],
  );
});
