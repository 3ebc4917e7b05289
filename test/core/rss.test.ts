import fc from 'fast-check';
import t from 'tap';
import { createParams } from '../../daemon/core/params.js';
import { assessSafety, startThresholds } from '../../daemon/core/safety/assessment.js';
import { requiredStoppingGapM } from '../../daemon/core/safety/braking-envelope.js';
import { brickWallRule } from '../../daemon/core/safety/brick-wall.js';
import type { RuleVerdict } from '../../daemon/core/safety/evaluator.js';
import { fullRssRule } from '../../daemon/core/safety/full-rss.js';
import {
  lateralDistanceM,
  oppositeDirectionDistanceM,
  type RssDynamics,
  sameDirectionDistanceM,
  stopDistanceM,
} from '../../daemon/core/safety/rss-formulas.js';
import {
  followBlame,
  followMonitor,
  type MonitorMemory,
  noBlame,
  noMonitorMemory,
  type RssBlame,
  type RssResponse,
} from '../../daemon/core/safety/rss-response.js';
import type { JsonObject } from '../../daemon/core/tick.js';
import { decisionsOf, drive, fairStart, lead, speedSignal } from './step-drive.js';

const dynamics: RssDynamics = {
  accelMaxMps2: 2,
  brakeMaxMps2: 8,
  brakeMinMps2: 4,
  brakeMinCorrectMps2: 3,
  lateralAccelMaxMps2: 0.2,
  lateralBrakeMinMps2: 0.8,
  responseTimeS: 1,
  lateralFluctuationM: 0.2,
  accelSpeedMaxMps: 100,
  minDistanceM: 2,
};
const sluggish: RssDynamics = {
  ...dynamics,
  responseTimeS: 2,
  lateralFluctuationM: 0.4,
  minDistanceM: 5,
  brakeMaxMps2: 6,
};

function near(found: number | null, expected: number): boolean {
  return found !== null && Math.abs(found - expected) < 1e-9;
}

t.test('distances worked out by hand', async (t) => {
  // 10 m/s: 11 m in the response second, 12 m/s at its end, 12²/8 = 18 m to stop.
  t.ok(near(stopDistanceM(10, dynamics), 11 + 18 + 2));
  // The lead stops within 16²/16 = 16 m.
  t.ok(near(sameDirectionDistanceM(10, 16, dynamics, dynamics), 11 + 18 - 16 + 2));
  t.ok(near(sameDirectionDistanceM(10, 40, dynamics, dynamics), 2), 'the margin is always added');
  // Rear and front of different make: own response and braking, the front's hardest braking.
  t.ok(near(sameDirectionDistanceM(10, 12, dynamics, sluggish), 11 + 18 - 12 + 2));
  // Cap at 11 m/s: half a second of acceleration (5.25 m), half a second at 11 (5.5 m), 11²/8.
  t.ok(near(stopDistanceM(10, { ...dynamics, accelSpeedMaxMps: 11 }), 5.25 + 5.5 + 15.125 + 2));
  t.ok(near(stopDistanceM(10, { ...dynamics, accelSpeedMaxMps: 5 }), 10 + 12.5 + 2), 'already above the cap');
  t.ok(near(stopDistanceM(10, { ...dynamics, accelMaxMps2: 0 }), 10 + 12.5 + 2));
  // Towards each other: 12²/6 = 24 m for the one in its lane; 5 m/s, 2 s: 14 m, 9²/8 m for the other.
  t.ok(near(oppositeDirectionDistanceM(10, 5, dynamics, sluggish), 11 + 24 + 14 + 81 / 8 + 5));
  t.ok(near(oppositeDirectionDistanceM(5, 10, sluggish, dynamics), 14 + 81 / 6 + 11 + 18 + 5));
  // Lateral at rest: each drifts 0.1 m and stops within 0.2²/1.6 = 0.025 m; half of both margins.
  t.ok(near(lateralDistanceM(0, 0, dynamics, dynamics), 2 * 0.125 + 0.2));
  // Left car drifts right at 1 m/s: 1.1 m, 1.2²/1.6 = 0.9 m; right car leaves at 1 m/s: 0.9 m in its second.
  t.ok(near(lateralDistanceM(1, 1, dynamics, dynamics), 1.1 + 0.9 - 0.9 + 0.2));
  t.ok(near(lateralDistanceM(-1, 0, dynamics, dynamics), 0), 'moving apart');
  // The right car comes left at 1 m/s for two response seconds: 2.4 m, then 1.4²/1.6 m.
  t.ok(near(lateralDistanceM(0, -1, dynamics, sluggish), 0.125 + 2.4 + 1.225 + 0.3));
  t.ok(
    near(lateralDistanceM(0, 0, dynamics, sluggish), 0.125 + 0.4 + 0.1 + 0.3),
    'two response seconds of the right car',
  );
});

t.test('the simplified rule is RSS behind a wall', async () => {
  const params = createParams('default');
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 70, noNaN: true }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      (v, mu) => {
        const brake = mu * 9.81;
        const wall = {
          ...dynamics,
          accelMaxMps2: 0,
          responseTimeS: 0.7,
          brakeMinMps2: brake,
          brakeMaxMps2: 10,
          brakeMinCorrectMps2: brake,
        };
        const full = sameDirectionDistanceM(v, 0, wall, wall);
        return full !== null && Math.abs(full - requiredStoppingGapM(v, brake, params)) < 1e-9 * (1 + full);
      },
    ),
  );
});

t.test('input outside the meaning of the formulas has no distance', async (t) => {
  const bad: Partial<RssDynamics>[] = [
    { responseTimeS: 0 },
    { responseTimeS: 10.0001 },
    { responseTimeS: Number.NaN },
    { lateralFluctuationM: 1.0001 },
    { lateralFluctuationM: -0.0001 },
    { accelMaxMps2: -1 },
    { accelMaxMps2: 101 },
    { brakeMinMps2: 0 },
    { brakeMinMps2: 2.9 },
    { brakeMaxMps2: 3.9 },
    { brakeMaxMps2: 101 },
    { brakeMinCorrectMps2: 0 },
    { lateralAccelMaxMps2: -0.1 },
    { lateralBrakeMinMps2: 0 },
    { lateralBrakeMinMps2: 101 },
    { accelSpeedMaxMps: -1 },
    { accelSpeedMaxMps: 101 },
    { minDistanceM: -1 },
    { minDistanceM: 1.005e9 },
    { minDistanceM: Number.POSITIVE_INFINITY },
  ];
  for (const change of bad) {
    const odd = { ...dynamics, ...change };
    const name = JSON.stringify(change);
    t.equal(stopDistanceM(10, odd), null, name);
    t.equal(sameDirectionDistanceM(10, 10, odd, dynamics), null, name);
    t.equal(sameDirectionDistanceM(10, 10, dynamics, odd), null, name);
    t.equal(oppositeDirectionDistanceM(10, 10, odd, dynamics), null, name);
    t.equal(oppositeDirectionDistanceM(10, 10, dynamics, odd), null, name);
    t.equal(lateralDistanceM(0, 0, odd, dynamics), null, name);
    t.equal(lateralDistanceM(0, 0, dynamics, odd), null, name);
  }
  const edge = {
    ...dynamics,
    responseTimeS: 10,
    lateralFluctuationM: 1,
    brakeMaxMps2: 100,
    accelMaxMps2: 0,
    minDistanceM: 0,
  };
  t.not(stopDistanceM(100, edge), null);
  t.not(lateralDistanceM(100, -100, { ...edge, lateralBrakeMinMps2: 100 }, edge), null);
  t.not(stopDistanceM(10, { ...edge, brakeMaxMps2: 4, brakeMinCorrectMps2: 4, accelSpeedMaxMps: 0 }), null);
  for (const speed of [-0.001, 100.001, Number.NaN, Number.POSITIVE_INFINITY]) {
    t.equal(stopDistanceM(speed, dynamics), null);
    t.equal(sameDirectionDistanceM(speed, 1, dynamics, dynamics), null);
    t.equal(sameDirectionDistanceM(1, speed, dynamics, dynamics), null);
    t.equal(oppositeDirectionDistanceM(speed, 1, dynamics, dynamics), null);
    t.equal(oppositeDirectionDistanceM(1, speed, dynamics, dynamics), null);
  }
  for (const speed of [-100.001, 100.001, Number.NaN]) {
    t.equal(lateralDistanceM(speed, 0, dynamics, dynamics), null);
    t.equal(lateralDistanceM(0, speed, dynamics, dynamics), null);
  }
  t.not(lateralDistanceM(-1, -1, dynamics, dynamics), null, 'across the road both signs are fine');
});

t.test('who made the situation dangerous decides the response', async (t) => {
  const verdict: RuleVerdict = {
    rule: 'full-rss',
    formula: 'same_direction',
    requiredGapM: 20,
    requiredLateralGapM: 1,
    isViolated: false,
  };
  const follow = (steps: [gapM: number, lateralM: number | null][]): RssResponse[] => {
    let blame: RssBlame = noBlame;
    return steps.map(([gapM, lateralM], tick) => {
      const lateral =
        lateralM === null ? null : { gapM: lateralM, egoMps: 0, otherMps: 0, side: 'left' as const };
      const result = followBlame(blame, verdict, { id: null, gapM, closingMps: 0, lateral }, tick);
      blame = result.blame;
      return result.response;
    });
  };
  t.same(
    follow([
      [30, 0.5],
      [20, 0.5],
      [10, 0.5],
      [10, 1.1],
    ]),
    ['none', 'longitudinal', 'longitudinal', 'none'],
    'following',
  );
  t.same(
    follow([
      [10, 2],
      [10, 1],
      [10, 0.5],
      [21, 0.5],
      [10, 0.5],
    ]),
    ['none', 'lateral', 'lateral', 'none', 'longitudinal'],
    'cut-in',
  );
  t.same(
    follow([
      [30, null],
      [10, null],
    ]),
    ['none', 'longitudinal'],
    'nothing known of the side',
  );
  t.same(follow([[10, 0.5]]), ['longitudinal'], 'both at once');
  t.same(followBlame({ longitudinalSinceUs: 1, lateralSinceUs: 1 }, verdict, null, 2), {
    blame: noBlame,
    response: 'none',
  });
});

t.test('another lead starts its own blame', async (t) => {
  const rules = { deciding: brickWallRule, monitors: [fullRssRule] };
  const params = createParams('default');
  const inputs = { speedMps: 20, friction: { est: 0.8, lo: 0.7 }, road: 'dry', healthRisk: 0 };
  const steps: [id: string, gapM: number, lateralM: number][] = [
    ['a', 5, 3],
    ['a', 5, 0.1],
    ['b', 5, 0.1],
    ['b', 5, 3],
  ];
  let memory: MonitorMemory = noMonitorMemory;
  const responses = steps.map(([id, gapM, lateralM], tUs) => {
    const lateral = { gapM: lateralM, egoMps: 0, otherMps: 0, side: 'left' as const };
    const lead = { id, gapM, closingMps: 5, lateral };
    const result = followMonitor(
      memory,
      assessSafety({ ...inputs, lead }, startThresholds(params), params, rules),
      tUs,
    );
    memory = result.memory;
    return result.response;
  });
  t.same(responses, ['none', 'lateral', 'longitudinal', 'none']);
  t.equal(memory.leadId, 'b');
  const plain = assessSafety({ ...inputs, lead: null }, startThresholds(params), params);
  t.same(followMonitor(memory, plain, 9), { memory, response: null }, 'a run without the monitor');
});

t.test('a run with the monitor records both rules side by side', async (t) => {
  const plan = (tick: number, tUs: number) => ({
    signals: [speedSignal(20, tUs)],
    facts: [
      ...(tick === 0 ? fairStart(tUs) : []),
      lead({ egoMps: 20, closingMps: 8, startGapM: 60, startTick: 40 }, tick, tUs),
    ],
  });
  const plain = drive({ ticks: 200, plan });
  const monitored = drive({ ticks: 200, plan, settings: { evaluator: 'rss' } });
  t.equal(decisionsOf(monitored.outputs), decisionsOf(plain.outputs), 'a monitor decides nothing');
  const safetyOf = (outputs: typeof plain.outputs) =>
    outputs.flatMap(({ audit }) =>
      audit.flatMap(({ body }) => (body['safety'] ? [body['safety'] as JsonObject] : [])),
    );
  t.ok(safetyOf(plain.outputs).every((safety) => safety['rules'] === undefined));
  const last = safetyOf(monitored.outputs).at(-1) ?? {};
  t.same(
    (last['rules'] as JsonObject[]).map(({ rule, violated }) => [rule, violated]),
    [
      ['brick-wall', true],
      ['full-rss', true],
    ],
  );
  t.equal(last['rss_response'], 'longitudinal');
  t.equal(safetyOf(monitored.outputs)[0]?.['rss_response'], 'none');
});
