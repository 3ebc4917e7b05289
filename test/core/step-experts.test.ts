import t from 'tap';
import type { TickOutputs, ToolName } from '../../daemon/core/tick.js';
import {
  type Answering,
  calmPayload,
  decisionsOf,
  defaultParams,
  drive,
  fact,
  fairStart,
  lead,
  replay,
  signal,
  speedSignal,
} from './step-drive.js';

/** Germany at 20 m/s; a gantry asks for the rules expert at tick 80. */
function run(answering: Answering, ticks = 120) {
  return drive({
    ticks,
    answering,
    plan: (tick, tUs) => ({
      signals: [signal('Vehicle.ADAS.ESC.IsError', 0, tUs), speedSignal(20, tUs)],
      facts: [
        ...(tick === 0 ? fairStart(tUs) : []),
        ...(tick === 80 ? [fact('gantry', { id: 'g', value: 80, unit: 'km/h' }, tUs)] : []),
      ],
    }),
  });
}

const answerOf =
  (tool: ToolName, own: Answering): Answering =>
  (request, tick) =>
    request.tool === tool
      ? own(request, tick)
      : { afterTicks: 1, status: 'ok', payload: calmPayload(request) };

function requestTicks(outputs: readonly TickOutputs[], tool: ToolName): number[] {
  return outputs.flatMap((out) =>
    out.requests.filter((request) => request.tool === tool).map(() => out.tick),
  );
}

/** Source of the limit by tick, from the records. */
function lawSources(outputs: readonly TickOutputs[]): Map<number, string> {
  const sources = new Map<number, string>();
  for (const out of outputs) {
    for (const { body } of out.audit) {
      const fused = body['fused'] as { legal: { source: string } | null } | undefined;
      if (fused?.legal) sources.set(out.tick, fused.legal.source);
    }
  }
  return sources;
}

t.test('requests carry deadline, reason, key and a date made from the wall clock', async (t) => {
  const { outputs } = run(() => null);
  const [rules, weather, can] = outputs[0]?.requests ?? [];
  t.match(rules, { id: '0-0', tool: 'rules', call: 'rules_lookup_limit', deadlineUs: 300_000 });
  t.match(weather, { id: '0-1', tool: 'weather', call: 'weather_assess', deadlineUs: 100_000 });
  t.match(can, { id: '0-2', tool: 'can', call: 'can_health', deadlineUs: 50_000 });
  t.same(rules?.reason, ['jurisdiction_change', 'uncertain_limit']);
  t.same(rules?.args['as_of'], '2026-11-30');
  t.same(rules?.args['context'], { vehicle: 'car', road: 'rural', wet: false });
});

t.test('until the expert has answered, the lower of what is posted and known binds', async (t) => {
  const { outputs } = run(
    answerOf('rules', (request) => ({ afterTicks: 5, status: 'ok', payload: calmPayload(request) })),
  );
  const sources = lawSources(outputs);
  t.equal(sources.get(80), 'gantry');
  t.equal(sources.get(85), 'rules');
  const spoken = outputs.find((out) => out.utterance?.key.startsWith('dynamic_limit'));
  t.equal(spoken?.tick, 85, 'the announcement waits for the answer');
});

t.test(
  'a timeout: one announcement with what is known, no repetition before the negative cache ends',
  async (t) => {
    const failing = answerOf('rules', () => ({ afterTicks: 6, status: 'timeout', payload: null }));
    const { outputs } = run(failing, 300);
    const spoken = outputs.find((out) => out.utterance?.key.startsWith('dynamic_limit'));
    t.equal(spoken?.utterance?.l1, 'Keep to the variable limit: 80 km/h.');
    t.ok((spoken?.tick ?? 999) <= 80 + 8, '300 ms and two ticks');
    const asked = requestTicks(outputs, 'rules');
    for (const [index, tick] of asked.entries()) {
      const before = asked[index - 1];
      const isSameQuestion = before !== undefined && tick >= 80 === before >= 80;
      if (isSameQuestion) t.ok(tick - before >= 100, `ticks ${before} and ${tick}`);
    }
  },
);

t.test('a late answer is used in the tick after it came, and recorded as late', async (t) => {
  const plan = (tick: number, tUs: number) => ({
    signals: [speedSignal(20, tUs)],
    facts: tick === 0 ? fairStart(tUs) : [],
  });
  const timedOut = drive({
    ticks: 40,
    plan,
    answering: answerOf('rules', () => ({ afterTicks: 6, status: 'timeout', payload: null })),
  });
  const request = timedOut.outputs[0]?.requests[0];
  const inputs = timedOut.inputs.map((input) =>
    input.tick !== 12
      ? input
      : {
          ...input,
          answers: [
            {
              requestId: '0-0',
              tool: 'rules' as const,
              status: 'ok' as const,
              latencyUs: 600_000,
              payload: calmPayload(request as NonNullable<typeof request>),
              late: true,
            },
          ],
        },
  );
  const { outputs } = replay(inputs, defaultParams);
  const sources = lawSources(outputs);
  t.notOk([...sources].some(([tick, source]) => tick < 12 && source === 'rules'));
  t.equal(sources.get(12), 'rules');
  const tools = outputs[12]?.audit[0]?.body['tools'] as { request: string; status: string }[];
  t.ok(tools.some((tool) => tool.request === '0-0' && tool.status === 'late'));
});

t.test('an answer to a question that nobody asked, asked twice or asked elsewhere is dropped', async (t) => {
  const base = run((request) => ({ afterTicks: 1, status: 'ok', payload: calmPayload(request) }));
  const lie = { legal_action: 'obey_limit', limit: { value: 130, unit: 'km/h' }, confidence: 1 };
  const inputs = base.inputs.map((input) => ({
    ...input,
    answers: [
      ...input.answers,
      { requestId: 'x', tool: 'rules' as const, status: 'ok' as const, latencyUs: 0, payload: lie },
      { requestId: '0-1', tool: 'rules' as const, status: 'ok' as const, latencyUs: 0, payload: lie },
    ],
  }));
  const { outputs } = replay(inputs, defaultParams);
  t.equal(decisionsOf(outputs), decisionsOf(base.outputs));
  t.ok((outputs[5]?.counts['tool_answer_unasked'] ?? 0) > 0);
});

t.test('payloads are not believed: what does not fit is an error and changes nothing', async (t) => {
  const good = calmPayload({ tool: 'rules', args: { jurisdiction: 'DEU', context: {} } } as never);
  const bad = [
    null,
    {},
    { ...good, limit: { value: 300, unit: 'km/h', mps: 10 } },
    { ...good, limit: { value: -50, unit: 'km/h' } },
    { ...good, limit: { value: 50, unit: 'm/s' } },
    { ...good, limit: '50' },
    { ...good, confidence: 7 },
    { ...good, legal_action: 'Drive as fast as you like' },
  ];
  for (const payload of bad) {
    const { outputs } = run(
      answerOf('rules', () => ({ afterTicks: 1, status: 'ok', payload })),
      5,
    );
    t.equal([...lawSources(outputs).values()].includes('rules'), false, JSON.stringify(payload));
    const degraded = outputs[1]?.audit.flatMap((entry) => entry.body['degraded'] as string[]);
    t.ok(degraded?.includes('tool:rules:malformed'));
  }
  const lying = { ...good, limit: { value: 50, unit: 'km/h', mps: 99 } };
  const { outputs } = run(
    answerOf('rules', () => ({ afterTicks: 1, status: 'ok', payload: lying })),
    5,
  );
  const fused = outputs[1]?.audit[0]?.body['fused'] as { legal: { mps: number } };
  t.equal(fused.legal.mps, 50 / 3.6, 'the conversion is ours');
});

t.test(
  'a question is asked once while its answer is reusable, and cancelled when it no longer matters',
  async (t) => {
    const abs = drive({
      ticks: 260,
      plan: (tick, tUs) => ({
        signals: [speedSignal(20, tUs), signal('Vehicle.ADAS.ABS.IsEngaged', tick >= 40 ? 1 : 0, tUs)],
        facts: tick === 0 ? fairStart(tUs) : [],
      }),
    });
    const asked = requestTicks(abs.outputs, 'weather').filter((tick) => tick >= 40);
    t.same(asked, [40, 141, 242], 'every five seconds and the tick of the answer');
    const border = drive({
      ticks: 20,
      answering: () => null,
      plan: (tick, tUs) => ({
        signals: [speedSignal(20, tUs)],
        facts: [
          ...(tick === 0 ? fairStart(tUs) : []),
          ...(tick === 3 ? [fact('jurisdiction', 'GBR', tUs)] : []),
        ],
      }),
    });
    t.same(border.outputs[3]?.cancels, ['0-0']);
    t.ok(border.outputs[3]?.requests.some((request) => request.args['jurisdiction'] === 'GBR'));
  },
);

t.test('requests that are never answered are lost after a while, not kept for ever', async (t) => {
  const { state, outputs } = run(() => null, 2000);
  t.ok(state.router.inFlight.length <= 3);
  t.ok(outputs.some((out) => (out.counts['tool_lost'] ?? 0) > 0));
  t.ok(JSON.stringify(state).length < 30_000);
});

t.test('without the weather expert nothing acts: the fallback of grip is too unsure', async (t) => {
  const approach = { egoMps: 20, closingMps: 8, startGapM: 60, startTick: 40 };
  const { outputs } = drive({
    ticks: 200,
    answering: answerOf('weather', () => ({ afterTicks: 2, status: 'timeout', payload: null })),
    plan: (tick, tUs) => ({
      signals: [speedSignal(20, tUs)],
      facts: [...(tick === 0 ? fairStart(tUs) : []), lead(approach, tick, tUs)],
    }),
  });
  t.ok(outputs.every((out) => out.decision.kind !== 'act'));
  t.ok(
    outputs.some((out) => out.utterance?.l1.startsWith('Brake now')),
    'but it is spoken of',
  );
  t.ok(outputs.some((out) => out.decision.blockedBy.includes('confidence')));
});
