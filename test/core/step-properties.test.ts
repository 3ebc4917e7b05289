import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import t from 'tap';
import { canonicalJson } from '../../daemon/core/canonical.js';
import type { CoreState } from '../../daemon/core/state.js';
import { createInitialState, step } from '../../daemon/core/step.js';
import type { SignalSample, TickInputs } from '../../daemon/core/tick.js';
import type { FactInput } from '../../daemon/core/world/facts.js';
import {
  type Approach,
  calmPayload,
  decisionsOf,
  defaultParams,
  drive,
  fact,
  fairStart,
  lead,
  replay,
  speedSignal,
  startWallMs,
} from './step-drive.js';

const approach: Approach = { egoMps: 20, closingMps: 8, startGapM: 60, startTick: 40 };

/** Fair weather, then a lead that is closed up to until ACT. */
function approachPlan(tick: number, tUs: number) {
  return {
    signals: [speedSignal(approach.egoMps, tUs)],
    facts: [...(tick === 0 ? fairStart(tUs) : []), lead(approach, tick, tUs)],
  };
}

const baseline = drive({ ticks: 200, plan: approachPlan });

t.test('an approach is warned of, then acted on, with the warning at least 0.8 s before', async (t) => {
  const firstHazard = baseline.outputs.findIndex((out) => out.utterance?.key.startsWith('hazard_rss'));
  const firstAct = baseline.outputs.findIndex((out) => out.decision.kind === 'act');
  t.ok(firstHazard > 0 && firstAct > 0);
  t.ok((firstAct - firstHazard) * 0.05 >= 0.8, `${(firstAct - firstHazard) * 0.05} s`);
  const act = baseline.outputs[firstAct];
  t.equal(act?.utterance?.urgent, true);
  const entry = act?.audit.find((candidate) => candidate.kind === 'act');
  t.equal(entry?.commit, 'now');
  t.ok((act?.safety.ttc ?? 9) < 1.25);
  t.equal(act?.decision.confirm, 4, 'four ticks of 50 ms');
});

t.test('from the first qualifying sample to ACT: exactly the confirmation, at every rate', async (t) => {
  for (const [periodUs, confirm] of [
    [20_000, 10],
    [50_000, 4],
    [100_000, 2],
  ] as const) {
    const appearsTick = 40;
    const sudden: Approach = { egoMps: 20, closingMps: 10, startGapM: 12, startTick: appearsTick };
    const run = drive({
      ticks: 80,
      settings: { periodUs },
      plan: (tick, tUs) => ({
        signals: [speedSignal(20, tUs)],
        facts: [
          ...(tick === 0 ? fairStart(tUs) : []),
          ...(tick >= appearsTick ? [lead(sudden, tick, tUs, periodUs)] : []),
        ],
      }),
    });
    const first = run.outputs.findIndex((out) => out.decision.kind === 'act');
    t.equal(first, appearsTick + confirm - 1, `${1e6 / periodUs} Hz`);
    t.ok(((confirm - 1) * periodUs) / 1000 <= 200, 'within 200 ms of the sample');
  }
});

t.test(
  'replaying recorded inputs gives the same outputs, also from a state that went through JSON',
  async (t) => {
    t.equal(canonicalJson(replay(baseline.inputs, defaultParams).outputs), canonicalJson(baseline.outputs));
    let state = createInitialState(defaultParams);
    const outputs = baseline.inputs.map((inputs) => {
      const result = step(state, inputs, defaultParams);
      state = JSON.parse(JSON.stringify(result.state)) as CoreState;
      return result.outputs;
    });
    t.equal(canonicalJson(outputs), canonicalJson(baseline.outputs));
  },
);

t.test('step changes nothing it is given', async () => {
  let state = deepFreeze(createInitialState(defaultParams));
  for (const inputs of baseline.inputs)
    state = deepFreeze(step(state, deepFreeze(inputs), defaultParams).state);
});

t.test('the wall clock decides nothing: jumps of ten years, backwards and to nowhere', async (t) => {
  const tenYearsMs = 10 * 365.25 * 86_400_000;
  const jumps = [tenYearsMs, -tenYearsMs, 0, 3_600_000, -3_600_000];
  const jumping = drive({
    ticks: 200,
    plan: (tick, tUs) => ({
      ...approachPlan(tick, tUs),
      wallMs: startWallMs + tUs / 1000 + (jumps[Math.floor(tick / 7) % jumps.length] as number),
    }),
  });
  t.equal(decisionsOf(jumping.outputs), decisionsOf(baseline.outputs));
  const noted = jumping.outputs
    .flatMap((out) => out.audit)
    .filter((entry) => isDegraded(entry.body, 'clock_step'));
  t.ok(noted.length > 0, 'the record notes the step');
  const nowhere = drive({
    ticks: 50,
    plan: (tick, tUs) => ({ ...approachPlan(tick, tUs), wallMs: Number.NaN }),
  });
  for (const out of nowhere.outputs) canonicalJson(out);
});

t.test('the order in which facts, signals and answers arrive within a tick changes nothing', async () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (numbers) => {
      const shuffle = <T>(items: readonly T[]): T[] =>
        items
          .map((item) => ({ item, rank: numbers.next().value as number }))
          .sort((a, b) => a.rank - b.rank)
          .map(({ item }) => item);
      const shuffled = crowded.inputs.map((inputs) => ({
        ...inputs,
        facts: shuffle(inputs.facts).map((item) =>
          item.kind === 'actors' ? { ...item, value: shuffle(item.value) } : item,
        ),
        signals: shuffle(inputs.signals),
        answers: shuffle(inputs.answers),
      }));
      const again = replay(shuffled, defaultParams);
      return canonicalJson(again.outputs) === canonicalJson(crowded.outputs);
    }),
    { numRuns: 8 },
  );
});

/** Many facts a tick, with ties in time. */
const crowded = drive({
  ticks: 80,
  plan: (tick, tUs) => ({
    signals: [
      speedSignal(20, tUs),
      speedSignal(19, tUs),
      { path: 'Vehicle.ADAS.ABS.IsError', value: tick > 40 ? 1 : 0, observedAtUs: tUs, changes: 0 },
      { path: 'Vehicle.Exterior.AirTemperature', value: 8, observedAtUs: tUs, changes: 0 },
    ],
    facts: [
      ...(tick === 0 ? fairStart(tUs) : []),
      lead(approach, tick, tUs),
      withIrrelevantActors(lead({ ...approach, startGapM: 45 }, tick, tUs)),
      fact('sign', { id: 'a', category: 'speed_limit', code: '274', value: 80, unit: 'km/h' }, tUs),
      fact('sign', { id: 'b', category: 'speed_limit', code: '274', value: 70, unit: 'km/h' }, tUs, {
        conf: 0.8,
      }),
      fact('gantry', { id: 'g', value: tick > 20 ? 60 : 80, unit: 'km/h' }, tUs),
      fact('driver_query', tick === 30 ? 'how fast may I drive?' : 'tyres?', tUs, { provenance: 'driver' }),
      fact('weather', { wetness: tick > 50 ? 60 : 0 }, tUs),
    ],
  }),
});

t.test('the full-RSS monitor may warn of what the deciding rule cannot see, and never acts', async (t) => {
  // A vehicle that reverses towards a car that hardly moves: no violation by the car's own stopping distance.
  const reversing = (evaluator: 'paper' | 'rss') =>
    drive({
      ticks: 120,
      settings: { evaluator },
      plan: (tick, tUs) => ({
        signals: [speedSignal(2, tUs)],
        facts: [
          ...(tick === 0 ? fairStart(tUs) : []),
          lead({ egoMps: 2, closingMps: 8, startGapM: 30, startTick: 40 }, tick, tUs),
        ],
      }),
    }).outputs.filter((out) => (out.safety.d ?? 0) > 5);
  const warned = (outputs: typeof baseline.outputs) => outputs.some((out) => out.utterance?.urgent === true);
  t.notOk(warned(reversing('paper')));
  t.ok(warned(reversing('rss')));
  t.ok(reversing('rss').every((out) => out.decision.kind !== 'act'));
});

t.test('another unit on sign and display leaves the decisions in SI alone', async (t) => {
  const variant = (unit: 'km/h' | 'mph') =>
    drive({
      ticks: 200,
      settings: { displayUnit: unit },
      plan: approachPlan,
    });
  const inSi = (outputs: typeof baseline.outputs) =>
    JSON.stringify(outputs.map(({ decision, safety }) => ({ decision, safety })));
  t.equal(inSi(variant('mph').outputs), inSi(variant('km/h').outputs));
});

t.test('a far actor, and one beside our path, change nothing', async (t) => {
  const withOthers = drive({
    ticks: 200,
    plan: (tick, tUs) => {
      const plan = approachPlan(tick, tUs);
      return { ...plan, facts: plan.facts.map((item) => withIrrelevantActors(item)) };
    },
  });
  t.equal(decisionsOf(withOthers.outputs), decisionsOf(baseline.outputs));
});

function withIrrelevantActors(item: FactInput): FactInput {
  if (item.kind !== 'actors') return item;
  const far = { id: 'far', cls: 'truck', gapM: 900, closingMps: -3, inPath: 1 } as const;
  const beside = { id: 'beside', cls: 'car', gapM: 3, closingMps: 15, inPath: 0.2 } as const;
  return { ...item, value: [far, ...item.value, beside] };
}

t.test('a lead that was last seen 900 ms ago is not used, and nothing acts on it', async (t) => {
  const lastSeenTick = 100;
  const lost = drive({
    ticks: 200,
    plan: (tick, tUs) => ({
      signals: [speedSignal(approach.egoMps, tUs)],
      facts: [
        ...(tick === 0 ? fairStart(tUs) : []),
        ...(tick <= lastSeenTick ? [lead(approach, tick, tUs)] : []),
      ],
    }),
  });
  const coasting = lost.outputs[lastSeenTick + 10];
  t.ok((coasting?.safety.d ?? 99) < (lost.outputs[lastSeenTick]?.safety.d ?? 0), 'coasts for half a second');
  for (const out of lost.outputs.slice(lastSeenTick + 11)) {
    t.equal(out.safety.d, null);
    t.not(out.decision.kind, 'act');
  }
  t.ok(lost.outputs[lastSeenTick + 18]?.safety.flags.includes('stale:lead'));
});

t.test('junk of any kind: no throw, finite numbers, r within 0…1, no ACT with a failed guard', async () => {
  const number = fc.oneof(
    fc.double(),
    fc.constantFrom(Number.NaN, Infinity, -Infinity, -0, 1e308),
    fc.integer(),
  );
  const anyFact = fc.record({
    kind: fc.constantFrom(
      'actors',
      'weather',
      'road',
      'sign',
      'gantry',
      'jurisdiction',
      'units',
      'driver_query',
      'x',
    ),
    value: fc.oneof(
      fc.anything({ withBigInt: false }),
      fc.array(
        fc.record({ id: fc.string(), cls: fc.string(), gapM: number, closingMps: number, inPath: number }),
      ),
      fc.record({
        id: fc.string(),
        category: fc.constant('speed_limit'),
        value: number,
        unit: fc.constantFrom('km/h', 'mph'),
      }),
      fc.constantFrom('DEU', 'GBR', 'FRA', 'GBR/WLS'),
    ),
    conf: number,
    provenance: fc.constantFrom('map', 'perception', 'drivelm', 'sim_oracle', 'nobody'),
    observedAtUs: fc.oneof(number, fc.constant(0)),
  });
  const anySignal = fc.record({
    path: fc.constantFrom(
      'Vehicle.Speed',
      'Vehicle.Acceleration.Longitudinal',
      'Vehicle.ADAS.ABS.IsError',
      'Vehicle.X',
    ),
    value: fc.oneof(number, fc.constant(null)),
    observedAtUs: number,
    changes: fc.constant(1),
  });
  const anyAnswer = fc.record({
    requestId: fc.constantFrom('0-0', '0-1', '1-0', '1-1', 'x'),
    tool: fc.constantFrom('rules', 'weather', 'can'),
    status: fc.constantFrom('ok', 'error', 'timeout'),
    latencyUs: number,
    payload: fc.oneof(fc.constant(null), fc.object()),
  });
  const tickOf = fc.record({
    facts: fc.array(anyFact),
    signals: fc.array(anySignal),
    answers: fc.array(anyAnswer),
  });
  fc.assert(
    fc.property(fc.array(tickOf, { minLength: 1, maxLength: 12 }), (ticks) => {
      let state = createInitialState(defaultParams);
      for (const [tick, arrived] of ticks.entries()) {
        const tUs = tick * 50_000;
        const shifted = (atUs: number): number => (atUs === 0 ? tUs : atUs);
        const inputs = {
          ...(baseline.inputs[tick] as TickInputs),
          signals: arrived.signals as SignalSample[],
          facts: arrived.facts.map((item) => ({ ...item, observedAtUs: shifted(item.observedAtUs) })),
          answers: arrived.answers,
        } as unknown as TickInputs;
        const result = step(state, inputs, defaultParams);
        state = result.state;
        canonicalJson(result.outputs); // throws on NaN and Infinity
        canonicalJson(result.state);
        const { safety, decision, utterance } = result.outputs;
        if (!(safety.r >= 0 && safety.r <= 1)) return false;
        if (decision.kind === 'act' && (decision.blockedBy.length > 0 || !isActAllowed(result.outputs)))
          return false;
        if (utterance !== null && utterance.l1.length > 90) return false;
      }
      return true;
    }),
    { numRuns: 150 },
  );
});

t.test(
  'sound facts of every kind in any order: something can always be said, and the record always holds',
  async () => {
    const unit = fc.constantFrom('km/h' as const, 'mph' as const);
    const country = fc.constantFrom('DEU', 'GBR', 'GBR/WLS', 'USA', 'JPN', 'ZAF', 'IRL');
    const percent = fc.integer({ min: 0, max: 100 });
    const limit = fc.constantFrom(5, 20, 30, 50, 60, 70, 80, 100, 120, 130);
    const value = fc.oneof(
      country.map((path) => ({ kind: 'jurisdiction' as const, value: path })),
      fc.tuple(limit, unit, fc.boolean()).map(([shown, as, wetPlate]) => ({
        kind: 'gantry' as const,
        value: { id: 'g', value: shown === 5 ? null : shown, unit: as, wetPlate },
      })),
      fc
        .tuple(
          limit,
          unit,
          fc.constantFrom('speed_limit', 'end_limit', 'town_exit', 'zone', 'other'),
          country,
        )
        .map(([shown, as, category, family]) => ({
          kind: 'sign' as const,
          value: {
            id: `s${shown}`,
            category,
            value: shown,
            unit: as,
            country: family.slice(0, 3),
            language: 'pl',
          },
        })),
      fc
        .record({ wetness: percent, precipitation: percent, precipitationDeposits: percent })
        .map((weather) => ({
          kind: 'weather' as const,
          value: weather,
        })),
      fc
        .tuple(fc.constantFrom('urban', 'rural', 'motorway'), fc.constantFrom('a', 'b'))
        .map(([roadClass, segment]) => ({ kind: 'road' as const, value: { roadClass, segment } })),
      unit.map((as) => ({ kind: 'units' as const, value: as })),
      fc
        .constantFrom('limit?', 'ice?', 'tyres?')
        .map((text) => ({ kind: 'driver_query' as const, value: text })),
      fc
        .record({ gapM: fc.integer({ min: 0, max: 90 }), closingMps: fc.integer({ min: -9, max: 20 }) })
        .map((seen) => ({
          kind: 'actors' as const,
          value: [{ id: 'x', cls: 'car', inPath: 1, ...seen }],
        })),
    );
    const arrivals = fc.record({
      tick: fc.integer({ min: 0, max: 139 }),
      fact: value,
      provenance: fc.constantFrom('map' as const, 'perception' as const),
      conf: fc.constantFrom(0.3, 0.6, 0.95),
    });
    fc.assert(
      fc.property(
        fc.array(arrivals, { maxLength: 60 }),
        fc.constantFrom('en', 'de-AT', 'fr'),
        fc.constantFrom('auto' as const, 'km/h' as const, 'mph' as const),
        fc.integer({ min: 0, max: 40 }),
        fc.constantFrom('ok' as const, 'timeout' as const),
        (arriving, language, displayUnit, speedMps, status) => {
          const run = drive({
            ticks: 140,
            settings: { language, displayUnit },
            plan: (tick, tUs) => ({
              signals: [
                { path: 'Vehicle.ADAS.ABS.IsError', value: tick > 60 ? 1 : 0, observedAtUs: tUs, changes: 0 },
                speedSignal(speedMps, tUs),
              ],
              facts: arriving
                .filter((item) => item.tick === tick)
                .map(
                  ({ fact: sound, provenance, conf }) =>
                    ({ ...sound, provenance, conf, observedAtUs: tUs }) as FactInput,
                ),
            }),
            answering: (request) => ({
              afterTicks: status === 'ok' ? 1 : 6,
              status,
              payload: status === 'ok' ? calmPayload(request) : null,
            }),
          });
          for (const out of run.outputs) canonicalJson(out);
          return (
            canonicalJson(replay(run.inputs, defaultParams, { language, displayUnit }).outputs) ===
            canonicalJson(run.outputs)
          );
        },
      ),
      { numRuns: 40 },
    );
  },
);

t.test('no ACT where a guard fails, over approaches of every kind', async () => {
  const plans = fc.record({
    egoMps: fc.double({ min: -3, max: 45, noNaN: true }),
    closingMps: fc.double({ min: -5, max: 30, noNaN: true }),
    startGapM: fc.double({ min: 0, max: 120, noNaN: true }),
    conf: fc.double({ min: 0, max: 1, noNaN: true }),
    wetness: fc.constantFrom(0, 30, 100),
    brake: fc.boolean(),
    actAuthorised: fc.boolean(),
    healthy: fc.boolean(),
  });
  fc.assert(
    fc.property(plans, (plan) => {
      const run = drive({
        ticks: 80,
        plan: (tick, tUs) => {
          const seen = lead({ ...plan, startTick: 10 }, tick, tUs);
          return {
            signals: [
              speedSignal(plan.egoMps, tUs),
              {
                path: 'Vehicle.Chassis.Brake.PedalPosition',
                value: plan.brake ? 50 : 0,
                observedAtUs: tUs,
                changes: 0,
              },
            ],
            facts: [
              ...(tick === 0 ? [...fairStart(tUs), fact('weather', { wetness: plan.wetness }, tUs)] : []),
              { ...seen, conf: plan.conf },
            ],
            actAuthorised: plan.actAuthorised,
            store: { healthy: plan.healthy },
          };
        },
      });
      for (const out of run.outputs) {
        if (out.decision.kind !== 'act') continue;
        if (plan.brake || !plan.actAuthorised || !plan.healthy || out.mode !== 'NORMAL') return false;
        if (!out.decision.held && !isActAllowed(out)) return false;
        if (plan.egoMps < 0.5) return false;
      }
      return true;
    }),
    { numRuns: 60 },
  );
});

function isActAllowed(out: (typeof baseline.outputs)[number]): boolean {
  const { safety, decision } = out;
  if (decision.held) return true;
  return (
    safety.rss_viol === 1 &&
    safety.score > safety.delta &&
    (safety.v ?? 0) >= 0.5 &&
    (safety.dv ?? 0) > 0.1 &&
    safety.conf >= safety.c_min &&
    decision.confirm >= 4
  );
}

t.test('speech, decision and record hold nothing that a run cannot be replayed from', async (t) => {
  for (const out of baseline.outputs) {
    for (const { body } of out.audit) t.doesNotThrow(() => canonicalJson(body));
  }
  const act = baseline.outputs.find((out) => out.audit.some((entry) => entry.kind === 'act'));
  const body = act?.audit.find((entry) => entry.kind === 'act')?.body as Record<
    string,
    Record<string, unknown>
  >;
  for (const name of [
    'world_state',
    'events',
    'tools',
    'passages',
    'fused',
    'safety',
    'arbitration',
    'degraded',
  ]) {
    t.ok(name in body, name);
  }
  const { v, dmin, mu_used, a_brake } = body['safety'] as Record<string, number>;
  const expected = (v as number) * 0.7 + ((v as number) * (v as number)) / (2 * (a_brake as number)) + 2;
  t.ok(Math.abs(expected - (dmin as number)) < 1e-9, 'd_min follows from the record');
  t.ok((mu_used as number) > 0);
});

t.test('step runs where clock, randomness, timers and promises throw', async (t) => {
  const forbidden = [
    'Date',
    'Promise',
    'Intl',
    'setTimeout',
    'setInterval',
    'queueMicrotask',
    'process',
    'fetch',
  ];
  const context = createContext({});
  runInContext(
    `${forbidden
      .map(
        (name) =>
          `Object.defineProperty(globalThis, '${name}', { get() { throw new Error('the core touched ${name}'); } });`,
      )
      .join('\n')}
     Math.random = () => { throw new Error('the core touched Math.random'); };
     for (const name of ['sin', 'cos', 'tan', 'pow', 'log', 'tanh', 'cbrt', 'hypot', 'log2', 'expm1']) {
       Math[name] = () => { throw new Error('the core touched Math.' + name); };
     }`,
    context,
  );
  const bundle = bundleCore();
  const run = runInContext(bundle, context) as (inputsJson: string, paramsJson: string) => string;
  const outputs = run(JSON.stringify(baseline.inputs), JSON.stringify(defaultParams));
  t.equal(outputs, JSON.stringify(baseline.outputs));
});

/** The built modules of the core behind `step`, as one script without module syntax. */
function bundleCore(): string {
  const root = new URL('../../daemon/core/', import.meta.url);
  const modules = new Map<string, string>();
  const visit = (url: URL): string => {
    const name = url.href;
    if (modules.has(name)) return name;
    modules.set(name, '');
    let source = readFileSync(url, 'utf8');
    source = source.replace(
      /^import\s*\{([^}]*)\}\s*from\s*'([^']+)';$/gm,
      (_all, names: string, from: string) =>
        `const {${names.replaceAll(/\bas\b/g, ':')}} = load(${JSON.stringify(visit(new URL(from, url)))});`,
    );
    source = source.replace(
      /^export\s*\{([^}]*)\}\s*from\s*'([^']+)';$/gm,
      (_all, names: string, from: string) =>
        names
          .split(',')
          .map(
            (name) =>
              `exported.${name.trim()} = load(${JSON.stringify(visit(new URL(from, url)))}).${name.trim()};`,
          )
          .join('\n'),
    );
    const exportedNames: string[] = [];
    source = source.replace(/^export (const|function|class) (\w+)/gm, (_all, kind: string, id: string) => {
      exportedNames.push(id);
      return `${kind} ${id}`;
    });
    source = source.replace(/^export \{\};$/gm, '').replace(/^\/\/# sourceMappingURL.*$/gm, '');
    modules.set(name, `${source}\n${exportedNames.map((id) => `exported.${id} = ${id};`).join('\n')}`);
    return name;
  };
  const entry = visit(new URL('step.js', root));
  const bodies = [...modules].map(
    ([name, source]) => `${JSON.stringify(name)}: (exported, load) => {${source}}`,
  );
  return `(() => {
    'use strict';
    const modules = {${bodies.join(',\n')}};
    const loaded = {};
    const load = (name) => {
      if (!(name in loaded)) { loaded[name] = {}; modules[name](loaded[name], load); }
      return loaded[name];
    };
    const { step, createInitialState } = load(${JSON.stringify(entry)});
    return (inputsJson, paramsJson) => {
      const params = JSON.parse(paramsJson);
      let state = createInitialState(params);
      const outputs = [];
      for (const inputs of JSON.parse(inputsJson)) {
        const result = step(state, inputs, params);
        state = result.state;
        outputs.push(result.outputs);
      }
      return JSON.stringify(outputs);
    };
  })()`;
}

function isDegraded(body: unknown, word: string): boolean {
  const { degraded } = body as { degraded?: readonly string[] };
  return degraded?.includes(word) ?? false;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
