import fc from 'fast-check';
import t from 'tap';
import {
  type AdaptationState,
  adapt,
  type FeedbackKind,
  initialAdaptation,
} from '../../daemon/core/arbiter/adaptation.js';
import { decodeAdaptation, encodeAdaptation } from '../../daemon/core/arbiter/adaptation-record.js';
import {
  type ArbiterContext,
  type ArbiterState,
  type Arbitration,
  arbitrate,
  initialArbiterState,
} from '../../daemon/core/arbiter/arbiter.js';
import { type FeedbackEvidence, initialFeedback, watchFeedback } from '../../daemon/core/arbiter/feedback.js';
import { actBlockers } from '../../daemon/core/arbiter/guards.js';
import { createParams, type Params } from '../../daemon/core/params.js';
import { assessSafety, type SafetyAssessment, startThresholds } from '../../daemon/core/safety/assessment.js';

const defaultParams = createParams('default');
const params = defaultParams;
const periodUs = 50_000;

function assess(gapM: number, closingMps: number, speedMps = 18, confidence = 0.9): SafetyAssessment {
  return assessSafety(
    {
      speedMps,
      lead: Number.isNaN(gapM) ? null : { gapM, closingMps },
      friction: { est: 0.8, lo: 0.7 },
      road: 'dry',
      healthRisk: 0,
      confidence,
    },
    startThresholds(params),
    params,
  );
}
const danger = assess(10, 10);
/** between Δ − 0.05 and Δ: neither acts nor releases */
const fading = assess(14, 10);
const calm = assess(30, 5);

/** Runs the arbiter tick after tick; a store that answers within the tick unless told otherwise. */
class Drive {
  state: ArbiterState = initialArbiterState;
  tick = 0;

  constructor(readonly params: Params = defaultParams) {}

  next(safety: SafetyAssessment, change: Partial<ArbiterContext> = {}): Arbitration {
    const context: ArbiterContext = {
      tick: this.tick,
      tUs: this.tick * periodUs,
      mode: 'NORMAL',
      store: { healthy: true, durableTick: this.tick - 1, lagUs: 0 },
      actAuthorised: true,
      driverOverride: false,
      confirmTicks: 4,
      ...change,
    };
    const result = arbitrate(this.state, safety, context, this.params);
    this.state = result.state;
    this.tick++;
    return result;
  }

  run(safety: SafetyAssessment, ticks: number, change: Partial<ArbiterContext> = {}): Arbitration[] {
    return Array.from({ length: ticks }, () => this.next(safety, change));
  }
}

const kinds = (results: readonly Arbitration[]): string =>
  results.map(({ decision }) => (decision.kind === 'act' ? (decision.held ? 'h' : 'A') : '.')).join('');

t.test('ACT needs its condition on consecutive ticks', async (t) => {
  t.same(actBlockers(danger, params), []);
  const drive = new Drive();
  t.equal(kinds(drive.run(danger, 3)), '...');
  t.same(
    drive.run(calm, 1)[0]?.decision.blockedBy,
    ['no_rss_violation', 'margin'].slice(1),
    'only the margin',
  );
  const results = drive.run(danger, 4);
  t.equal(kinds(results), '...A', 'one tick without it starts the count anew');
  t.same(
    results.map(({ decision }) => [decision.confirm, decision.blockedBy.join()]),
    [
      [1, 'unconfirmed'],
      [2, 'unconfirmed'],
      [3, 'unconfirmed'],
      [4, ''],
    ],
  );
  t.same(
    results.map(({ isActStart }) => isActStart),
    [false, false, false, true],
  );
});

t.test('an intervention is bounded', async (t) => {
  const drive = new Drive();
  const [start] = drive.run(danger, 4).slice(-1);
  const intent = start?.decision.intent;
  t.same(intent, {
    kind: 'brake_assist',
    decelMps2: 3.5,
    maxMs: 1000,
    expiresAtUs: 3 * periodUs + 1_000_000,
  });
  const results = drive.run(danger, 25);
  t.equal(kinds(results), `${'A'.repeat(19)}${'.'.repeat(6)}`, 'one second in all');
  t.equal(results[19]?.ended, 'expired');
  t.same(results[20]?.decision.blockedBy, ['cooldown']);
  for (const { decision } of results) {
    if (decision.intent !== null)
      t.equal(decision.intent.expiresAtUs, intent?.expiresAtUs, 'never prolonged');
  }
  const waiting = drive.run(danger, 40);
  t.equal(kinds(waiting).indexOf('A'), 34, 'two seconds of rest after its end');

  const changing = new Drive();
  changing.run(danger, 4);
  t.equal(changing.next(assess(1, 1)).decision.intent?.decelMps2, 1, 'the demand follows the situation');
  t.equal(changing.next(calm).decision.intent?.decelMps2, 1, 'and stays while the condition does not hold');

  // Deceleration: the class limit, 0.8·μ_lo·g, or what the closing speed needs.
  const decel = (safety: SafetyAssessment): number | undefined => {
    const fresh = new Drive();
    return fresh.run(safety, 4).at(-1)?.decision.intent?.decelMps2;
  };
  t.equal(decel(assess(2.2, 2)), 3.5, 'gap floor 0.5 m: 4 m/s² needed');
  t.ok(Math.abs((decel(assess(1, 1)) ?? 0) - 1) < 1e-12, 'v²/(2·0.5)');
  t.ok(Math.abs((decel(assess(4, 3.5)) ?? 0) - 12.25 / 4) < 1e-12, 'v²/(2·2)');
  const ice = assessSafety(
    {
      speedMps: 18,
      lead: { gapM: 10, closingMps: 10 },
      friction: { est: 0.1, lo: 0.05 },
      road: 'ice',
      healthRisk: 0,
    },
    startThresholds(params),
    params,
  );
  t.ok(Math.abs((decel(ice) ?? 0) - 0.8 * 0.05 * 9.81) < 1e-12, 'grip');
});

t.test('hold, release and cooldown', async (t) => {
  const held = new Drive();
  held.run(danger, 4);
  const results = held.run(calm, 12);
  t.equal(kinds(results), 'hhhhhhhhh...', 'half a second at least');
  t.equal(results[9]?.ended, 'released');
  t.equal(results[0]?.decision.intent?.decelMps2, 3.5, 'the demand of its last condition');

  t.ok(fading.record.score < 0.2 && fading.record.score > 0.15);
  const fadingDrive = new Drive();
  fadingDrive.run(danger, 4);
  t.equal(kinds(fadingDrive.run(fading, 12)), 'hhhhhhhhhhhh', 'no release before the score is 0.05 below Δ');

  const lost = new Drive();
  lost.run(danger, 4);
  t.equal(kinds(lost.run(assess(Number.NaN, 0), 12)), 'hhhhhhhhh...', 'a lost lead is held, then released');
  const unsure = new Drive();
  unsure.run(danger, 4);
  t.equal(
    kinds(unsure.run(assess(10, 10, 18, 0.3), 12)),
    'hhhhhhhhh...',
    'a failed guard ends it after the hold',
  );

  const far = assess(18, 10);
  t.ok(far.record.score < 0.15 && (far.record.ttc ?? 9) < 3);
  const eased = new Drive();
  eased.run(danger, 4);
  t.equal(kinds(eased.run(far, 12)), 'hhhhhhhhh...', 'a low score releases at any TTC');
  // At the lower bound of Δ a sick car keeps a score above Δ − 0.05 whatever the TTC: then TTC alone releases.
  const sick = (gapM: number): SafetyAssessment =>
    assessSafety(
      {
        speedMps: 30,
        lead: { gapM, closingMps: 10 },
        friction: { est: 0.8, lo: 0.7 },
        road: 'dry',
        healthRisk: 1,
      },
      { marginRatio: 0.12, confidenceMinRatio: 0.6 },
      params,
    );
  for (const [gapM, text] of [
    [30, 'hhhhhhhhhhhh'],
    [30.001, 'hhhhhhhhh...'],
  ] as const) {
    const drive = new Drive();
    drive.run(sick(10), 4);
    t.equal(kinds(drive.run(sick(gapM), 12)), text, `TTC ${gapM / 10} s`);
  }

  // Cooldown by its boundary: released at tick 13, so 0.65 s; the next ACT cannot be before 2.65 s = tick 53.
  const rest = held.run(danger, 60);
  t.equal(kinds(rest).indexOf('A') + 16, 53);
});

t.test('who ends an intervention at once', async (t) => {
  const cases: [change: Partial<ArbiterContext>, ended: string, word: string][] = [
    [{ driverOverride: true }, 'driver', 'cooldown'],
    [{ mode: 'ADVISORY' }, 'mode', 'mode'],
    [{ mode: 'MONITOR' }, 'mode', 'mode'],
    [{ actAuthorised: false }, 'not_authorised', 'not_authorised'],
  ];
  for (const [change, ended, word] of cases) {
    const drive = new Drive();
    drive.run(danger, 5);
    const result = drive.next(danger, change);
    t.same([result.decision.kind, result.ended, result.decision.blockedBy], ['speak', ended, [word]]);
    t.same(drive.next(danger).decision.blockedBy, ['cooldown']);
  }
});

t.test('what keeps an intervention from starting, one word each', async (t) => {
  const unhealthy = { healthy: false, durableTick: 100, lagUs: 0 };
  const cases: [change: Partial<ArbiterContext>, word: string][] = [
    [{ driverOverride: true }, 'cooldown'],
    [{ mode: 'ADVISORY' }, 'mode'],
    [{ mode: 'ADVISORY', actAuthorised: false }, 'mode'],
    [{ store: unhealthy }, 'no_durable_record'],
    [{ store: unhealthy, actAuthorised: false }, 'no_durable_record'],
    [{ actAuthorised: false }, 'not_authorised'],
  ];
  for (const [change, word] of cases) {
    const results = new Drive().run(danger, 6, change);
    t.equal(kinds(results), '......');
    t.same(results[5]?.decision.blockedBy, [word]);
    t.same(results[2]?.decision.blockedBy, ['unconfirmed']);
  }
  t.same(
    new Drive().run(calm, 1, { mode: 'ADVISORY', actAuthorised: false })[0]?.decision.blockedBy,
    ['margin'],
    'the words of the daemon follow only where nothing else blocks',
  );
});

t.test('no durable record, no ACT', async (t) => {
  const stuck = { store: { healthy: true, durableTick: 1, lagUs: 0 } };
  const drive = new Drive();
  t.equal(drive.run(danger, 4).at(-1)?.isActStart, true);
  const withdrawn = drive.next(danger, stuck);
  t.same(
    [withdrawn.decision.kind, withdrawn.ended, withdrawn.decision.blockedBy, withdrawn.decision.intent],
    ['speak', 'withdrawn', ['no_durable_record'], null],
  );
  t.same(
    drive.next(danger, stuck).decision.blockedBy,
    ['no_durable_record'],
    'not again before the store caught up',
  );
  const again = drive.next(danger, { store: { healthy: true, durableTick: 3, lagUs: 0 } });
  t.equal(again.isActStart, true, 'a new start has a record of its own');
  t.equal(drive.next(danger, { store: { healthy: true, durableTick: 5, lagUs: 0 } }).ended, 'withdrawn');

  const patient = createParams('default', { overrides: { act: { durableTicksMaxCount: 2 } } });
  const waiting = new Drive(patient);
  waiting.run(danger, 4);
  t.equal(waiting.next(danger, stuck).decision.kind, 'act', 'as many ticks as the parameter says');
  t.equal(waiting.next(danger, stuck).ended, 'withdrawn');

  const hasty = new Drive(patient);
  hasty.run(danger, 4);
  t.equal(
    hasty.next(danger, { store: { healthy: false, durableTick: 1, lagUs: 0 } }).ended,
    'withdrawn',
    'no waiting for a broken store',
  );

  const broken = new Drive();
  broken.run(danger, 4);
  t.same(
    broken.next(calm, { store: { healthy: false, durableTick: 3, lagUs: 0 } }).decision.blockedBy,
    ['margin', 'no_durable_record'],
    'acknowledged or not: an unhealthy store on the next tick withdraws',
  );

  const late = new Drive();
  late.run(danger, 5);
  t.equal(
    late.next(danger, { store: { healthy: false, durableTick: 3, lagUs: 0 } }).decision.kind,
    'act',
    'durable once',
  );
});

t.test('whatever happens, an ACT starts only with every condition met', async () => {
  const assessments = [
    danger,
    fading,
    calm,
    assess(10, 10, 18, 0.3),
    assess(10, 10, -1),
    assess(Number.NaN, 0),
  ];
  const event = fc.record({
    safety: fc.constantFrom(...assessments),
    mode: fc.constantFrom('NORMAL' as const, 'NORMAL' as const, 'NORMAL' as const, 'ADVISORY' as const),
    healthy: fc.boolean(),
    lag: fc.integer({ min: 0, max: 3 }),
    actAuthorised: fc.constantFrom(true, true, true, false),
    driverOverride: fc.constantFrom(false, false, false, true),
    repeat: fc.integer({ min: 1, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const drive = new Drive();
      let run = 0;
      let startUs: number | null = null;
      for (const { safety, healthy, lag, repeat, ...rest } of events) {
        for (let i = 0; i < repeat; i++) {
          const tUs = drive.tick * periodUs;
          const store = { healthy, durableTick: drive.tick - 1 - lag, lagUs: 0 };
          const { decision, isActStart } = drive.next(safety, { ...rest, store });
          const isOpen = actBlockers(safety, params).length === 0;
          run = isOpen ? run + 1 : 0;
          if (isActStart) {
            startUs = tUs;
            if (run < 4 || rest.mode !== 'NORMAL' || !healthy || !rest.actAuthorised || rest.driverOverride)
              return false;
          }
          if (decision.kind === 'act') {
            if (rest.mode !== 'NORMAL' || !rest.actAuthorised || rest.driverOverride) return false;
            if (decision.held === isOpen || decision.intent === null || decision.blockedBy.length > 0)
              return false;
            if (startUs === null || tUs - startUs >= 1_000_000 || decision.intent.decelMps2 > 3.5)
              return false;
          } else if (decision.blockedBy.length === 0 || decision.intent !== null || decision.held)
            return false;
        }
      }
      return true;
    }),
    { numRuns: 400 },
  );
});

t.test('adaptation is bounded, slow and reversible', async (t) => {
  const minute = 60_000_000;
  const step = (state: AdaptationState, feedback: FeedbackKind[], tUs: number) =>
    adapt(state, feedback, tUs, params);
  const start = initialAdaptation(params);
  const once = step(start, ['late_warning', 'late_warning'], 0);
  t.same([once.state.marginRatio, once.state.confidenceMinRatio, once.applied], [0.19, 0.58, 'late_warning']);
  t.equal(step(once.state, ['late_warning'], minute - 1).applied, 'none:rate');
  t.equal(step(once.state, ['late_warning'], minute).applied, 'late_warning');
  const later = step(start, ['late_warning'], 5_000_000).state;
  t.equal(step(later, ['late_warning'], 5_000_000 + minute - 1).applied, 'none:rate');
  t.equal(step(later, ['late_warning'], 5_000_000 + minute).applied, 'late_warning');
  const other = step(once.state, ['false_positive'], 1);
  t.same(
    [other.state.marginRatio, other.state.confidenceMinRatio, other.applied],
    [0.2, 0.6, 'false_positive'],
  );
  const conflict = step(start, ['late_warning', 'false_positive'], 0);
  t.equal(conflict.applied, 'none:conflict');
  t.equal(step(conflict.state, ['late_warning'], 1).applied, 'late_warning', 'a conflict uses no budget');
  t.equal(step(start, [], 0).applied, 'none');
  const literal = createParams('paper-literal');
  t.equal(adapt(initialAdaptation(literal), ['late_warning'], 0, literal).applied, 'none', 'frozen');

  fc.assert(
    fc.property(
      fc.array(fc.constantFrom<FeedbackKind>('late_warning', 'false_positive'), { maxLength: 40 }),
      (list) => {
        let state = start;
        for (const [i, feedback] of list.entries()) {
          state = step(state, [feedback], i * minute).state;
          const text = String(state.marginRatio) + String(state.confidenceMinRatio);
          if (text.length > 12) return false;
          if (state.marginRatio < 0.12 || state.marginRatio > 0.26) return false;
          if (state.confidenceMinRatio < 0.4 || state.confidenceMinRatio > 0.8) return false;
        }
        return true;
      },
    ),
  );
});

t.test('adaptation survives a restart and nothing else does', async (t) => {
  const moved = adapt(initialAdaptation(params), ['false_positive'], 5, params).state;
  const text = encodeAdaptation(moved, params);
  const back = decodeAdaptation(text, 1000, params);
  t.equal(back.problem, 'none');
  t.same([back.state.marginRatio, back.state.confidenceMinRatio], [0.21, 0.62]);
  t.equal(adapt(back.state, ['false_positive'], 2000, params).applied, 'none:rate', 'a restart buys no step');

  const start = initialAdaptation(params);
  t.equal(
    encodeAdaptation(start, params),
    '{"c_min":0.6,"crc32":"81b3532b","delta":0.2,"preset":"default","version":1}\n',
    'CRC-32 as zlib computes it',
  );
  t.match(
    encodeAdaptation({ ...start, marginRatio: 0.5 }, params),
    /"crc32":"016ea1f2"/,
    'leading zeros are kept',
  );
  for (const [marginRatio, confidenceMinRatio] of [
    [0.12, 0.4],
    [0.26, 0.8],
  ] as const) {
    const edge = decodeAdaptation(
      encodeAdaptation({ ...start, marginRatio, confidenceMinRatio }, params),
      0,
      params,
    );
    t.same(
      [edge.problem, edge.state.marginRatio, edge.state.confidenceMinRatio],
      ['none', marginRatio, confidenceMinRatio],
    );
  }

  const forged = encodeAdaptation({ ...moved, marginRatio: 0.05 }, params);
  const cases: [text: string, problem: string][] = [
    ['', 'unreadable'],
    ['[]', 'unreadable'],
    ['null', 'unreadable'],
    [text.slice(0, -8), 'unreadable'],
    [text.replace('"version":1', '"version":2'), 'version'],
    [text.replace('0.21', '0.22'), 'checksum'],
    [text.replace(/"crc32":"[^"]+",/, ''), 'checksum'],
    [text.replace('"delta"', '"\\ud800"'), 'checksum'],
    [forged, 'bounds'],
    [encodeAdaptation({ ...moved, confidenceMinRatio: 0.9 }, params), 'bounds'],
    [encodeAdaptation(moved, createParams('paper-literal')), 'preset'],
  ];
  for (const [damaged, problem] of cases) {
    const result = decodeAdaptation(damaged, 0, params);
    t.equal(result.problem, problem, damaged.slice(0, 60));
    t.same(result.state, initialAdaptation(params));
  }
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.nat(127), (at, code) => {
      const damaged = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
      const { state, problem } = decodeAdaptation(damaged, 0, params);
      // White space may change; a number may not.
      return problem === 'none'
        ? state.marginRatio === 0.21 && state.confidenceMinRatio === 0.62
        : state.marginRatio === 0.2;
    }),
    { numRuns: 1000 },
  );
});

t.test('feedback without a button, at its edges', async (t) => {
  const calmEvidence = { isEscalation: false, ttcS: null, accelerationMps2: null, isCancelled: false };
  type Evidence = Partial<Omit<FeedbackEvidence, 'tUs'>>;
  const watch = (steps: readonly (readonly [tUs: number, evidence: Evidence])[]): string =>
    steps
      .reduce(
        ({ state, kinds }, [tUs, evidence]) => {
          const result = watchFeedback(state, { ...calmEvidence, ...evidence, tUs }, []);
          return { state: result.state, kinds: [...kinds, ...result.kinds] };
        },
        { state: initialFeedback, kinds: [] as FeedbackKind[] },
      )
      .kinds.join();
  const escalates = (ttcS: number) => [10, { isEscalation: true, ttcS }] as const;
  t.equal(watch([escalates(0.99), [20, { accelerationMps2: -4 }]]), 'late_warning');
  t.equal(watch([escalates(1), [20, { accelerationMps2: -4 }]]), '', 'a second is in time');
  t.equal(watch([escalates(1.005), [20, { accelerationMps2: -4 }]]), '');
  t.equal(watch([escalates(0.99), [20, { accelerationMps2: -3.99 }]]), '', 'no hard brake');
  t.equal(watch([escalates(0.99), [20, { accelerationMps2: -4.02 }]]), 'late_warning');
  t.equal(watch([escalates(0.99), [2_000_010, {}], [2_000_011, { accelerationMps2: -9 }]]), 'late_warning');
  t.equal(
    watch([escalates(0.99), [2_000_011, {}], [2_000_012, { accelerationMps2: -9 }]]),
    '',
    'not of this escalation',
  );
  t.equal(watch([escalates(2.5), [1_000_010, { isCancelled: true }]]), 'false_positive');
  t.equal(watch([escalates(2.5), [1_000_011, { isCancelled: true }]]), '', 'cancelled after a second');
  t.equal(watch([escalates(2.51), [20, { isCancelled: true }]]), 'false_positive');
  t.equal(
    watch([escalates(2.6), [20, { ttcS: 2.49 }], [30, { isCancelled: true }]]),
    '',
    'something was near',
  );
  t.equal(watch([escalates(2.6), [20, { ttcS: 9 }], [30, { isCancelled: true }]]), 'false_positive');
  t.equal(
    watch([
      [10, { isEscalation: true }],
      [20, { accelerationMps2: -9 }],
    ]),
    '',
    'no TTC, nothing to judge',
  );
  t.equal(
    watch([
      [10, { ttcS: 0.5 }],
      [20, { accelerationMps2: -9 }],
    ]),
    '',
    'no escalation',
  );
  t.equal(
    watch([escalates(3), [15, { isEscalation: true, ttcS: 0.5 }], [20, { accelerationMps2: -9 }]]),
    '',
    'the first counts',
  );
  const button = (kinds: readonly FeedbackKind[]) =>
    watchFeedback(initialFeedback, { ...calmEvidence, tUs: 0 }, kinds).kinds;
  t.same(button(['late_warning', 'late_warning']), ['late_warning'], 'once');
  t.same(button(['false_positive', 'late_warning']), ['false_positive', 'late_warning']);
});
