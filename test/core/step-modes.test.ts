import t from 'tap';
import type { SourceState } from '../../daemon/core/tick.js';
import { type Driven, drive, fact, fairStart, speedSignal, type TickPlan } from './step-drive.js';

function run(ticks: number, at: (tick: number, tUs: number) => TickPlan): Driven {
  return drive({
    ticks,
    plan: (tick, tUs) => ({
      signals: [speedSignal(15, tUs)],
      ...at(tick, tUs),
      facts: [...(tick === 0 ? fairStart(tUs) : []), ...(at(tick, tUs).facts ?? [])],
    }),
  });
}

const modesOf = (driven: Driven): string[] => driven.outputs.map((out) => out.mode);

function changes(driven: Driven): { tick: number; from: string; to: string; causes: string[] }[] {
  return driven.outputs.flatMap((out) =>
    out.audit
      .filter((entry) => entry.kind === 'mode')
      .map((entry) => ({
        tick: out.tick,
        ...(entry.body['mode_change'] as { from: string; to: string; causes: string[] }),
      })),
  );
}

t.test('a cause lowers the mode at once; three seconds without it raise it again', async (t) => {
  const cases: [string, 'ADVISORY' | 'MONITOR', (tick: number, tUs: number) => TickPlan][] = [
    ['store:unhealthy', 'ADVISORY', () => ({ store: { healthy: false } })],
    ['store:lag', 'ADVISORY', () => ({ store: { lagUs: 1_000_001 } })],
    ['can:can0:stale', 'MONITOR', () => ({ sources: [source('can', 'can0', 'stale', true)] })],
    ['can:can0:lost', 'MONITOR', () => ({ sources: [source('can', 'can0', 'lost', false)] })],
    [
      'perception:camera:lost',
      'MONITOR',
      () => ({ sources: [source('perception', 'camera', 'lost', true)] }),
    ],
    ['tool:rules:lost', 'ADVISORY', () => ({ sources: [source('tool', 'rules', 'lost', false)] })],
  ];
  for (const [cause, mode, plan] of cases) {
    const driven = run(160, (tick, tUs) => (tick >= 40 && tick < 60 ? plan(tick, tUs) : {}));
    const [down, up, ...rest] = changes(driven);
    t.match(down, { tick: 40, from: 'NORMAL', to: mode }, cause);
    t.ok(down?.causes.includes(cause));
    t.match(up, { tick: 120, from: mode, to: 'NORMAL' }, 'gone at tick 60, held for three seconds');
    t.same(rest, []);
  }
});

function source(
  kind: SourceState['kind'],
  name: string,
  state: SourceState['state'],
  required: boolean,
): SourceState {
  return { kind, name, state, required };
}

t.test(
  'speed that goes missing leads to MONITOR after its time to live; only status is spoken',
  async (t) => {
    const driven = run(300, (tick, tUs) => ({
      signals: tick < 40 || tick > 150 ? [speedSignal(15, tUs)] : [],
      facts: tick === 100 ? [fact('gantry', { id: 'g', value: 60, unit: 'km/h' }, tUs)] : [],
    }));
    t.match(changes(driven)[0], { tick: 50, to: 'MONITOR', causes: ['signal:Vehicle.Speed'] });
    const said = driven.outputs.filter((out) => out.mode === 'MONITOR' && out.utterance !== null);
    t.same(
      said.map((out) => out.utterance?.l1),
      ['Vehicle data missing: no advice for now.'],
    );
    t.ok(driven.outputs.some((out) => out.utterance?.l1.startsWith('Vehicle data is back')));
    t.equal(driven.outputs[60]?.safety.v, null);
  },
);

t.test('speed may take two seconds to appear after the start', async (t) => {
  const late = run(120, (tick, tUs) => ({ signals: tick >= 30 ? [speedSignal(15, tUs)] : [] }));
  t.same([...new Set(modesOf(late))], ['NORMAL']);
  const never = run(60, () => ({ signals: [] }));
  t.equal(modesOf(never).indexOf('MONITOR'), 40);
});

t.test('timing: three missed ticks, or more than one in a hundred late within ten seconds', async (t) => {
  const missed = run(60, (tick) => ({ missedTicks: tick === 40 ? 3 : 0 }));
  t.match(changes(missed)[0], { tick: 40, to: 'ADVISORY', causes: ['timing:missed'] });
  const spread = run(100, (tick) => ({ missedTicks: tick === 40 || tick === 41 || tick === 60 ? 1 : 0 }));
  t.same(changes(spread), []);
  const late = (ticks: readonly number[]) =>
    run(400, (tick) => ({ lateUs: ticks.includes(tick) ? 25_001 : 25_000 }));
  t.same(changes(late([40, 80])), [], 'two of two hundred are one in a hundred');
  t.match(changes(late([40, 80, 120]))[0], { tick: 120, causes: ['timing:late'] });
  t.same(changes(late([40, 80, 300])), [], 'not within ten seconds');
});

t.test('a limit that stays a guess, and an expert that keeps failing, lead to ADVISORY', async (t) => {
  const noPack = drive({
    ticks: 60,
    plan: (tick, tUs) => ({ signals: [speedSignal(15, tUs)], facts: tick === 0 ? fairStart(tUs) : [] }),
    answering: (request) => ({
      afterTicks: 1,
      status: 'ok',
      payload:
        request.tool === 'rules'
          ? {
              legal_action: 'unknown_conservative',
              limit: null,
              advisory: null,
              confidence: 0.2,
              degraded: ['missing'],
            }
          : { mu_est: 0.8, mu_lo: 0.7, risk_level: 'low', confidence: 0.9, health_risk: 0 },
    }),
  });
  t.match(changes(noPack)[0], { tick: 20, to: 'ADVISORY', causes: ['limit:unsure'] });
  t.match(noPack.outputs.find((out) => out.utterance !== null)?.utterance?.l1, /^Limit unclear/);
  const noWeather = drive({
    ticks: 700,
    plan: (_tick, tUs) => ({ signals: [speedSignal(15, tUs)] }),
    answering: (request) => ({
      afterTicks: 1,
      status: request.tool === 'weather' ? 'error' : 'ok',
      payload: { health_risk: 0 },
    }),
  });
  t.same(changes(noWeather)[0]?.causes, ['tool:weather:failing']);
});

t.test('a rulepack that expires on the way: its limits stay, the mode says so', async (t) => {
  const expiring = drive({
    ticks: 120,
    plan: (tick, tUs) => ({
      signals: [speedSignal(15, tUs)],
      facts: [
        ...(tick === 0 ? fairStart(tUs) : []),
        ...(tick === 40 ? [fact('road', { roadClass: 'rural', segment: 's2' }, tUs)] : []),
      ],
    }),
    answering: (request, tick) => ({
      afterTicks: 1,
      status: 'ok',
      payload:
        request.tool !== 'rules'
          ? { mu_est: 0.8, mu_lo: 0.7, risk_level: 'low', confidence: 0.9, health_risk: 0 }
          : {
              legal_action: tick < 40 ? 'obey_limit' : 'obey_limit_degraded',
              limit: { value: 100, unit: 'km/h' },
              advisory: null,
              confidence: tick < 40 ? 0.9 : 0.6,
              degraded: tick < 40 ? [] : ['expired'],
            },
    }),
  });
  t.match(changes(expiring)[0], { tick: 41, to: 'ADVISORY', causes: ['rulepack:stale'] });
  const fused = expiring.outputs.flatMap((out) => out.audit).at(-1)?.body['fused'] as {
    legal: { value: number };
  };
  t.equal(fused.legal.value, 100);
});

t.test('time that runs backwards breaks an invariant: STOPPED, for good', async (t) => {
  const driven = run(30, () => ({}));
  t.notOk(modesOf(driven).includes('STOPPED'));
  const { replay, defaultParams } = await import('./step-drive.js');
  const inputs = [...driven.inputs.slice(0, 20), ...driven.inputs.slice(5, 30)];
  const broken = replay(inputs, defaultParams);
  t.equal(broken.outputs[20]?.mode, 'STOPPED');
  t.equal(broken.outputs.at(-1)?.mode, 'STOPPED');
});

t.test('the record: heartbeat every second, nothing between without a reason', async (t) => {
  const driven = run(200, () => ({}));
  const kinds = driven.outputs.map((out) => out.audit.map((entry) => entry.kind).join());
  const heartbeats = kinds.flatMap((kind, tick) => (kind === 'heartbeat' ? [tick] : []));
  t.ok(heartbeats.length >= 7);
  for (const [index, tick] of heartbeats.entries()) {
    if (index > 0) t.ok(tick - (heartbeats[index - 1] as number) <= 20 || kinds[tick - 20] !== '');
  }
  t.ok(kinds.filter((kind) => kind === '').length > 150);
});
