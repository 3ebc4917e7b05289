import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { expertCalls } from '../../daemon/core/router/expert-calls.js';
import type { JsonObject, ToolAnswer, ToolName } from '../../daemon/core/tick.js';
import { systemClock } from '../../daemon/runtime/clock.js';
import { ExpertPool } from '../../daemon/tools/expert-pool.js';
import { LineFrames } from '../../daemon/tools/process/line-frames.js';
import { PinFile } from '../../daemon/tools/process/pin-file.js';
import { ProcessExperts } from '../../daemon/tools/process/process-experts.js';
import { RestartBackoff } from '../../daemon/tools/process/restart-backoff.js';
import { TokenBucket } from '../../daemon/tools/process/token-bucket.js';
import { fixtureScript } from '../helpers/paths.js';

const script = fixtureScript('daemon', 'fake-expert.js');

interface Misbehaving {
  readonly manner: string;
  /** false: returns while it starts */
  readonly isAwaited?: boolean;
  readonly tool?: ToolName;
  readonly file?: string;
  readonly stateDir?: string;
  readonly toolsSha256?: string;
}

/** One expert in a real process, behind the real thread and the real pool. */
async function expertOf(
  t: Test,
  { manner, tool = 'weather', file, stateDir, toolsSha256, isAwaited = true }: Misbehaving,
) {
  const logged: string[] = [];
  const experts = new ProcessExperts({
    plan: {
      stateDir: stateDir ?? t.testdir(),
      answerMaxBytes: 65_536,
      experts: [
        {
          tool,
          command: { file: process.execPath, args: [script, tool, manner, ...(file ? [file] : [])] },
          identity: `${tool} ${file ?? manner}`,
          calls: [expertCalls[tool].call],
          isOwn: manner !== 'silent-at-first',
          toolsSha256: toolsSha256 ?? null,
        },
      ],
    },
    logLine: (_tool, line) => logged.push(line),
    logEvent: () => {},
    monoMs: () => performance.now(),
  });
  t.teardown(() => experts.close());
  const pool = new ExpertPool([experts.client(tool)], {
    clock: systemClock,
    concurrencyMaxCount: 4,
    queueMaxCount: 8,
    answerMaxBytes: 65_536,
    breakerFailuresMaxCount: 1000,
    breakerOpenMs: 5000,
    latency: 'measured',
  });
  let asked = 0;
  const submit = (deadlineMs: number): string => {
    const id = `1-${asked++}`;
    const deadlineUs = deadlineMs * 1000;
    pool.submit(
      { id, tool, call: expertCalls[tool].call, key: id, args: { wetness: 10 }, deadlineUs, reason: [] },
      0,
    );
    return id;
  };
  const ask = async (deadlineMs = 10_000): Promise<ToolAnswer | undefined> => {
    submit(deadlineMs);
    await pool.settled();
    return pool.takeAnswers(0)[0];
  };
  if (isAwaited) await experts.ready(30_000);
  else experts.wake();
  return { experts, pool, ask, submit, logged, state: () => experts.state(tool) };
}

const entriesOf = (experts: ProcessExperts): JsonObject[] => experts.takeEntries().map(({ body }) => body);

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}

t.test(
  'a calm expert answers over stdio, with an empty environment, and leaves when it is told',
  async (t) => {
    const file = join(t.testdir(), 'environment.json');
    const { ask, state, experts } = await expertOf(t, { manner: 'environment', file });
    t.match(await ask(), { status: 'ok', payload: { mu_est: 0.76 } });
    // A test runner may watch child processes by variables of its own; none of ours is there.
    const reached = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object);
    const ours = reached.filter((name) => !/^(_TAPJS_|NODE_OPTIONS$)/.test(name));
    t.same(ours, [], 'nothing of ours reached it');
    t.match(state(), {
      state: 'ready',
      starts: 1,
      kills: 0,
      protocol: '2026-07-28',
      server: 'fake-weather 1.0.0',
    });
    t.match(entriesOf(experts), [{ event: 'expert_pinned', expert: 'weather', sha256: /^[0-9a-f]{64}$/ }]);
    const pid = state()?.pid ?? 0;
    await experts.close();
    t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  },
);

t.test('what is no answer is discarded, said, and costs the expert nothing else', async (t) => {
  const discards = async (manner: string): Promise<void> => {
    const { ask, pool, state } = await expertOf(t, { manner });
    const answer = await ask(manner === 'nan' ? 300 : 10_000);
    t.not(answer?.status, 'ok', manner);
    t.equal(answer?.payload, null, manner);
    // NaN is no JSON: that line is noise, and the question runs out of time.
    if (manner === 'nan') await until(() => state()?.noiseLines === 1);
    else t.equal(pool.counters()['weather']?.discarded, 1, `${manner}: ${answer?.error}`);
  };
  await Promise.all(['wrong-schema', 'nan', 'huge-number', 'deep'].map(discards));
  const failing = await expertOf(t, { manner: 'tool-error' });
  t.match(await failing.ask(), { status: 'error', error: 'the sensor is gone' });
});

t.test('ten megabytes are not read to their end: the process is replaced', async (t) => {
  const { ask, pool, state, experts } = await expertOf(t, { manner: 'flood' });
  t.match(await ask(), {
    status: 'error',
    error: 'answer discarded: an answer longer than any answer may be',
  });
  t.match(pool.counters()['weather'], { discarded: 1 });
  t.match(state(), { tooLong: 1, kills: 1 });
  await until(() => state()?.starts === 2 && state()?.state === 'ready');
  t.ok(entriesOf(experts).some((body) => body['event'] === 'expert_ended'));
});

t.test(
  'an expert that hangs, even in a loop, misses its deadline and is killed within two seconds',
  async (t) => {
    for (const manner of ['hang', 'busy']) {
      const { ask, state } = await expertOf(t, { manner });
      const pid = state()?.pid ?? 0;
      t.match(await ask(50), { status: 'timeout' });
      await until(() => state()?.kills === 1);
      t.match(state(), { lastEnd: /no answer to a call for 1900 ms/ });
      await until(() => {
        try {
          process.kill(pid, 0);
          return false;
        } catch {
          return true;
        }
      });
    }
  },
);

t.test('ten times too slow: a timeout first, the answer late, each in a tick of its own', async (t) => {
  const { ask, pool, state } = await expertOf(t, { manner: 'slow' });
  t.match(await ask(100), { status: 'timeout', payload: null });
  t.same(pool.takeAnswers(50_000), [], 'not before it has come');
  let late: ToolAnswer[] = [];
  await until(() => {
    late = pool.takeAnswers(100_000);
    return late.length > 0;
  });
  t.match(late, [{ status: 'ok', late: true, payload: { mu_est: 0.76 } }]);
  t.equal(state()?.kills, 0, 'slow is not hung');
});

t.test(
  'a process that dies at once is started again with growing pauses, and its words are kept',
  async (t) => {
    const { ask, state, logged } = await expertOf(t, { manner: 'crash-loop' });
    await until(() => (state()?.starts ?? 0) >= 3);
    const answer = await ask(50);
    t.not(answer?.status, 'ok');
    t.match(state(), { lastEnd: /exit code 7/, kills: 0 });
    t.ok(logged.includes('this one will not live'));
    const file = join(t.testdir(), 'died');
    const once = await expertOf(t, { manner: 'once', file });
    t.match(await once.ask(), { status: 'error', error: /exit code 3|closed/i });
    await until(() => once.state()?.state === 'ready');
    t.match(await once.ask(), { status: 'ok' }, 'the next process answers');
  },
);

t.test('noise on stdout is counted and ignored; a storm of it replaces the process', async (t) => {
  const { ask, state } = await expertOf(t, { manner: 'noise' });
  for (let i = 0; i < 3; i++) t.equal((await ask())?.status, 'ok');
  t.match(state(), { noiseLines: 9, kills: 0 });
  const storm = await expertOf(t, { manner: 'noise-storm' });
  await storm.ask();
  await until(() => (storm.state()?.kills ?? 0) >= 1);
  t.match(storm.state(), { lastEnd: /floods its standard output/ });
});

t.test('another list of tools than the pinned one is refused, told once and stays refused', async (t) => {
  const stateDir = t.testdir();
  const file = join(stateDir, 'started');
  const first = await expertOf(t, { manner: 'changes-tools', file, stateDir });
  t.equal((await first.ask())?.status, 'ok');
  const trusted = first.state()?.toolsSha256;
  await first.experts.close();
  const second = await expertOf(t, { manner: 'changes-tools', file, stateDir });
  t.match(second.state(), { state: 'refused' });
  t.match(await second.ask(), { status: 'error', error: /refused/ });
  t.match(entriesOf(second.experts), [
    {
      event: 'expert_refused',
      pinned_sha256: trusted,
      found_sha256: /^[0-9a-f]{64}$/,
      pinned_by: 'first use',
    },
  ]);
  t.ok(existsSync(file));
  const configured = await expertOf(t, { manner: 'calm', toolsSha256: '0'.repeat(64) });
  t.match(configured.state(), { state: 'refused' });
  t.match(entriesOf(configured.experts), [{ event: 'expert_refused', pinned_by: 'configuration' }]);
});

t.test(
  'pins: bound to the program, kept over restarts, a damaged file is said and trusts nobody',
  async (t) => {
    const dir = t.testdir();
    const pins = new PinFile(dir);
    t.equal(pins.problem, null);
    t.equal(pins.pinned('rules', 'a'), null);
    t.equal(pins.trust('rules', 'a', '1'.repeat(64)), null);
    t.equal(new PinFile(dir).pinned('rules', 'a'), '1'.repeat(64));
    t.equal(new PinFile(dir).pinned('rules', 'another program'), null);
    for (const text of [
      '',
      '{}',
      '{"version":1,"pins":{"rules":{"command":"a","sha256":"xyz"}}}',
      '\u0000',
    ]) {
      writeFileSync(pins.path, text);
      t.match(new PinFile(dir).problem, /no list of pinned tools/);
      t.equal(new PinFile(dir).pinned('rules', 'a'), null);
    }
  },
);

t.test('lines: the same whatever the chunks; none longer than the bound is kept', async () => {
  const lineText = fc.string({ maxLength: 40, unit: fc.constantFrom('a', 'ö', '"', ' ') });
  fc.assert(
    fc.property(
      fc.array(lineText, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 30 })),
      (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        const maxBytes = 30;
        const found: (string | null)[] = [];
        const frames = new LineFrames(maxBytes, {
          line: (line) => found.push(line),
          tooLong: () => found.push(null),
        });
        let from = 0;
        for (const cut of cuts) {
          frames.push(bytes.subarray(from, from + cut));
          from += cut;
        }
        frames.push(bytes.subarray(from));
        const expected = lines.map((line) => (Buffer.byteLength(line) > maxBytes ? null : line));
        return JSON.stringify(found) === JSON.stringify(expected);
      },
    ),
  );
});

t.test(
  'pauses before a restart grow to a bound and begin anew after a life; a bucket lets so many through',
  async (t) => {
    const backoff = new RestartBackoff();
    const pauses = Array.from({ length: 10 }, () => backoff.ended(5));
    t.same(pauses.slice(0, 4), [250, 1000, 4000, 16_000]);
    t.equal(Math.max(...pauses), 30_000);
    t.equal(backoff.ended(10_000), 250);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 300 }), (gapsMs) => {
        const bucket = new TokenBucket(20, 5);
        let [nowMs, taken] = [0, 0];
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          if (bucket.take(nowMs)) taken++;
        }
        return taken <= 20 + (nowMs / 1000) * 5 && taken + bucket.takeSuppressed() === gapsMs.length;
      }),
    );
  },
);

t.test('the session of an expert is light until it answers, and of ordinary weight then', async (t) => {
  const weightOf = (pid: number): string | null => {
    const file = `/proc/${pid}/autogroup`;
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return /nice (-?\d+)$/m.exec(text)?.[1] ?? null;
  };
  const isGrouped = weightOf(process.pid) !== null;
  if (!isGrouped) t.comment('this kernel does not group by session');
  const file = join(t.testdir(), 'start');
  const { state } = await expertOf(t, { manner: 'late-start', file, isAwaited: false });
  await until(() => existsSync(file));
  const pid = state()?.pid ?? 0;
  await until(() => !isGrouped || weightOf(pid) === '5');
  t.equal(state()?.state, 'starting');
  writeFileSync(file, 'go');
  await until(() => state()?.state === 'ready');
  await until(() => !isGrouped || weightOf(pid) === '0');
});

t.test(
  'a server of an older revision that is silent to the first question is asked as one of those',
  async (t) => {
    const { ask, state } = await expertOf(t, { manner: 'silent-at-first' });
    t.match(state(), { state: 'ready', starts: 1, kills: 0, protocol: '2025-11-25' });
    t.match(await ask(), { status: 'ok' });
  },
);

t.test('one that hangs before it lists its tools is started again, and not at once', async (t) => {
  const file = join(t.testdir(), 'started');
  const { state, ask } = await expertOf(t, { manner: 'mute-again', file });
  t.equal(state()?.state, 'ready');
  process.kill(state()?.pid ?? 0, 'SIGKILL');
  // From its second start on it says nothing.
  await until(() => state()?.kills === 1);
  t.match(state(), { starts: 2, lastEnd: 'not ready after 15000 ms' });
  await until(() => state()?.state === 'waiting');
  t.match(await ask(500), { status: 'error', error: 'the weather expert is being started again' });
  // A start of 15 s is no life of 15 s: the second pause is as long as that after a second death.
  const endedMs = performance.now();
  await until(() => state()?.starts === 3);
  t.ok(performance.now() - endedMs > 500, 'not the first pause again');
});
