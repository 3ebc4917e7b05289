/** The merge of driver and intervention: properties over random drivers, intents and steps; and in the simulated world. */
import fc from 'fast-check';
import t from 'tap';
import { applyVerdict, type MonitorVerdict } from '../../daemon/core/act/apply-verdict.js';
import { measuredBrake, proportionalBrake } from '../../daemon/core/act/brake-curve.js';
import {
  type DriverControl,
  type MergeState,
  mergeBounds,
  mergeControl,
  noIntervention,
} from '../../daemon/core/act/merge-control.js';
import type { ActIntent, Decision } from '../../daemon/core/tick.js';
import { Intervention } from '../../hil/act/intervention.js';
import { SimulatorSink } from '../../hil/act/simulator-sink.js';

const peak = 11;
const brakes = proportionalBrake(peak);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const driver = fc.record({
  throttle: share,
  brake: fc.oneof(fc.constant(0), share),
  steer: fc.double({ min: -1, max: 1, noNaN: true }),
});
const calmDriver = fc.record({
  throttle: fc.double({ min: 0, max: 0.7, noNaN: true }),
  brake: fc.constant(0),
  steer: fc.double({ min: -0.07, max: 0.07, noNaN: true }),
});
const anyNumber = fc.oneof(fc.double(), fc.constantFrom(0, -1, 1e9, Number.NaN, Infinity, -Infinity));
const wildIntent: fc.Arbitrary<ActIntent> = fc.record({
  kind: fc.constant('brake_assist' as const),
  decelMps2: fc.oneof(fc.double({ min: 0, max: 20, noNaN: true }), anyNumber),
  maxMs: fc.oneof(fc.constant(1000), anyNumber),
  expiresAtUs: fc.oneof(fc.integer({ min: 0, max: 3_000_000 }), anyNumber),
});
const step = fc.constantFrom(0.01, 0.02, 0.05, 0.1);

interface Step {
  readonly driver: DriverControl;
  readonly intent: ActIntent | null;
}

/** Runs steps of `dtS`; yields what came out of each. */
function* play(steps: readonly Step[], dtS: number) {
  let state: MergeState = noIntervention;
  for (const [i, { driver: own, intent }] of steps.entries()) {
    const before = state;
    const merged = mergeControl(own, intent, state, { tUs: i * dtS * 1e6, dtS, brakes });
    state = merged.state;
    yield { ...merged, before, own, intent, i };
  }
}

const wildSteps = fc.array(fc.record({ driver, intent: fc.option(wildIntent, { nil: null }) }), {
  maxLength: 60,
});

t.test(
  'never steers, never takes braking or adds throttle, never beyond the bounds; for any input',
  async () => {
    fc.assert(
      fc.property(wildSteps, step, (steps, dtS) => {
        for (const { control, own, state, before } of play(steps, dtS)) {
          if (!Object.is(control.steer, own.steer)) return false;
          if (!(control.brake >= own.brake) || !(control.throttle <= own.throttle)) return false;
          if (!(control.brake <= 1 && control.throttle >= 0)) return false;
          const mostMps2 = Math.max(own.brake * peak, mergeBounds.decelMaxMps2);
          if (control.brake * peak > mostMps2 + 1e-9) return false;
          const fromMps2 = Math.max(before.commandMps2, own.brake * peak);
          if (state.commandMps2 > fromMps2 + mergeBounds.slewMps3 * dtS + 1e-9) return false;
        }
        return true;
      }),
      { numRuns: 2000 },
    );
  },
);

const steady = (decelMps2: number, expiresAtUs: number): ActIntent => ({
  kind: 'brake_assist',
  decelMps2,
  maxMs: 1000,
  expiresAtUs,
});

t.test(
  'rises and falls no faster than the slew, stays below what is asked, ends within a second',
  async (t) => {
    fc.assert(
      fc.property(
        fc.array(calmDriver, { minLength: 130, maxLength: 130 }),
        fc.double({ min: 0.1, max: 9, noNaN: true }),
        fc.integer({ min: 1, max: 120 }),
        step,
        (drivers, decelMps2, asked, dtS) => {
          const intent = steady(decelMps2, 1_000_000);
          const steps = drivers.map((own, i) => ({ driver: own, intent: i < asked ? intent : null }));
          for (const { state, before, i } of play(steps, dtS)) {
            if (Math.abs(state.commandMps2 - before.commandMps2) > mergeBounds.slewMps3 * dtS + 1e-9)
              return false;
            if (state.commandMps2 > Math.min(decelMps2, mergeBounds.decelMaxMps2) + 1e-9) return false;
            // What is set now holds for dt.
            if ((i + 1) * dtS >= 1 && state.commandMps2 > 0) return false;
          }
          return true;
        },
      ),
    );
    const steps = Array.from({ length: 100 }, () => ({
      driver: { throttle: 0.3, brake: 0, steer: 0 },
      intent: steady(3, 1e6),
    }));
    const commands = [...play(steps, 0.01)].map(({ state }) => state.commandMps2);
    t.ok(Math.max(...commands) === 3, 'it does reach what is asked');
    t.ok(commands.filter((one) => one === 3).length > 20);
    const rise = commands.slice(0, 30);
    t.same(
      rise,
      [...rise].sort((a, b) => a - b),
      'monotone on the way up',
    );
    const fall = commands.slice(60);
    t.same(
      fall,
      [...fall].sort((a, b) => b - a),
      'and down',
    );
  },
);

t.test('the driver has the car at once, and that intervention does not come back', async (t) => {
  const calm = { throttle: 0.2, brake: 0, steer: 0.01 };
  fc.assert(
    fc.property(
      fc.constantFrom(
        { ...calm, brake: 0.6 },
        { ...calm, steer: 0.3 },
        { ...calm, steer: -0.09 },
        { ...calm, throttle: 0.9 },
        { ...calm, brake: 0.1 },
      ),
      fc.integer({ min: 1, max: 60 }),
      (acting, at) => {
        const steps = Array.from({ length: 80 }, (_, i) => ({
          driver: i === at ? acting : calm,
          intent: steady(3, 1e6),
        }));
        return [...play(steps, 0.01)].every(({ control, own, i }) => i < at || control === own);
      },
    ),
  );
  const light = [
    ...play(
      Array.from({ length: 40 }, () => ({ driver: { ...calm, brake: 0.05 }, intent: steady(3, 1e6) })),
      0.01,
    ),
  ];
  t.equal(light[39]?.state.commandMps2, 3, 'a light foot is helped');
  const harder = mergeControl(
    { ...calm, brake: 0.09 },
    steady(0.5, 1e6),
    { ...noIntervention, expiresAtUs: 1e6, endUs: 1e6, isOver: false, commandMps2: 0.5 },
    { tUs: 1e5, dtS: 0.05, brakes },
  );
  t.equal(harder.status, 'driver', 'who brakes harder than the intervention has it, below the threshold too');
});

t.test('a verdict weakens or vetoes, and never strengthens', async (t) => {
  const verdict: fc.Arbitrary<MonitorVerdict> = fc.oneof(
    fc.constant({ kind: 'pass' as const }),
    fc.constant({ kind: 'veto' as const }),
    fc.record(
      { kind: fc.constant('weaken' as const), decelMps2: anyNumber, maxMs: anyNumber },
      { requiredKeys: ['kind'] },
    ),
  );
  const intent = steady(2.5, 7e5);
  fc.assert(
    fc.property(verdict, (said) => {
      const { intent: left } = applyVerdict(intent, said);
      if (said.kind === 'veto') return left === null;
      if (left === null) return said.kind === 'weaken';
      return left.decelMps2 <= 2.5 && left.decelMps2 > 0 && left.maxMs <= 1000 && left.expiresAtUs === 7e5;
    }),
  );
  t.match(applyVerdict(intent, { kind: 'weaken', decelMps2: 9 }), { intent, isStrengthening: true });
  const shorter = applyVerdict(intent, { kind: 'weaken', maxMs: 300 }).intent;
  const steps = Array.from({ length: 60 }, () => ({
    driver: { throttle: 0, brake: 0, steer: 0 },
    intent: shorter,
  }));
  t.ok([...play(steps, 0.01)].every(({ state, i }) => i < 30 || state.commandMps2 === 0));
});

t.test('a measured brake table goes both ways', async (t) => {
  const curve = measuredBrake([
    { share: 0.2, decelMps2: 1.1 },
    { share: 0.6, decelMps2: 5 },
    { share: 1, decelMps2: 8 },
  ]);
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 8, noNaN: true }),
      (decel) => Math.abs(curve.toDecelMps2(curve.toShare(decel)) - decel) < 1e-9,
    ),
  );
  t.equal(curve.toShare(20), 1);
  t.throws(
    () =>
      measuredBrake([
        { share: 0.5, decelMps2: 3 },
        { share: 0.6, decelMps2: 2 },
      ]),
    RangeError,
  );
  t.throws(() => measuredBrake([]), RangeError);
});

t.test('an intent that is not said again lapses; a released one ramps down', async (t) => {
  let nowUs = 0;
  const intervention = new Intervention(brakes);
  const sink = new SimulatorSink('sim', intervention, () => nowUs);
  const decision = { kind: 'act', intent: steady(3, 1e6) } as unknown as Decision;
  const own = { throttle: 0.3, brake: 0, steer: 0 };
  sink.act(1, decision);
  const commands: number[] = [];
  for (; nowUs < 900_000; nowUs += 10_000) {
    intervention.over(own, nowUs, 0.01);
    commands.push(intervention.commandMps2);
  }
  t.ok((commands[20] ?? 0) > 1.5);
  t.equal(commands[45], 0, 'nobody said it again');
  t.match(intervention.counters(), { interventions: 1, lapsed: 1, ended_by_driver: 0 });
  nowUs = 5e6;
  sink.act(2, { ...decision, intent: steady(3, 6e6) });
  for (let i = 0; i < 10; i++) intervention.over(own, nowUs + i * 1e4, 0.01);
  sink.release();
  intervention.over(own, nowUs + 1e5, 0.01);
  t.equal(intervention.status, 'releasing');
  t.ok(intervention.commandMps2 > 0.5);
});
