/** The poller's decisions against ECUs that do whatever they like: its limits hold in every case, and it always ends. */
import fc from 'fast-check';
import t from 'tap';
import { EcuSupport } from '../../daemon/core/obd-poll/ecu-support.js';
import { answerIdOf, isRequestId, requestIdOf } from '../../daemon/core/obd-poll/obd-address.js';
import { PollScheduler, type StopReason } from '../../daemon/core/obd-poll/poll-scheduler.js';
import { type PollSettings, responseUs } from '../../daemon/core/obd-poll/poll-settings.js';
import { classifyAnswer, requestBytes } from '../../daemon/core/obd-poll/question.js';
import { loadObdTx } from '../../native/index.js';

const settings: PollSettings = {
  addressing: '11',
  requestIds: [],
  gapUs: 0,
  responseUs,
  intervalUs: 1_000_000,
  isOnce: true,
  pids: null,
  wantsVin: true,
  wantsDtcs: true,
  allowsSilentBus: false,
  allowsUnknownVoltage: false,
};

type Mood =
  | 'answers'
  | 'silent'
  | 'late'
  | 'twice'
  | 'for_another'
  | 'wrong_source'
  | 'pending'
  | 'pending_for_ever'
  | 'busy'
  | 'refuses'
  | 'short'
  | 'garbage'
  | 'long';

interface SimEcu {
  readonly answerId: number;
  readonly pids: ReadonlySet<number>;
  readonly voltageV: number;
  readonly rpm: number;
  /** one after the other, over and over */
  readonly moods: readonly Mood[];
}

interface World {
  readonly ecus: readonly SimEcu[];
  /** another node is heard every second until then, µs */
  readonly trafficUntilUs: number;
  /** how many tries the kernel refuses before each request */
  readonly fullQueue: readonly number[];
  readonly endUs?: number;
}

interface Log {
  readonly sent: { readonly tUs: number; readonly id: number; readonly bytes: readonly number[] }[];
  readonly reason: StopReason | null;
  readonly scheduler: PollScheduler;
  /** facts that must never be */
  readonly violations: string[];
}

function bitMap(pids: ReadonlySet<number>, block: number): number[] {
  const bytes = [0, 0, 0, 0];
  for (let i = 0; i < 32; i++) {
    const hasLater = i === 31 && [...pids].some((pid) => pid > block + 32);
    if (pids.has(block + i + 1) || hasLater) bytes[i >> 3]! |= 0x80 >> (i & 7);
  }
  return bytes;
}

function reply(ecu: SimEcu, bytes: readonly number[]): number[] | null {
  const [service = 0, pid = 0] = bytes;
  if (service === 0x01) {
    if (pid % 32 === 0) return [0x41, pid, ...bitMap(ecu.pids, pid)];
    if (!ecu.pids.has(pid)) return null;
    const raw = pid === 0x0c ? ecu.rpm * 4 : pid === 0x42 ? Math.round(ecu.voltageV * 1000) : 0x1234;
    return [0x41, pid, raw >> 8, raw & 255];
  }
  if (service === 0x09)
    return pid === 0 ? [0x49, 0, 0x40, 0, 0, 0] : [0x49, 2, 1, ...Array<number>(17).fill(0x41)];
  return [service + 0x40, 0];
}

/** Runs the scheduler against a simulated bus; time goes on by what it asks to wait, never by more. */
function play(world: World, overrides: Partial<PollSettings> = {}): Log {
  const scheduler = new PollScheduler({ ...settings, ...overrides });
  const sent: Log['sent'] = [];
  const violations: string[] = [];
  const turns = new Map<number, number>();
  let queue: { tUs: number; from: number; bytes: number[] }[] = [];
  let nowUs = 5_000_000;
  let heardUs = 0;
  let refusals = 0;
  let requests = 0;
  const endUs = world.endUs ?? 3_600_000_000;
  const announced = new Set<number>([0]);
  for (let steps = 0; steps < 200_000 && nowUs < endUs; steps++) {
    queue.sort((a, b) => a.tUs - b.tUs);
    for (const answer of queue.filter((one) => one.tUs <= nowUs)) {
      const verdict = scheduler.answered(nowUs, answer.from, Uint8Array.from(answer.bytes));
      if (verdict === 'accepted' && answer.bytes[0] === 0x41 && answer.bytes[1]! % 32 === 0) {
        for (let i = 0; i < 32; i++)
          if (((answer.bytes[2 + (i >> 3)] ?? 0) & (0x80 >> (i & 7))) !== 0)
            announced.add(answer.bytes[1]! + i + 1);
      }
    }
    if (queue.some((one) => one.tUs <= nowUs) || nowUs <= world.trafficUntilUs) heardUs = nowUs;
    queue = queue.filter((one) => one.tUs > nowUs);
    if (nowUs <= world.trafficUntilUs) scheduler.heard(nowUs);
    const action = scheduler.next(nowUs);
    if (action.kind === 'stop') return { sent, reason: action.reason, scheduler, violations };
    if (action.kind === 'wait') {
      if (action.untilUs < nowUs) violations.push(`waits for the past at ${nowUs}`);
      nowUs = Math.min(action.untilUs, queue[0]?.tUs ?? Number.POSITIVE_INFINITY, nowUs + 1_000_000);
      continue;
    }
    if (overrides.allowsSilentBus !== true && nowUs - heardUs > 2_000_000)
      violations.push('asks on a silent bus');
    if (scheduler.outstanding !== null) violations.push('two questions at a time');
    if (refusals < (world.fullQueue[requests % Math.max(1, world.fullQueue.length)] ?? 0)) {
      refusals++;
      scheduler.sendFailed(nowUs, 'queue_full');
      continue;
    }
    refusals = 0;
    requests++;
    const { ask } = action;
    const bytes = requestBytes(ask.question);
    if (bytes[0] === 1 && !announced.has(bytes[1]!)) violations.push(`PID ${bytes[1]} is not supported`);
    sent.push({ tUs: nowUs, id: ask.requestId, bytes });
    scheduler.sent(nowUs);
    for (const ecu of world.ecus) {
      if (!ask.isFunctional && answerIdOf(ask.requestId) !== ecu.answerId) continue;
      if (ask.isFunctional && ecu.answerId === 0x7b8) continue;
      const turn = turns.get(ecu.answerId) ?? 0;
      turns.set(ecu.answerId, turn + 1);
      const right = reply(ecu, bytes);
      if (right === null) continue;
      const put = (afterUs: number, answer: number[], from = ecu.answerId): void => {
        queue.push({ tUs: nowUs + afterUs, from, bytes: answer });
      };
      const service = bytes[0]!;
      switch (ecu.moods[turn % ecu.moods.length] ?? 'answers') {
        case 'silent':
          break;
        case 'late':
          put(250_000, right);
          break;
        case 'twice':
          put(10_000, right);
          put(12_000, right);
          break;
        case 'for_another':
          put(10_000, [0x41, 0xff, 1, 2]);
          break;
        case 'wrong_source':
          put(10_000, right, 0x7ef);
          break;
        case 'pending':
          put(40_000, [0x7f, service, 0x78]);
          put(4_000_000, right);
          break;
        case 'pending_for_ever':
          for (let k = 1; k < 60; k++) put(k * 40_000, [0x7f, service, 0x78]);
          break;
        case 'busy':
          put(10_000, [0x7f, service, 0x21]);
          break;
        case 'refuses':
          put(10_000, [0x7f, service, 0x12]);
          break;
        case 'short':
          put(10_000, right.slice(0, 2));
          break;
        case 'garbage':
          put(10_000, []);
          put(11_000, [0x7f]);
          break;
        case 'long':
          nowUs += 20_000;
          scheduler.progress(nowUs, ecu.answerId);
          put(900_000, right);
          break;
        default:
          put(20_000, right);
      }
    }
    nowUs += 1;
  }
  return { sent, reason: null, scheduler, violations };
}

const mood = fc.constantFrom<Mood>(
  'answers',
  'silent',
  'late',
  'twice',
  'for_another',
  'wrong_source',
  'pending',
  'pending_for_ever',
  'busy',
  'refuses',
  'short',
  'garbage',
  'long',
);
const ecu = (answerId: number): fc.Arbitrary<SimEcu> =>
  fc.record({
    answerId: fc.constant(answerId),
    pids: fc
      .uniqueArray(fc.integer({ min: 1, max: 0xc4 }), { maxLength: 25 })
      .map((pids) => new Set([...pids.filter((pid) => pid % 32 !== 0), 0x0c, 0x42])),
    voltageV: fc.constantFrom(11.9, 12.39, 12.4, 14.1),
    rpm: fc.constantFrom(0, 250, 800),
    moods: fc.array(mood, { minLength: 1, maxLength: 6 }),
  });
const world: fc.Arbitrary<World> = fc.record({
  ecus: fc
    .constantFrom([], [0x7e8], [0x7e8, 0x7e9, 0x7ec], [0x18daf110, 0x18daf118])
    .chain((ids) => fc.tuple(...ids.map(ecu))),
  trafficUntilUs: fc.constantFrom(0, 8_000_000, Number.POSITIVE_INFINITY),
  fullQueue: fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 3 }),
});

t.test(
  'whatever the ECUs do: the rate, one at a time, only what is supported, only what may leave, an end',
  async (t) => {
    const guard = loadObdTx().module;
    const reasons = new Set<StopReason | null>();
    fc.assert(
      fc.property(
        world,
        fc.constantFrom<PollSettings['addressing']>('11', '29', 'auto'),
        fc.boolean(),
        fc.integer({ min: 0, max: 200_000 }),
        (someWorld, addressing, isOnce, gapUs) => {
          const log = play(isOnce ? someWorld : { ...someWorld, endUs: 120_000_000 }, {
            addressing,
            isOnce,
            gapUs,
          });
          reasons.add(log.reason);
          if (log.violations.length > 0) throw new Error(log.violations[0]);
          for (const [i, one] of log.sent.entries()) {
            const before = log.sent[i - 1];
            if (before && one.tUs - before.tUs < Math.max(100_000, gapUs))
              throw new Error(`too fast at ${one.tUs}`);
            const isExtended = one.id > 0x7ff;
            if (guard && guard.checkRequest(one.id, isExtended, Uint8Array.from(one.bytes)) !== 0)
              throw new Error(`not allowed: ${one.bytes}`);
          }
          if (isOnce && log.reason === null) throw new Error(`no end after ${log.sent.length} requests`);
        },
      ),
      { numRuns: 600 },
    );
    t.ok(reasons.size >= 5, [...reasons].join(', '));
  },
);

const good: SimEcu = {
  answerId: 0x7e8,
  pids: new Set([0x04, 0x05, 0x0c, 0x0d, 0x10, 0x11, 0x42, 0xa6]),
  voltageV: 14.1,
  rpm: 800,
  moods: ['answers'],
};
const alive: World = { ecus: [good], trafficUntilUs: Number.POSITIVE_INFINITY, fullQueue: [] };
const asked = (log: Log, service: number): number[] =>
  log.sent.filter(({ bytes }) => bytes[0] === service).map(({ bytes }) => bytes[1] ?? -1);

t.test('one round: bit maps, vital signs, what there is, each once', async (t) => {
  const log = play(alive);
  t.equal(log.reason, 'done');
  t.same(asked(log, 1).slice(0, 8), [0, 0x20, 0x40, 0x60, 0x80, 0xa0, 0x42, 0x0c]);
  t.same(asked(log, 1).slice(8), [4, 5, 0x0c, 0x0d, 0x10, 0x11, 0x42, 0xa6]);
  t.same(asked(log, 9), [0, 2]);
  t.same([asked(log, 3), asked(log, 7), asked(log, 10)], [[-1], [-1], [-1]]);
  t.same(
    [...new Set(log.sent.map(({ id }) => id))],
    [0x7df, 0x7e0],
    'after the first question the one ECU alone',
  );
  t.match(log.scheduler.counters, { unanswered: 0, rounds: 1, silent_rounds: 0 });
});

t.test('a PID that two ECUs support is asked of all, one of one ECU only there', async (t) => {
  const second = { ...good, answerId: 0x7e9, pids: new Set([0x0c, 0x49]) };
  const log = play({ ...alive, ecus: [good, second] }, { wantsVin: false, wantsDtcs: false });
  const ids = (pid: number) => [
    ...new Set(log.sent.filter(({ bytes }) => bytes[1] === pid).map(({ id }) => id)),
  ];
  t.same(ids(0x0c), [0x7df]);
  t.same(ids(0x0d), [0x7e0]);
  t.same(ids(0x49), [0x7e1]);
});

t.test('an ECU that hears no functional question is asked by its own address', async (t) => {
  const deaf = { ...good, answerId: 0x7b8 };
  const log = play({ ...alive, ecus: [deaf] }, { requestIds: [0x7b0], addressing: 'auto' });
  t.equal(log.reason, 'done');
  t.same([...new Set(log.sent.map(({ id }) => id))].sort(), [0x18db33f1, 0x7b0, 0x7df].sort());
  const both = play({ ...alive, ecus: [good, deaf] }, { requestIds: [0x7b0], addressing: 'auto' });
  t.same(both.scheduler.plan.answerIds, [0x7b8, 0x7e8]);
  t.notOk(
    both.sent.some(({ id }) => id === 0x18db33f1),
    'where one family answers the other is left alone',
  );
});

t.test('when to ask at all', async (t) => {
  const low = { ...good, voltageV: 12.39, rpm: 0 };
  const reason = (ecus: readonly SimEcu[], more: Partial<PollSettings> = {}) =>
    play({ ...alive, ecus }, more).reason;
  t.equal(reason([low]), 'low_voltage');
  t.equal(reason([low], { allowsUnknownVoltage: true }), 'low_voltage', 'known to be low is not unknown');
  t.equal(reason([{ ...low, voltageV: 12.4 }]), 'done', 'the limit itself is enough');
  t.equal(reason([{ ...low, rpm: 400 }]), 'done', 'a running engine charges');
  t.equal(reason([{ ...low, rpm: 399 }]), 'low_voltage', 'a starter motor does not');
  const mute = { ...good, pids: new Set([0x0d]) };
  t.equal(reason([mute]), 'voltage_unknown');
  t.equal(reason([mute], { allowsUnknownVoltage: true }), 'done');
  t.equal(reason([]), 'no_answers');
  t.equal(reason([good], { pids: [0x33], wantsVin: false, wantsDtcs: false }), 'nothing_supported');
  const dead = play({ ...alive, trafficUntilUs: 0 });
  t.same([dead.reason, dead.sent.length], ['bus_silent', 0], 'not one request on a silent bus');
  t.equal(play({ ...alive, trafficUntilUs: 0 }, { allowsSilentBus: true }).reason, 'done');
  const limited = play({ ...alive, ecus: [low] });
  t.ok(
    limited.sent.every(
      ({ bytes }) => bytes[0] === 1 && (bytes[1]! % 32 === 0 || [0x0c, 0x42].includes(bytes[1]!)),
    ),
  );
});

t.test('silence: three rounds, the pause doubles, then nothing more', async (t) => {
  const log = play({ ...alive, ecus: [] }, { isOnce: false });
  t.equal(log.reason, 'no_answers');
  const times = log.sent.map(({ tUs }) => tUs);
  t.equal(times.length, 3);
  t.ok(times[2]! - times[1]! > 1.8 * (times[1]! - times[0]!));
  const { scheduler } = log;
  t.same(scheduler.next(1e12), { kind: 'stop', reason: 'no_answers' }, 'for good');
});

t.test('ignition off while polling: a few open questions, then an end', async (t) => {
  const moods: Mood[] = [...Array<Mood>(60).fill('answers'), ...Array<Mood>(5000).fill('silent')];
  const log = play({ ...alive, ecus: [{ ...good, moods }] }, { isOnce: false });
  t.ok(
    ['no_answers', 'voltage_unknown', 'nothing_supported'].includes(String(log.reason)),
    String(log.reason),
  );
  t.ok(log.scheduler.counters.unanswered <= 20, `${log.scheduler.counters.unanswered} open questions`);
});

t.test('a vital sign without its value is not asked for ever', async (t) => {
  const moods: Mood[] = [...Array<Mood>(6).fill('answers'), ...Array<Mood>(50).fill('short')];
  const log = play({ ...alive, ecus: [{ ...good, moods }] });
  t.equal(log.reason, 'voltage_unknown');
  t.ok(log.sent.length <= 12, `${log.sent.length} requests`);
});

t.test('each way of answering wrongly is counted by name', async (t) => {
  const count = (moods: Mood[]) => play({ ...alive, ecus: [{ ...good, moods }] }).scheduler.counters;
  t.ok(count(['answers', 'twice']).duplicates > 3);
  t.ok(count(['answers', 'answers', 'wrong_source']).wrong_source > 1);
  t.ok(count(['answers', 'answers', 'late']).late > 1);
  t.ok(count(['answers', 'answers', 'for_another']).unexpected > 1);
  t.ok(count(['answers', 'answers', 'garbage']).malformed > 1);
  t.ok(count(['answers', 'pending']).pending > 3);
  t.equal(count(['answers', 'pending']).unanswered, 0, 'a pending answer is waited for');
  t.ok(count(['answers', 'answers', 'pending_for_ever']).pending_too_often > 1);
  t.equal(count(['answers', 'long']).unanswered, 0, 'so is the rest of a long one');
});

t.test('a full queue is tried again until the deadline', async (t) => {
  const few = play({ ...alive, fullQueue: [3] }).scheduler.counters;
  t.equal(few.send_failures, 0);
  t.equal(few.send_retries, few.requests * 3);
  const never = play({ ...alive, fullQueue: [1000] });
  t.equal(never.reason, 'no_answers');
  t.equal(never.sent.length, 0);
  t.ok(never.scheduler.counters.send_failures >= 3);
  t.ok(never.scheduler.counters.send_retries <= 40 * never.scheduler.counters.send_failures, 'not for ever');
});

t.test('an interface that is down is waited for, and not for ever', async (t) => {
  const scheduler = new PollScheduler({ ...settings, allowsSilentBus: false });
  scheduler.heard(0);
  const asked = scheduler.next(0);
  t.equal(asked.kind, 'ask');
  scheduler.sendFailed(0, 'down');
  t.equal(scheduler.next(1_000_000).kind, 'wait', 'nothing is sent while nobody is heard');
  scheduler.heard(5_000_000);
  t.same(scheduler.next(5_000_001), asked, 'the same question as soon as the bus is back');
  scheduler.sendFailed(5_000_001, 'down');
  t.equal(scheduler.counters.send_failures, 2);
  t.equal(scheduler.counters.silent_rounds, 0, 'that was no silence of control units');
  t.same(scheduler.next(60_000_000), { kind: 'stop', reason: 'bus_silent' });
});

t.test('another tester on the bus ends it', async (t) => {
  const scheduler = new PollScheduler({ ...settings, allowsSilentBus: true });
  t.equal(scheduler.next(0).kind, 'ask');
  scheduler.sent(0);
  scheduler.heardOtherTester();
  t.same(scheduler.next(1), { kind: 'stop', reason: 'other_tester' });
});

t.test('an answer is one to its question or it is not', async (t) => {
  const kind = (question: number[], answer: number[]) =>
    classifyAnswer({ service: question[0]!, parameter: question.slice(1) }, Uint8Array.from(answer)).kind;
  t.equal(kind([1, 0x0c], [0x41, 0x0c, 1, 2]), 'positive');
  t.equal(kind([1, 0x0c], [0x41, 0x0d, 1]), 'other');
  t.equal(kind([1, 0x0c], [0x41]), 'malformed');
  t.equal(kind([1, 0x0c], [0x42, 0x0c, 0]), 'other');
  t.equal(kind([1, 0x0c], [0x7f, 1, 0x78]), 'pending');
  t.equal(kind([1, 0x0c], [0x7f, 1, 0x12]), 'negative');
  t.equal(kind([1, 0x0c], [0x7f, 2, 0x12]), 'other');
  t.equal(kind([1, 0x0c], [0x7f, 1]), 'malformed');
  t.equal(kind([1, 0x0c], []), 'malformed');
  t.equal(kind([0x22, 0xf1, 0x90], [0x62, 0xf1, 0x90, 65]), 'positive');
  t.equal(kind([0x22, 0xf1, 0x90], [0x62, 0xf1, 0x91, 65]), 'other');
  t.equal(
    kind([0x19, 2, 0xff], [0x59, 2, 0x2f]),
    'positive',
    'of 19 the sub-function is repeated, the mask is not',
  );
});

t.test('addresses: question and answer belong together, both ways', async (t) => {
  for (let id = 0; id < 2048; id++) {
    const request = requestIdOf(id);
    if (request !== null) t.equal(answerIdOf(request), id, id.toString(16));
  }
  for (let x = 0; x < 256; x++) {
    t.equal(requestIdOf(0x18daf100 + x), 0x18da00f1 + x * 256);
    t.equal(answerIdOf(0x18da00f1 + x * 256), 0x18daf100 + x);
  }
  t.same([0x7e0, 0x7df, 0x79b, 0x18db33f1, 0x18da10f1].map(isRequestId), [true, true, true, true, true]);
  t.same([0x7e8, 0x7bb, 0x18daf110, 0x123, 0x18da10f2].map(isRequestId), [false, false, false, false, false]);
});

t.test('bit maps: every PID and none, and a map that is too short says nothing', async (t) => {
  const support = new EcuSupport();
  t.ok(support.take(Uint8Array.of(0x41, 0, 0x80, 0, 0, 0x01)));
  t.same([support.list(), support.nextBlock()], [[1], 0x20]);
  t.notOk(support.take(Uint8Array.of(0x41, 0x20, 0xff, 0xff, 0xff)));
  t.equal(support.nextBlock(), 0x20);
  t.ok(support.take(Uint8Array.of(0x41, 0x20, 0, 0, 0, 0)));
  t.equal(support.nextBlock(), null);
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (bytes) => {
      const one = new EcuSupport();
      one.take(Uint8Array.of(0x41, 0x40, ...bytes));
      const bits = [...bytes].flatMap((byte) => [...byte.toString(2).padStart(8, '0')]);
      return bits.every((bit, i) => i === 31 || one.has(0x41 + i) === (bit === '1'));
    }),
  );
});
