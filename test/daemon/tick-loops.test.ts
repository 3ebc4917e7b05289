import t from 'tap';
import { DriveTime } from '../../daemon/core/can/drive-time.js';
import type {
  AuditEntry,
  JsonObject,
  SignalSample,
  TickInputs,
  TickOutputs,
  ToolRequest,
} from '../../daemon/core/tick.js';
import type { Clock, DriveSource } from '../../daemon/ports.js';
import { Pace, systemClock } from '../../daemon/runtime/clock.js';
import type { Journal } from '../../daemon/runtime/journal.js';
import { Lateness } from '../../daemon/runtime/lateness.js';
import { runLive } from '../../daemon/runtime/live-loop.js';
import { runLockstep } from '../../daemon/runtime/lockstep-loop.js';
import { checkRecordedInputs } from '../../daemon/runtime/recorded-inputs.js';
import { RequiredSignals } from '../../daemon/runtime/required-signals.js';
import { RunTally } from '../../daemon/runtime/run-tally.js';
import type { TickParts } from '../../daemon/runtime/tick-engine.js';
import { ActGate } from '../../daemon/sinks/act-gate.js';
import { ExpertPool } from '../../daemon/tools/expert-pool.js';

/** A clock that moves only when somebody sleeps, or is held up. */
class ManualClock implements Clock {
  nowUs = 1_000_000;
  monoUs = () => this.nowUs;
  wallMs = () => 1_700_000_000_000;
  async sleepUntilUs(tUs: number): Promise<void> {
    this.nowUs = Math.max(this.nowUs, tUs);
  }
}

const periodUs = 50_000;

/** A drive of `ticks` ticks that says nothing. */
function drive(ticks: number, onAdvance: (tUs: number) => void = () => {}): DriveSource {
  return {
    description: 'scripted',
    digest: '',
    isSimulated: true,
    startWallMs: 1_600_000_000_000,
    diagnosticCount: 0,
    advance: async (tUs) => {
      onAdvance(tUs);
      return tUs < ticks * periodUs;
    },
    drainFacts: () => [],
    drainSignals: () => [],
    close: async () => {},
  };
}

const speech: TickOutputs['decision'] = {
  kind: 'none',
  blockedBy: [],
  confirm: 0,
  held: false,
  intent: null,
};
const brake: TickOutputs['decision'] = {
  kind: 'act',
  blockedBy: [],
  confirm: 4,
  held: false,
  intent: { kind: 'brake_assist', decelMps2: 4, maxMs: 800, expiresAtUs: Number.MAX_SAFE_INTEGER },
};

function outputs(inputs: TickInputs, part: Partial<TickOutputs> = {}): TickOutputs {
  return {
    tick: inputs.tick,
    tUs: inputs.tUs,
    mode: 'NORMAL',
    requests: [],
    cancels: [],
    events: [],
    decision: speech,
    utterance: null,
    safety: {} as TickOutputs['safety'],
    audit: [],
    counts: {},
    ...part,
  };
}

function request(id: string): ToolRequest {
  return { id, tool: 'rules', call: 'x', key: id, args: {}, deadlineUs: 5_000_000, reason: [] };
}

const must: AuditEntry = { kind: 'act', commit: 'now', body: {} };

interface World {
  readonly parts: TickParts;
  readonly seen: TickInputs[];
  readonly appended: number[];
}

function world(options: {
  source: DriveSource;
  decide?: (inputs: TickInputs) => TickOutputs;
  answer?: () => Promise<JsonObject>;
  durable?: (tick: number) => Promise<boolean>;
  latency?: 'measured' | 'ticks';
}): World {
  const seen: TickInputs[] = [];
  const appended: number[] = [];
  const journal: Journal = {
    append: (tick) => appended.push(tick),
    state: () => ({ healthy: true, durableTick: 7, lagUs: 123 }),
    counters: () => ({ queued: 0 }),
    whenDurable: options.durable ?? (async () => true),
  };
  const tools = new ExpertPool([{ tool: 'rules', call: options.answer ?? (async () => ({})) }], {
    clock: systemClock,
    concurrencyMaxCount: 4,
    queueMaxCount: 8,
    answerMaxBytes: 1000,
    breakerFailuresMaxCount: 5,
    breakerOpenMs: 5000,
    latency: options.latency ?? 'ticks',
  });
  const parts: TickParts = {
    periodUs,
    source: options.source,
    profile: { states: () => [] },
    required: new RequiredSignals(new Map()),
    tools,
    journal,
    tape: null,
    fallbackStartWallMs: 0,
    actAuthorised: () => true,
    decide: (inputs) => {
      seen.push(inputs);
      return options.decide?.(inputs) ?? outputs(inputs);
    },
    hash: () => new Uint8Array(32),
    tally: new RunTally(),
    commands: () => [],
    betweenTicks: () => [],
    watch: () => {},
  };
  return { parts, seen, appended };
}

function lockstep(
  parts: TickParts,
  settle: (o: TickOutputs, d: boolean | null, t: number) => void = () => {},
  clock: Clock = new ManualClock(),
  speed: number | 'max' = 'max',
  lateness = new Lateness(),
) {
  return runLockstep(parts, {
    clock,
    speed,
    ackDeadlineMs: 50,
    lateness,
    settle,
    signal: new AbortController().signal,
  });
}

t.test(
  'lockstep: an answer asked for in tick N is an input of tick N + 1, however long it took',
  async (t) => {
    const { parts, seen } = world({
      source: drive(6),
      decide: (inputs) =>
        outputs(inputs, { requests: inputs.tick % 2 === 0 ? [request(`${inputs.tick}-0`)] : [] }),
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { limit: 50 };
      },
    });
    await lockstep(parts);
    t.same(
      seen.map((inputs) => inputs.answers.map((a) => [a.requestId, a.status, a.latencyUs])),
      [[], [['0-0', 'ok', periodUs]], [], [['2-0', 'ok', periodUs]], [], [['4-0', 'ok', periodUs]]],
    );
    t.same(
      seen.map((inputs) => [inputs.tUs, inputs.lateUs, inputs.missedTicks, inputs.store.lagUs]),
      [0, 1, 2, 3, 4, 5].map((k) => [k * periodUs, 0, 0, 0]),
      'time is drive time, lateness and lag are no inputs',
    );
    t.equal(seen[3]?.wallMs, 1_600_000_000_150);
  },
);

t.test(
  'lockstep: what must be durable is waited for; a store that does not answer is told to the core',
  async (t) => {
    const settled: [number, boolean | null][] = [];
    const { parts, seen, appended } = world({
      source: drive(5),
      decide: (inputs) => outputs(inputs, { audit: inputs.tick === 1 || inputs.tick === 2 ? [must] : [] }),
      durable: async (tick) => tick === 1,
    });
    await lockstep(parts, (o, isDurable) => settled.push([o.tick, isDurable]));
    t.same(appended, [0, 1, 2, 3, 4], 'each tick is told to the store');
    t.same(
      seen.map((inputs) => inputs.store),
      [
        { healthy: true, durableTick: -1, lagUs: 0 },
        { healthy: true, durableTick: -1, lagUs: 0 },
        { healthy: true, durableTick: 1, lagUs: 0 },
        { healthy: false, durableTick: 1, lagUs: 0 },
        { healthy: true, durableTick: 1, lagUs: 0 },
      ],
    );
    t.same(settled, [
      [0, null],
      [1, true],
      [2, false],
      [3, null],
      [4, null],
    ]);
  },
);

t.test('percentiles are in order, also where the histogram has coarse buckets', (t) => {
  const lateness = new Lateness();
  for (const us of [3757, 3757, 3757, 12]) lateness.record(us);
  const { p50, p99, max } = lateness.summary();
  t.ok(p50 <= p99 && p99 <= max, `${p50} ${p99} ${max}`);
  t.equal(max, 3757);
  t.end();
});

t.test('lockstep: pace and lateness', async (t) => {
  const clock = new ManualClock();
  const lateness = new Lateness();
  const { parts, seen } = world({
    source: drive(10, (tUs) => {
      if (tUs === 5 * periodUs) clock.nowUs += 30_000;
    }),
  });
  await lockstep(parts, () => {}, clock, 2, lateness);
  t.equal(seen.length, 10, 'every tick is run, late or not');
  t.equal(clock.nowUs, 1_000_000 + 10 * 25_000, 'ten periods at double speed');
  t.same(
    lateness.summary(),
    { p50: 0, p99: 5000, max: 5000 },
    'held up 30 ms, the next tick was due after 25',
  );
  const max = new Pace(clock, 'max');
  clock.nowUs += 70_000;
  t.equal(await max.waitUntilDue(50_000), 20_000, 'at full speed lateness is against real time');
  t.equal(await max.waitUntilDue(500_000), 0);
});

t.test('lockstep and live end at once when aborted', async (t) => {
  const stop = new AbortController();
  const a = world({
    source: drive(1e9, (tUs) => {
      if (tUs === 3 * periodUs) stop.abort();
    }),
  });
  await runLockstep(a.parts, {
    clock: systemClock,
    speed: 'max',
    ackDeadlineMs: 1,
    lateness: new Lateness(),
    settle: () => {},
    signal: stop.signal,
  });
  t.equal(a.seen.length, 4, 'the tick under way is finished');
  const b = world({ source: drive(1e9) });
  await runLive(b.parts, {
    clock: systemClock,
    startUs: 0,
    lateness: new Lateness(),
    settle: () => {},
    signal: stop.signal,
  });
  t.equal(b.seen.length, 0);
});

t.test('live: missed ticks are told once, no burst; answers come when they come', async (t) => {
  const clock = new ManualClock();
  const lateness = new Lateness();
  let release: (value: JsonObject) => void = () => {};
  const { parts, seen } = world({
    latency: 'measured',
    source: drive(12, (tUs) => {
      if (tUs === 2 * periodUs) clock.nowUs += 170_000;
      if (tUs === 8 * periodUs) release({});
    }),
    decide: (inputs) => outputs(inputs, { requests: inputs.tick === 1 ? [request('1-0')] : [] }),
    answer: () =>
      new Promise((resolve) => {
        release = resolve;
      }),
  });
  await runLive(parts, {
    clock,
    startUs: clock.nowUs,
    lateness,
    settle: () => {},
    signal: new AbortController().signal,
  });
  t.same(seen.map((inputs) => [inputs.tick, inputs.missedTicks, inputs.lateUs]).slice(0, 6), [
    [0, 0, 0],
    [1, 0, 0],
    [2, 0, 0],
    [5, 2, 120_000],
    [6, 0, 0],
    [7, 0, 0],
  ]);
  t.ok(
    seen.every((inputs) => inputs.tUs === inputs.tick * periodUs),
    'scheduled time, not wake time',
  );
  t.equal(
    seen.find((inputs) => inputs.tick === 4),
    undefined,
  );
  const answered = seen.filter((inputs) => inputs.answers.length > 0);
  t.equal(answered.length, 1);
  t.ok((answered[0]?.tick ?? 0) >= 8, 'the loop did not wait for it');
  t.equal(seen[0]?.store.lagUs, 123, 'the state of the store as it is');
});

t.test('the act gate: nothing without an authorised sink, a durable record, and time left', async (t) => {
  const released: number[] = [];
  const sink = { name: 'test', speak: () => {}, act: (tick: number) => released.push(tick) };
  const inputs = { tick: 3, tUs: 0 } as TickInputs;
  const act = outputs(inputs, { decision: brake });
  const off = new ActGate([]);
  t.equal(off.isAuthorised, false);
  off.pass(act, true, 0);
  const gate = new ActGate([sink]);
  gate.pass(act, false, 0);
  gate.pass(outputs(inputs), true, 0);
  gate.pass(
    outputs(inputs, { decision: { ...brake, intent: { ...brake.intent!, expiresAtUs: 10 } } }),
    true,
    11,
  );
  t.same(released, []);
  gate.pass(act, true, 0);
  gate.pass(act, null, 0);
  t.same(released, [3, 3], 'an ACT that goes on rests on the record of its beginning');
  gate.pass(outputs(inputs), null, 0);
  gate.pass(act, null, 0);
  t.equal(released.length, 2, 'and a new one needs its own');
  t.same(off.counters, { released: 0, refused_not_durable: 0, refused_expired: 0, refused_unauthorised: 1 });
  t.same(gate.counters, { released: 2, refused_not_durable: 2, refused_expired: 1, refused_unauthorised: 0 });
});

t.test('drive time never runs backwards and is never endless', async (t) => {
  const time = new DriveTime();
  const at = (s: number) => time.at(1_700_000_000 + s);
  t.equal(at(0), 0);
  t.equal(at(1.5), 1_500_000);
  t.equal(at(1.4), 1_500_000, 'two channels slightly out of order');
  t.equal(at(2), 2_000_000);
  t.equal(at(2 - 3600), 2_000_000, 'the clock was set an hour back');
  t.equal(at(3 - 3600), 3_000_000, 'and time goes on from there');
  t.equal(at(3 + 50 * 365 * 86_400), 63_000_000, 'fifty years forward are a minute');
  t.equal(at(4 + 50 * 365 * 86_400), 64_000_000);
  t.equal(time.at(Number.NaN), 64_000_000);
  t.same([time.outOfOrder, time.stepsBack, time.gapsShortened], [2, 1, 1]);
  t.equal(new DriveTime().at(Number.POSITIVE_INFINITY), 0);

  const jumping = new DriveTime();
  let us = 0;
  for (let i = 0; i < 500; i++) us = jumping.at(i % 2 === 0 ? 0 : 7200);
  t.equal(us, 30 * 60_000_000 + 220 * 50_000, 'a clock that jumps to and fro is played for half an hour');
  t.same([jumping.stepsBack, jumping.gapsShortened, jumping.gapsSqueezed], [249, 250, 220]);
  const slow = new DriveTime();
  for (let i = 0; i <= 3600; i++) us = slow.at(i * 4);
  t.equal(us, 14_400e6, 'a slow sender is no silence');
});

t.test('required signals: never seen, fresh, stale, invalid', async (t) => {
  const required = new RequiredSignals(new Map([['Vehicle.Speed', 500_000]]));
  const sample = (value: number | null, observedAtUs: number): SignalSample => ({
    path: 'Vehicle.Speed',
    value,
    observedAtUs,
    changes: 1,
  });
  const state = (tUs: number) => required.states(tUs)[0]?.state;
  t.equal(state(2_000_000), 'fresh', 'signals may take two seconds to appear');
  t.equal(state(2_000_001), 'lost');
  required.see([sample(null, 0)]);
  t.equal(state(2_000_001), 'lost', 'an invalid value is no sign of life');
  required.see([sample(10, 100_000)]);
  t.equal(state(600_000), 'fresh');
  t.equal(state(600_001), 'stale');
});

t.test('lateness in constant memory', async (t) => {
  const lateness = new Lateness();
  t.same(lateness.summary(), { p50: 0, p99: 0, max: 0 });
  for (let i = 1; i <= 1000; i++) lateness.record(i);
  const { p50, p99, max } = lateness.summary();
  t.ok(Math.abs(p50 - 500) <= 1 && Math.abs(p99 - 990) <= 1);
  t.equal(max, 1000);
  lateness.record(Number.POSITIVE_INFINITY);
  t.equal(lateness.summary().max, 3_600_000_000);
});

t.test('inputs out of a file have the shape that a run would have given them', (t) => {
  const fact = { kind: 'units', value: 'mph', conf: 1, provenance: 'map', observedAtUs: 0 };
  const inputs = {
    tick: 3,
    tUs: 150_000,
    wallMs: 1,
    lateUs: 0,
    missedTicks: 0,
    signals: [{ path: 'Vehicle.Speed', value: Number.NaN, observedAtUs: 0, changes: 1 }],
    facts: [fact],
    answers: [],
    sources: [],
    store: { healthy: true, durableTick: -1, lagUs: 0 },
    commands: [],
    actAuthorised: false,
  };
  const check = (change: object) =>
    checkRecordedInputs({ ...inputs, ...change } as unknown as TickInputs, 'a.drec');
  t.doesNotThrow(() => check({}), 'a signal may be no number: a float of the bus may be');
  const cases: [string, object][] = [
    ['lateUs', { lateUs: Number.NaN }],
    ['wallMs', { wallMs: Number.POSITIVE_INFINITY }],
    ['tUs', { tUs: Number.NEGATIVE_INFINITY }],
    ['tick', { tick: -1 }],
    ['tick', { tick: 1.5 }],
    ['store.lagUs', { store: { ...inputs.store, lagUs: Number.NaN } }],
    ['facts[1]', { facts: [fact, null] }],
    ['facts[0].conf', { facts: [{ ...fact, conf: Number.NaN }] }],
  ];
  for (const [key, change] of cases) {
    t.throws(() => check(change), { code: 'RECORDING_INVALID', location: { file: 'a.drec', key } });
  }
  t.end();
});
