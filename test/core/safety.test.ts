import fc from 'fast-check';
import t from 'tap';
import { actBlockers } from '../../daemon/core/arbiter/guards.js';
import { ttcStar } from '../../daemon/core/params/reachability.js';
import { createParams, presetNames } from '../../daemon/core/params.js';
import { assessSafety, defaultRules, startThresholds } from '../../daemon/core/safety/assessment.js';
import { brickWallRule } from '../../daemon/core/safety/brick-wall.js';
import type { SafetyEvaluator } from '../../daemon/core/safety/evaluator.js';
import { frictionTable } from '../../daemon/core/safety/friction-table.js';
import { fullRssRule } from '../../daemon/core/safety/full-rss.js';
import { assessActors, type LeadCandidate } from '../../daemon/core/safety/lead-choice.js';
import { resolveInputs, type SafetyInputs } from '../../daemon/core/safety/safety-inputs.js';
import { roadSurfaces } from '../../daemon/core/world/facts.js';

const params = createParams('default');
const thresholds = startThresholds(params);

/** A clear case: closing at 10 m/s from 18 m/s on a dry road, everything known. */
const clear = {
  speedMps: 18,
  lead: { gapM: 10, closingMps: 10 },
  friction: { est: 0.8, lo: 0.7 },
  road: 'dry',
  healthRisk: 0,
  confidence: 0.9,
} as const satisfies SafetyInputs;

function blockers(inputs: SafetyInputs, marginRatio = thresholds.marginRatio): string[] {
  return actBlockers(assessSafety(inputs, { ...thresholds, marginRatio }, params), params);
}

const junkNumber = fc.oneof(
  fc.double(),
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -0,
    0,
    1e300,
    -1e300,
    5e-324,
  ),
  fc.double({ min: -5, max: 60, noNaN: true }),
);
const junkInputs: fc.Arbitrary<SafetyInputs> = fc.record(
  {
    speedMps: fc.option(junkNumber),
    speedAgeUs: junkNumber,
    lead: fc.option(
      fc.record(
        { gapM: fc.option(junkNumber), closingMps: fc.option(junkNumber), ageUs: junkNumber },
        { requiredKeys: ['gapM', 'closingMps'] },
      ),
    ),
    friction: fc.option(
      fc.record(
        { est: fc.option(junkNumber), lo: fc.option(junkNumber), ageUs: junkNumber },
        { requiredKeys: ['est'] },
      ),
    ),
    road: fc.oneof(fc.constantFrom<string>(...roadSurfaces), fc.string(), fc.constant('__proto__')),
    brakeEffectiveness: fc.option(junkNumber),
    healthRisk: fc.option(junkNumber),
    healthAgeUs: junkNumber,
    confidence: fc.option(junkNumber),
  },
  { requiredKeys: ['speedMps', 'lead', 'friction', 'healthRisk'] },
);

t.test('arbitrary junk: risk stays in 0…1, records stay finite, guards hold', async () => {
  for (const preset of presetNames) {
    const set = createParams(preset);
    const start = startThresholds(set);
    const rules = { deciding: brickWallRule, monitors: [fullRssRule] };
    fc.assert(
      fc.property(junkInputs, (inputs) => {
        const assessment = assessSafety(inputs, start, set, rules);
        const { record, situation } = assessment;
        if (!(record.r >= 0 && record.r <= 1)) return false;
        for (const value of Object.values(record)) {
          if (typeof value === 'number' && !Number.isFinite(value)) return false;
        }
        const sorted = [...record.flags].sort();
        if (sorted.some((flag, i) => flag !== record.flags[i])) return false;
        const list = actBlockers(assessment, set);
        if (list.length > 0) return true;
        return (
          preset === 'default' &&
          record.rss_viol === 1 &&
          record.score > record.delta &&
          situation.speedMps !== null &&
          situation.speedMps >= 0.5 &&
          !situation.isReversing &&
          situation.lead !== null &&
          situation.lead.closingMps > 0.1 &&
          situation.confidence >= record.c_min
        );
      }),
      { numRuns: 3000 },
    );
  }
});

t.test('the printed constants never act, whatever the input', async () => {
  const literal = createParams('paper-literal');
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 70, noNaN: true }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      fc.double({ min: 0, max: 70, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (speedMps, gapM, closingMps, healthRisk) => {
        const inputs = { ...clear, speedMps, lead: { gapM, closingMps }, healthRisk };
        const assessment = assessSafety(inputs, startThresholds(literal), literal);
        return actBlockers(assessment, literal).includes('margin');
      },
    ),
    { numRuns: 2000 },
  );
});

t.test('the numbers of one decision, worked out by hand', async (t) => {
  // 20 m/s on a wet road (lower bound 0.4) with 80 % of the brakes, 10 m behind a lead closed on at 5 m/s.
  const { record } = assessSafety(
    {
      ...clear,
      speedMps: 20,
      lead: { gapM: 10, closingMps: 5 },
      friction: { est: 0.6, lo: 0.4 },
      road: 'wet',
      brakeEffectiveness: 0.8,
      healthRisk: 0.5,
    },
    thresholds,
    params,
  );
  const expected = {
    v: 20,
    d: 10,
    dv: 5,
    mu_used: 0.4,
    a_brake: 0.4 * 9.81 * 0.8,
    dmin: 14 + 400 / (2 * 0.4 * 9.81 * 0.8) + 2,
    ttc: 2,
    ttc_term: 0.2,
    rss_viol: 1,
    h_used: 0.5,
    r: 0.12 + 0.3 + 0.05,
    u_act: 0.47 - 0.09,
    u_speak: 0.6 * 0.47 - 0.05,
    score: 0.4 * 0.47 - 0.04,
    delta: 0.2,
    c_min: 0.6,
    conf: 0.9,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = record[name as 'r'];
    t.ok(Math.abs(found - value) < 1e-12, `${name}: ${found} instead of ${value}`);
  }
  const alone = assessSafety({ ...clear, lead: null, healthRisk: 0.5 }, thresholds, params).record;
  t.same([alone.d, alone.dv, alone.ttc, alone.ttc_term, alone.rss_viol], [null, null, null, 0, 0]);
  t.ok(Math.abs(alone.r - 0.05) < 1e-12);
  t.ok(alone.dmin !== null, 'the envelope is known without a lead');
  const blind = assessSafety({ ...clear, speedMps: null }, thresholds, params).record;
  t.same(
    [blind.v, blind.dmin, blind.rss_viol, blind.ttc],
    [null, null, 0, 1],
    'without ego speed TTC is still known',
  );
  const standing = assessSafety(
    { ...clear, speedMps: 0, lead: { gapM: 1, closingMps: 0 } },
    thresholds,
    params,
  ).record;
  t.same([standing.dmin, standing.ttc], [2, 10], 'd0 alone; closing speed floored');
});

t.test('one failed guard is enough', async (t) => {
  t.same(blockers(clear), []);
  const cases: [word: string, change: Partial<SafetyInputs>][] = [
    ['ego_speed_missing', { speedMps: null }],
    ['ego_speed_missing', { speedAgeUs: 500_001 }],
    ['reverse', { speedMps: -1 }],
    ['below_v_act_min', { speedMps: 0.4999 }],
    ['not_closing', { lead: { gapM: 0.1, closingMps: 0.1 } }],
    ['confidence', { confidence: 0.5999 }],
    ['confidence', { confidence: null }],
    ['no_rss_violation', { lead: null }],
    ['no_rss_violation', { lead: { gapM: 10, closingMps: 10, ageUs: 500_001 } }],
    ['margin', { lead: { gapM: 12.6, closingMps: 10 } }],
  ];
  for (const [word, change] of cases) t.ok(blockers({ ...clear, ...change }).includes(word), word);
});

t.test('boundary sweep: each threshold flips exactly where it says', async (t) => {
  const tiny = 1e-9;
  const sweep: [
    name: string,
    at: (offset: number) => boolean,
    below: boolean,
    on: boolean,
    above: boolean,
  ][] = [
    ['gap against d_min', (o) => hasViolation(dMin(18) + o), true, false, false],
    [
      'TTC* = 1.25 s',
      // a micrometre each way: what differs in the last bits only is a tie
      (o) => blockers({ ...clear, lead: { gapM: 12.5 + o * 1e3, closingMps: 10 } }).length === 0,
      true,
      false,
      false,
    ],
    [
      'least speed',
      (o) => blockers({ ...clear, speedMps: 0.5 + o, lead: { gapM: 0.5, closingMps: 1 } }).length === 0,
      false,
      true,
      true,
    ],
    [
      'closing speed',
      (o) => !blockers({ ...clear, lead: { gapM: 0, closingMps: 0.1 + o } }).includes('not_closing'),
      false,
      false,
      true,
    ],
    ['confidence', (o) => blockers({ ...clear, confidence: 0.6 + o }).length === 0, false, true, true],
    [
      'age of speed',
      (o) => blockers({ ...clear, speedAgeUs: 500_000 + o * 1e9 }).length === 0,
      true,
      true,
      false,
    ],
    [
      'age of lead',
      (o) => blockers({ ...clear, lead: { ...clear.lead, ageUs: 500_000 + o * 1e9 } }).length === 0,
      true,
      true,
      false,
    ],
    [
      'age of μ',
      (o) => muFlags({ friction: { est: 0.8, ageUs: 60_000_000 + o * 1e9 } }).length === 0,
      true,
      true,
      false,
    ],
    [
      'age of health',
      (o) => muFlags({ healthRisk: 0.1, healthAgeUs: 10_000_000 + o * 1e9 }).length === 0,
      true,
      true,
      false,
    ],
    ['μ floor', (o) => muFlags({ friction: { est: 0.05 + o } }).length === 0, false, true, true],
    ['μ ceiling', (o) => muFlags({ friction: { est: 1 + o } }).length === 0, true, true, false],
  ];
  for (const [name, at, below, on, above] of sweep) {
    t.equal(at(-tiny), below, `${name}: just below`);
    t.equal(at(0), on, `${name}: on it`);
    t.equal(at(tiny), above, `${name}: just above`);
  }
  const assessment = assessSafety(clear, thresholds, params);
  const tie = { ...assessment, record: { ...assessment.record, delta: assessment.record.score } };
  t.same(actBlockers(tie, params), ['margin'], 'a tie is SPEAK');
});

function dMin(speedMps: number): number {
  return assessSafety({ ...clear, speedMps }, thresholds, params).record.dmin ?? Number.NaN;
}

function hasViolation(gapM: number): boolean {
  return assessSafety({ ...clear, lead: { gapM, closingMps: 10 } }, thresholds, params).record.rss_viol === 1;
}

function muFlags(change: Partial<SafetyInputs>): readonly string[] {
  return resolveInputs({ ...clear, ...change }, params).flags;
}

t.test('inputs are resolved with a flag for each substitution', async (t) => {
  const cases: [change: Partial<SafetyInputs>, flags: string[], member: string, value: unknown][] = [
    [{ speedMps: Number.NaN }, ['missing:v', 'nonfinite:v'], 'speedMps', null],
    [{ speedMps: null }, ['missing:v'], 'speedMps', null],
    [{ speedMps: -2 }, ['reverse'], 'speedMps', 0],
    [{ speedMps: 0 }, [], 'isReversing', false],
    [{ lead: { gapM: 0, closingMps: 3 } }, [], 'isReversing', false],
    [{ lead: { gapM: -1e-9, closingMps: 3 } }, ['neg_distance'], 'isReversing', false],
    [{ friction: { est: 0.6, lo: 0 }, road: 'wet' }, [], 'frictionUsed', 0.4],
    [{ friction: { est: 0.6, lo: null }, road: 'wet' }, [], 'frictionUsed', 0.4],
    [{}, [], 'brakeEffectiveness', 1],
    [{}, [], 'frictionEstimate', 0.8],
    [{ friction: null }, ['mu:fallback'], 'frictionEstimate', 0.7],
    [{ confidence: 7 }, [], 'confidence', 1],
    [{ confidence: -7 }, [], 'confidence', 0],
    [{ confidence: Number.NaN }, ['nonfinite:conf'], 'confidence', 0],
    [{ lead: { gapM: null, closingMps: 3 } }, ['lead:unusable', 'missing:d'], 'lead', null],
    [{ lead: { gapM: 3, closingMps: Number.NaN } }, ['lead:unusable', 'nonfinite:dv'], 'lead', null],
    [
      { lead: { gapM: null, closingMps: null, ageUs: 6e5 } },
      ['missing:d', 'missing:dv', 'stale:lead'],
      'lead',
      null,
    ],
    [{ lead: { gapM: 3, closingMps: 3, ageUs: Number.NaN } }, ['stale:lead'], 'lead', null],
    [{ road: 'lava' }, ['road:unrecognised'], 'road', 'unknown'],
    [{ road: 'toString' }, ['road:unrecognised'], 'road', 'unknown'],
    [{ friction: null }, ['mu:fallback'], 'frictionUsed', 0.7],
    [{ friction: null, road: 'ice' }, ['mu:fallback'], 'frictionUsed', 0.05],
    [{ friction: { est: 0 } }, ['mu:fallback', 'mu:invalid'], 'frictionUsed', 0.7],
    [{ friction: { est: 0.6 }, road: 'wet' }, [], 'frictionUsed', 0.4],
    [{ friction: { est: 0.3 }, road: 'wet' }, [], 'frictionUsed', 0.3],
    [{ friction: { est: 0.6, lo: 0.5 }, road: 'wet' }, [], 'frictionUsed', 0.5],
    [{ friction: { est: 0.6, lo: Number.NaN }, road: 'wet' }, [], 'frictionUsed', 0.4],
    [{ friction: { est: 0.3, lo: 0.5 }, road: 'damp' }, [], 'frictionUsed', 0.3],
    [{ friction: { est: 3 } }, ['mu:clamped'], 'frictionUsed', 1],
    [{ friction: { est: 0.01 } }, ['mu:clamped'], 'frictionUsed', 0.05],
    [{ friction: { est: 0.8, lo: 0.7 } }, [], 'frictionLower', 0.7],
    [{ brakeEffectiveness: Number.NaN }, ['brake_eff:invalid'], 'brakeEffectiveness', 0.5],
    [{ brakeEffectiveness: 0 }, ['brake_eff:invalid'], 'brakeEffectiveness', 0.5],
    [{ brakeEffectiveness: 0.1 }, [], 'brakeEffectiveness', 0.2],
    [{ brakeEffectiveness: 4 }, [], 'brakeEffectiveness', 1],
    [{ healthRisk: null }, ['h:unknown'], 'healthRisk', 0],
    [{ healthRisk: Number.POSITIVE_INFINITY }, ['h:unknown', 'nonfinite:h'], 'healthRisk', 0],
    [{ healthRisk: 0.5, healthAgeUs: 10_000_001 }, ['h:unknown', 'stale:h'], 'healthRisk', 0],
    [{ healthRisk: 1.5 }, [], 'healthRisk', 1],
  ];
  for (const [change, flags, member, value] of cases) {
    const resolved = resolveInputs({ ...clear, ...change }, params);
    t.same(resolved.flags, flags, JSON.stringify(change));
    t.same(resolved[member as 'speedMps'], value, `${member} of ${JSON.stringify(change)}`);
  }
  const table = roadSurfaces.map((surface) => [
    surface,
    frictionTable[surface].typical,
    frictionTable[surface].lowerBound,
  ]);
  t.same(table, [
    ['dry', 0.8, 0.7],
    ['damp', 0.65, 0.55],
    ['wet', 0.55, 0.4],
    ['heavy_rain', 0.45, 0.3],
    ['standing_water', 0.3, 0.15],
    ['snow', 0.25, 0.15],
    ['ice', 0.1, 0.05],
    ['unknown', 0.55, 0.4],
  ]);
  for (const surface of roadSurfaces) {
    const { typical, lowerBound } = frictionTable[surface];
    t.ok(lowerBound < typical && lowerBound >= 0.05 && typical <= 1, surface);
  }
});

/** A constant approach, one TTC a tick. */
function firstAct(marginRatio: number, closingMps: number, healthRisk: number): number | null {
  for (let tick = 0; tick < 200; tick++) {
    const gapM = 60 - closingMps * tick * 0.05;
    if (gapM < 0) return null;
    if (
      blockers({ ...clear, speedMps: 20, lead: { gapM, closingMps }, healthRisk }, marginRatio).length === 0
    )
      return tick;
  }
  return null;
}

const margin = fc.double({ min: 0.12, max: 0.32, noNaN: true });
const unitRange = fc.double({ min: 0, max: 1, noNaN: true });
const situation = fc.record({
  speedMps: fc.double({ min: 0, max: 60, noNaN: true }),
  gapM: fc.double({ min: 0, max: 150, noNaN: true }),
  closingMps: fc.double({ min: -10, max: 50, noNaN: true }),
  healthRisk: unitRange,
});

t.test('properties of the ACT line', async (t) => {
  await t.test('P1: ACT sets are nested in Δ', async () => {
    fc.assert(
      fc.property(situation, margin, margin, ({ gapM, closingMps, ...rest }, a, b) => {
        const inputs = { ...clear, ...rest, lead: { gapM, closingMps } };
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        return blockers(inputs, high).length > 0 || blockers(inputs, low).length === 0;
      }),
    );
  });
  await t.test('P2: the first ACT comes no earlier with a larger Δ', async () => {
    fc.assert(
      fc.property(
        margin,
        margin,
        fc.double({ min: 2, max: 30, noNaN: true }),
        unitRange,
        (a, b, closing, h) => {
          const early = firstAct(Math.min(a, b), closing, h) ?? Number.POSITIVE_INFINITY;
          return early <= (firstAct(Math.max(a, b), closing, h) ?? Number.POSITIVE_INFINITY);
        },
      ),
      { numRuns: 60 },
    );
  });
  await t.test('P3 and P6: slope of TTC* in Δ and in h', async (t) => {
    t.doesNotThrow(() =>
      fc.assert(
        fc.property(
          fc.double({ min: 0.14, max: 0.3, noNaN: true }),
          fc.double({ min: 0, max: 0.5, noNaN: true }),
          (delta, h) => {
            const [now, later, sicker] = [
              ttcStar(params, delta, h),
              ttcStar(params, delta + 0.01, h),
              ttcStar(params, delta, h + 0.1),
            ];
            if (typeof now !== 'number' || typeof later !== 'number' || typeof sicker !== 'number')
              return false;
            return Math.abs(now - later - 2.5 / 24) < 1e-9 && Math.abs(sicker - now - 0.1 * (2.5 / 6)) < 1e-9;
          },
        ),
      ),
    );
  });
  await t.test('P4: nothing with TTC ≥ τ acts, whatever the health, for Δ ≥ 0.12', async () => {
    fc.assert(
      fc.property(situation, fc.double({ min: 0.12, max: 0.32, noNaN: true }), (s, delta) => {
        const closingMps = Math.min(s.closingMps, s.gapM / 2.5);
        const inputs = { ...clear, ...s, lead: { gapM: s.gapM, closingMps } };
        return blockers(inputs, delta).length > 0;
      }),
    );
  });
  await t.test(
    'P4 on its edge: Δ 0.12, health risk 1, TTC τ, where float64 lands just above the tie',
    async (t) => {
      for (const gapM of [25, 40, 200]) {
        const inputs = { ...clear, speedMps: 60, lead: { gapM, closingMps: 10 }, healthRisk: 1 };
        t.same(blockers(inputs, 0.12), ['margin']);
      }
    },
  );
  await t.test('P5: a sound car can act exactly while Δ < 0.32', async (t) => {
    const inputs = { ...clear, lead: { gapM: 0, closingMps: 10 } };
    t.same(blockers(inputs, 0.3199999), []);
    t.same(blockers(inputs, 0.32), ['margin']);
    t.same(blockers(inputs, 0.3200001), ['margin']);
  });
  await t.test('P7: less grip or weaker brakes never take a violation away', async () => {
    fc.assert(
      fc.property(
        situation,
        unitRange,
        unitRange,
        unitRange,
        ({ gapM, closingMps, ...rest }, mu, less, brakes) => {
          const dry = { ...clear, ...rest, lead: { gapM, closingMps }, friction: { est: 0.05 + 0.95 * mu } };
          const worse = {
            ...dry,
            friction: { est: 0.05 + 0.95 * mu * less },
            brakeEffectiveness: 0.2 + 0.8 * brakes,
          };
          const [a, b] = [assessSafety(dry, thresholds, params), assessSafety(worse, thresholds, params)];
          return b.record.rss_viol >= a.record.rss_viol && b.record.r >= a.record.r;
        },
      ),
    );
  });
});

/** What every rule behind the seam promises. */
function conformance(rule: SafetyEvaluator): void {
  const verdict = (inputs: SafetyInputs) => rule.evaluate(resolveInputs(inputs, params), params);
  t.test(`conformance of ${rule.rule}`, async (t) => {
    for (const change of [{ speedMps: null }, { lead: null }, { lead: { gapM: null, closingMps: 1 } }]) {
      t.equal(verdict({ ...clear, ...change }).isViolated, false, JSON.stringify(change));
    }
    fc.assert(
      fc.property(junkInputs, (inputs) => {
        const { requiredGapM, isViolated } = verdict(inputs);
        return (requiredGapM === null || requiredGapM >= 0) && (requiredGapM !== null || !isViolated);
      }),
    );
    const standing = (speedMps: number, est = 0.6, brakes = 1): number =>
      verdict({
        ...clear,
        speedMps,
        lead: { gapM: 50, closingMps: speedMps },
        friction: { est },
        brakeEffectiveness: brakes,
      }).requiredGapM ?? Number.NaN;
    const ordered = fc.tuple(unitRange, unitRange).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(fc.property(ordered, ([low, high]) => standing(60 * low) <= standing(60 * high)));
    fc.assert(
      fc.property(ordered, ([low, high]) => standing(20, 0.1 + low * 0.9) >= standing(20, 0.1 + high * 0.9)),
    );
    fc.assert(
      fc.property(ordered, ([low, high]) => standing(20, 0.6, 0.2 + low) >= standing(20, 0.6, 0.2 + high)),
    );
    // Boundary: a violation stays while the gap shrinks, and flips where the required gap says.
    for (const [speedMps, closingMps] of [
      [10, 10],
      [20, 5],
      [30, 0],
      [5, 12],
      [40, -3],
    ] as const) {
      const at = (gapM: number) => verdict({ ...clear, speedMps, lead: { gapM, closingMps } });
      const required = at(50).requiredGapM ?? Number.NaN;
      t.equal(at(required + 1e-6).isViolated, false, `${speedMps}/${closingMps} just above ${required}`);
      t.equal(at(Math.max(0, required - 1e-6)).isViolated, true, `${speedMps}/${closingMps} just below`);
      t.equal(at(0).isViolated, true);
    }
  });
}
conformance(brickWallRule);
conformance(fullRssRule);

t.test('the monitor sees what the deciding rule cannot', async (t) => {
  const rules = { ...defaultRules, monitors: [fullRssRule] };
  const oncoming = { ...clear, speedMps: 2, lead: { gapM: 6, closingMps: 8 } };
  const { verdicts, record } = assessSafety(oncoming, thresholds, params, rules);
  t.same(
    verdicts.map(({ rule, isViolated }) => [rule, isViolated]),
    [
      ['brick-wall', false],
      ['full-rss', true],
    ],
  );
  t.equal(verdicts[1]?.formula, 'opposite_direction');
  t.equal(record.rss_viol, 0, 'a monitor does not decide');

  const following = { ...clear, speedMps: 30, lead: { gapM: 60, closingMps: 0 } };
  t.same(
    assessSafety(following, thresholds, params, rules).verdicts.map(({ isViolated }) => isViolated),
    [true, false],
    'ordinary motorway following violates only the rule that takes the lead for a wall',
  );
  const withLead = (closingMps: number) =>
    fullRssRule.evaluate(
      resolveInputs({ ...clear, speedMps: 10, lead: { gapM: 5, closingMps } }, params),
      params,
    );
  t.equal(withLead(10).formula, 'same_direction', 'a standing lead');
  t.equal(withLead(9.5).formula, 'same_direction', 'a slow lead');
  t.equal(withLead(10.001).formula, 'opposite_direction');
  // Dry, lower bound 0.7: the ego car brakes 0.9·0.7·g at least, 0.75 of that in its own lane; 8 m/s² cap, μ·g 7.848.
  const [slow, own, hard] = [0.63 * 9.81, 0.4725 * 9.81, 7.848];
  const response = (v: number): number => 0.7 * v + 0.5 * 0.49;
  t.ok(Math.abs((withLead(10).requiredGapM ?? 0) - (response(10) + 10.7 ** 2 / (2 * slow) + 2)) < 1e-9);
  t.ok(
    Math.abs(
      (withLead(4).requiredGapM ?? 0) - (response(10) + 10.7 ** 2 / (2 * slow) - 36 / (2 * hard) + 2),
    ) < 1e-9,
  );
  const towards = response(10) + 10.7 ** 2 / (2 * own) + response(5) + 5.7 ** 2 / (2 * slow) + 2;
  t.ok(Math.abs((withLead(15).requiredGapM ?? 0) - towards) < 1e-9);
  const edge = withLead(4).requiredGapM ?? Number.NaN;
  const atEdge = { ...clear, speedMps: 10, lead: { gapM: edge, closingMps: 4 } };
  t.equal(
    fullRssRule.evaluate(resolveInputs(atEdge, params), params).isViolated,
    true,
    'safe only beyond it',
  );
  // With more grip than the hardest braking assumed of a lead, the lead brakes as hard as we do.
  const grippy = { ...atEdge, friction: { est: 1, lo: 1 } };
  const least = response(10) + (10.7 ** 2 - 36) / (2 * 0.9 * 9.81) + 2;
  const found = fullRssRule.evaluate(resolveInputs(grippy, params), params).requiredGapM ?? Number.NaN;
  t.ok(Math.abs(found - least) < 1e-9, String(found));
  const beside = (gapM: number) => ({
    ...oncoming,
    lead: { ...oncoming.lead, lateral: { gapM, egoMps: 0, otherMps: 0, side: 'left' as const } },
  });
  t.equal(
    assessSafety(beside(3), thresholds, params, rules).verdicts[1]?.isViolated,
    false,
    'it passes beside us',
  );
  t.equal(assessSafety(beside(0.01), thresholds, params, rules).verdicts[1]?.isViolated, true);
  const needed =
    assessSafety(beside(1), thresholds, params, rules).verdicts[1]?.requiredLateralGapM ?? Number.NaN;
  // Both may drift 0.049 m in 0.7 s and stop within 0.14²/1.6 m; margin of 0.1 m.
  t.ok(Math.abs(needed - (2 * (0.049 + 0.0196 / 1.6) + 0.1)) < 1e-9, String(needed));
  t.equal(
    assessSafety(beside(needed), thresholds, params, rules).verdicts[1]?.isViolated,
    true,
    'on the edge',
  );
  const drifting = (side: 'left' | 'right') =>
    assessSafety(
      { ...oncoming, lead: { ...oncoming.lead, lateral: { gapM: 1, egoMps: 0.5, otherMps: 0, side } } },
      thresholds,
      params,
      rules,
    ).verdicts[1]?.requiredLateralGapM ?? Number.NaN;
  t.ok(drifting('right') > drifting('left'), 'we drift to the right, towards a car on that side');
});

t.test('of several actors the riskiest counts, whatever their order', async (t) => {
  const near: LeadCandidate = { id: 'near', gapM: 10, closingMps: 10, inPath: 0.9 };
  const far: LeadCandidate = { id: 'far', gapM: 90, closingMps: 5, inPath: 1 };
  const beside: LeadCandidate = { id: 'beside', gapM: 1, closingMps: 10, inPath: 0.4999 };
  const { lead: _, ...ego } = clear;
  const pick = (actors: LeadCandidate[]) =>
    assessActors(ego, actors, thresholds, params).situation.lead?.id ?? null;
  t.equal(pick([far, near, beside]), 'near');
  t.equal(pick([beside]), null);
  t.equal(pick([{ ...beside, inPath: 0.5 }]), 'beside');
  t.equal(
    pick([
      { ...near, id: 'b' },
      { ...near, id: 'a' },
    ]),
    'a',
    'full ties go to the smaller id',
  );
  t.equal(
    pick([
      { ...far, id: 'a', gapM: 140 },
      { ...far, id: 'b', gapM: 130 },
    ]),
    'b',
    'equal risk: smaller TTC',
  );
  const lost: LeadCandidate = { id: 'lost', gapM: null, closingMps: 1, inPath: 1 };
  const remote: LeadCandidate = { id: 'remote', gapM: 300, closingMps: 1, inPath: 1 };
  t.equal(pick([lost, remote]), 'remote', 'equal risk: one with a TTC before one without');
  t.equal(pick([remote, lost]), 'remote');
  const unsure = assessActors(ego, [{ ...near, confidence: 0.3 }], thresholds, params);
  t.equal(unsure.record.conf, 0.3);
  t.equal(assessActors(ego, [{ ...near, confidence: Number.NaN }], thresholds, params).record.conf, 0);
  const { confidence: __, ...silent } = ego;
  t.equal(assessActors({ ...silent, confidence: 0.3 }, [near], thresholds, params).record.conf, 0.3);
  t.equal(assessActors(silent, [{ ...near, confidence: 0.7 }], thresholds, params).record.conf, 0.7);
  t.equal(assessActors(silent, [near], thresholds, params).record.conf, 1, 'nothing said is no doubt');
  for (const odd of [
    { ...near, confidence: null },
    { ...near, confidence: Number.NaN },
  ]) {
    t.same(assessActors(ego, [odd], thresholds, params).record.flags, ['nonfinite:conf']);
  }
  t.same(
    assessActors({ ...ego, confidence: null }, [{ ...near, confidence: 1 }], thresholds, params).record.flags,
    ['nonfinite:conf'],
  );
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          id: fc.string(),
          gapM: fc.double({ min: 0, max: 200, noNaN: true }),
          closingMps: fc.double({ min: -10, max: 30, noNaN: true }),
          inPath: unitRange,
        }),
        { maxLength: 6 },
      ),
      (actors) => {
        const forth = assessActors(ego, actors, thresholds, params).record;
        const back = assessActors(ego, [...actors].reverse(), thresholds, params).record;
        return forth.r === back.r && forth.ttc === back.ttc;
      },
    ),
  );
});
