import t from 'tap';
import type { JsonObject, ToolAnswer, ToolName, ToolRequest } from '../../daemon/core/tick.js';
import type { ToolClient } from '../../daemon/ports.js';
import { systemClock } from '../../daemon/runtime/clock.js';
import { checkPayload } from '../../daemon/tools/answer-payload.js';
import { CircuitBreaker } from '../../daemon/tools/circuit-breaker.js';
import { ExpertPool, type ExpertPoolOptions } from '../../daemon/tools/expert-pool.js';

type Behaviour = (request: ToolRequest, signal: AbortSignal) => Promise<JsonObject>;

function expert(tool: ToolName, call: Behaviour): ToolClient {
  return { tool, call };
}

function poolOf(clients: ToolClient[], options: Partial<ExpertPoolOptions> = {}): ExpertPool {
  return new ExpertPool(clients, {
    clock: systemClock,
    concurrencyMaxCount: 4,
    queueMaxCount: 8,
    answerMaxBytes: 65_536,
    breakerFailuresMaxCount: 5,
    breakerOpenMs: 5000,
    latency: 'measured',
    ...options,
  });
}

let nextId = 0;
function request(tool: ToolName, key: string, deadlineMs = 10_000): ToolRequest {
  return { id: `1-${nextId++}`, tool, call: 'x', key, args: {}, deadlineUs: deadlineMs * 1000, reason: [] };
}

/** An answer that the test gives when it wants to. */
function held(): { call: Behaviour; answer(value: JsonObject): void; aborted(): boolean; calls(): number } {
  const open: { resolve(value: JsonObject): void; signal: AbortSignal }[] = [];
  let calls = 0;
  return {
    call: (_request, signal) =>
      new Promise((resolve) => {
        calls++;
        open.push({ resolve, signal });
      }),
    answer: (value) => open.shift()?.resolve(value),
    aborted: () => open.some((one) => one.signal.aborted),
    calls: () => calls,
  };
}

async function settledAnswers(pool: ExpertPool): Promise<ToolAnswer[]> {
  await pool.settled();
  return pool.takeAnswers(50_000);
}

t.test('calls of different experts run at the same time: the wait is the longest, not the sum', async (t) => {
  const [rules, weather, can] = [held(), held(), held()];
  const pool = poolOf([
    expert('rules', rules.call),
    expert('weather', weather.call),
    expert('can', can.call),
  ]);
  for (const tool of ['rules', 'weather', 'can'] as const) pool.submit(request(tool, tool), 0);
  t.same(
    [rules.calls(), weather.calls(), can.calls()],
    [1, 1, 1],
    'all three are under way before any has answered',
  );
  can.answer({ n: 3 });
  rules.answer({ n: 1 });
  weather.answer({ n: 2 });
  const answers = await settledAnswers(pool);
  t.same(
    answers.map((answer) => [answer.tool, answer.status]),
    [
      ['rules', 'ok'],
      ['weather', 'ok'],
      ['can', 'ok'],
    ],
    'in the order of asking, whatever the order of answering',
  );
});

t.test('with one call at a time the wait is the sum (ablation)', async (t) => {
  const [rules, weather] = [held(), held()];
  const pool = poolOf([expert('rules', rules.call), expert('weather', weather.call)], {
    concurrencyMaxCount: 1,
  });
  pool.submit(request('rules', 'a'), 0);
  pool.submit(request('weather', 'b'), 0);
  t.same([rules.calls(), weather.calls()], [1, 0], 'the second waits for the first');
  rules.answer({});
  while (weather.calls() === 0) await new Promise((resolve) => setImmediate(resolve));
  weather.answer({});
  t.equal((await settledAnswers(pool)).length, 2);
});

t.test(
  'a hanging expert times out, is told to stop, and its late answer still arrives, marked',
  async (t) => {
    const rules = held();
    const pool = poolOf([expert('rules', rules.call)], { latency: 'ticks' });
    pool.submit(request('rules', 'a', 5), 0);
    const [timeout] = await settledAnswers(pool);
    t.equal(timeout?.status, 'timeout');
    t.equal(timeout?.latencyUs, 50_000, 'counted from tick to tick');
    t.ok(rules.aborted(), 'the call was cancelled');
    rules.answer({ limit: 50 });
    await new Promise((resolve) => setImmediate(resolve));
    const [late, ...rest] = pool.takeAnswers(100_000);
    t.equal(rest.length, 0);
    t.match(late, { status: 'ok', late: true, payload: { limit: 50 }, latencyUs: 100_000 });
    t.match(pool.counters()['rules'], { timeouts: 1, late: 1, ok: 0 });
  },
);

t.test('the same question is asked once; each who asked gets the answer', async (t) => {
  const rules = held();
  const pool = poolOf([expert('rules', rules.call)]);
  pool.submit(request('rules', 'same'), 0);
  pool.submit(request('rules', 'same'), 0);
  rules.answer({ limit: 30 });
  const answers = await settledAnswers(pool);
  t.equal(rules.calls(), 1);
  t.same(
    answers.map((answer) => answer.payload),
    [{ limit: 30 }, { limit: 30 }],
  );
  pool.submit(request('rules', 'same'), 0);
  t.equal(rules.calls(), 2, "once answered, it may be asked again: caching is the core's");
  rules.answer({});
  await pool.settled();
});

t.test('a breaker opens after five failures and closes after a good probe, on tick time', async (t) => {
  let fails = true;
  const pool = poolOf([
    expert('can', async () => {
      if (fails) throw new Error('bus gone\nsecond line');
      return {};
    }),
  ]);
  for (let i = 0; i < 5; i++) {
    pool.submit(request('can', `k${i}`), i * 50_000);
    const [answer] = await settledAnswers(pool);
    t.match(answer, { status: 'error', error: 'bus gone' });
  }
  t.same(pool.states(), [{ name: 'can', kind: 'tool', required: false, state: 'lost' }]);
  pool.submit(request('can', 'x'), 1_000_000);
  t.match((await settledAnswers(pool))[0], { status: 'error', error: 'breaker is open' });
  fails = false;
  pool.submit(request('can', 'probe'), 5_200_001);
  t.match((await settledAnswers(pool))[0], { status: 'ok' });
  t.equal(pool.states()[0]?.state, 'fresh');
  t.match(pool.counters()['can'], { errors: 5, ok: 1, refused: 1, breakerOpened: 1 });
});

t.test('breaker: one probe at a time, a failed probe opens it again', async (t) => {
  const breaker = new CircuitBreaker(2, 100);
  breaker.failure(0);
  t.ok(breaker.admit(0));
  breaker.failure(10);
  t.notOk(breaker.admit(109));
  t.ok(breaker.admit(110));
  t.notOk(breaker.admit(111), 'the probe is under way');
  breaker.failure(120);
  t.notOk(breaker.admit(219));
  t.ok(breaker.admit(220));
  breaker.withdrawn();
  t.ok(breaker.admit(221), 'a withdrawn probe proves nothing');
  breaker.success();
  t.equal(breaker.state, 'closed');
});

t.test('unfit answers are discarded and counted, and the daemon lives on', async (t) => {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const deep: Record<string, unknown> = {};
  for (let i = 0, at = deep; i < 100; i++) at = at['x'] = {} as Record<string, unknown>;
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  const unfit: [string, unknown][] = [
    ['10 MB of text', { text: 'x'.repeat(10_000_000) }],
    ['a million numbers', { list: new Array(1_000_000).fill(1) }],
    ['NaN', { mu: Number.NaN }],
    ['Infinity inside', { a: [{ b: Number.POSITIVE_INFINITY }] }],
    ['a string instead of an object', 'limit 300'],
    ['null', null],
    ['undefined', undefined],
    ['an array', [1]],
    ['a function', { f: () => 1 }],
    ['a bigint', { n: 1n }],
    ['a date', { d: new Date(0) }],
    ['a lone surrogate', { s: '\ud800' }],
    ['a cycle', cyclic],
    ['nesting', deep],
    ['a trap', trap],
    ['a prototype key', JSON.parse('{"__proto__": {"polluted": true}}')],
  ];
  let answer: unknown;
  const pool = poolOf([expert('weather', async () => answer as JsonObject)], {
    breakerFailuresMaxCount: 1000,
  });
  for (const [name, value] of unfit) {
    answer = value;
    pool.submit(request('weather', name), 0);
    const [got] = await settledAnswers(pool);
    t.equal(got?.status, 'error', name);
    t.equal(got?.payload, null, name);
  }
  t.equal(pool.counters()['weather']?.discarded, unfit.length);
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
  const source = { mu: -0, nested: { list: [1, null, true, 'ok'] }, gone: undefined };
  const good = checkPayload(source, 1000);
  source.nested.list.push('later');
  t.same(good, { ok: true, payload: { mu: 0, nested: { list: [1, null, true, 'ok'] } } }, 'a copy');
  t.ok(good.ok && Object.is(good.payload['mu'], 0), 'no −0: a recording could not hold it');
});

t.test('queue, cancellation, missing expert, close: bounded and without loose ends', async (t) => {
  const rules = held();
  const pool = poolOf([expert('rules', rules.call)], { concurrencyMaxCount: 1, queueMaxCount: 1 });
  const [first, second, third] = [request('rules', 'a'), request('rules', 'b'), request('rules', 'c')];
  for (const one of [first, second, third]) pool.submit(one, 0);
  pool.submit(request('can', 'x'), 0);
  t.same(
    pool.takeAnswers(0).map((answer) => answer.error),
    ['queue is full', 'no such expert'],
  );
  pool.cancel(second.id);
  pool.cancel(first.id);
  pool.cancel('9-9');
  t.ok(rules.aborted(), 'the call under way was told to stop');
  t.same(await settledAnswers(pool), [], 'nobody waits for a cancelled answer');
  pool.submit(request('rules', 'd'), 0);
  t.equal(rules.calls(), 2, 'its place in the line is free again');
  await pool.close();
  await pool.settled();
  t.match(pool.counters()['rules'], { cancelled: 2, refused: 1 });
});

t.test('an expert whose calls never end is not called without bound', async (t) => {
  const rules = held();
  const pool = poolOf([expert('rules', rules.call)], { breakerFailuresMaxCount: 1000 });
  for (let i = 0; i < 40; i++) {
    pool.submit(request('rules', `k${i}`, 0), 0);
    await pool.settled();
  }
  t.equal(rules.calls(), 32);
  t.match(pool.counters()['rules'], { refused: 8, timeouts: 32 });
});
