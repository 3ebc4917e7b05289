/** The external monitor of ACT: what it may, what it may not, and what its silence means. */
import { once } from 'node:events';
import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { MonitorVerdict } from '../../daemon/core/act/apply-verdict.js';
import { hearVerdict, leaveOf, unjudged } from '../../daemon/core/act/monitored-intent.js';
import type { ActIntent, Decision, TickOutputs } from '../../daemon/core/tick.js';
import { ActGate } from '../../daemon/sinks/act-gate.js';
import { MonitoredSink } from '../../daemon/sinks/monitor/monitored-sink.js';
import { openMonitor } from '../../daemon/sinks/monitor/open-monitor.js';
import { drivemcp } from '../helpers/command.js';

const intent: ActIntent = { kind: 'brake_assist', decelMps2: 3, maxMs: 800, expiresAtUs: 1_000_000 };
const decision: Decision = { kind: 'act', blockedBy: [], confirm: 4, held: false, intent };

const number = fc.oneof(fc.double(), fc.constantFrom(0, -1, 1e9, Number.NaN, Number.POSITIVE_INFINITY));
const verdicts: fc.Arbitrary<MonitorVerdict> = fc.oneof(
  fc.constant({ kind: 'pass' as const }),
  fc.constant({ kind: 'veto' as const }),
  fc.record(
    { kind: fc.constant('weaken' as const), decelMps2: number, maxMs: number },
    { requiredKeys: ['kind'] },
  ),
);

t.test('whatever a monitor says, in whatever order, an intervention only gets less', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(verdicts, fc.nat(20)), { maxLength: 12 }),
      fc.constantFrom('optional' as const, 'required' as const),
      (said, mode) => {
        let state = unjudged;
        let before = { decelMps2: intent.decelMps2, maxMs: intent.maxMs };
        let isVetoed = false;
        for (const [verdict, seq] of said) {
          state = hearVerdict(state, intent, seq, verdict).state;
          const left = leaveOf(intent, state.judgedSeq ?? 0, state, mode, true).intent;
          if (left === null) {
            isVetoed = true;
            continue;
          }
          if (isVetoed || left.decelMps2 > before.decelMps2 || left.maxMs > before.maxMs) return false;
          if (!(left.decelMps2 > 0 && left.maxMs > 0) || left.expiresAtUs !== intent.expiresAtUs)
            return false;
          before = left;
        }
        return true;
      },
    ),
  );
  t.end();
});

t.test('silence: consent where a monitor is optional, nothing where it is required', (t) => {
  t.match(leaveOf(intent, 1, unjudged, 'optional', true), { intent, outcome: 'unmonitored' });
  t.match(leaveOf(intent, 1, unjudged, 'optional', false), { intent, outcome: 'unmonitored' });
  t.match(leaveOf(intent, 1, unjudged, 'required', false), { intent: null, outcome: 'absent' });
  t.match(leaveOf(intent, 1, unjudged, 'required', true), { intent: null, outcome: 'awaited' });
  const { state } = hearVerdict(unjudged, intent, 1, { kind: 'pass' });
  t.match(leaveOf(intent, 4, state, 'required', true), { intent, outcome: 'passed' });
  t.match(leaveOf(intent, 5, state, 'required', true), { intent: null, outcome: 'silent' });
  const next = { ...intent, expiresAtUs: 9_000_000 };
  t.match(leaveOf(next, 2, state, 'required', true), { outcome: 'awaited' }, 'another intervention');
  const vetoed = hearVerdict(state, intent, 2, { kind: 'veto' }).state;
  t.match(
    leaveOf(intent, 2, vetoed, 'optional', false),
    { intent: null, outcome: 'vetoed' },
    'also once it has gone',
  );
  t.match(hearVerdict(vetoed, intent, 3, { kind: 'pass' }).state.left, null);
  t.end();
});

class Recorder {
  readonly name = 'log';
  readonly done: (number | 'released')[] = [];
  speak(): void {}
  act(_tick: number, { intent }: Decision): void {
    this.done.push(intent?.decelMps2 ?? 0);
  }
  release(): void {
    this.done.push('released');
  }
}

class Monitor {
  readonly heard: Record<string, unknown>[] = [];
  readonly socket: Socket;
  constructor(socket: Socket) {
    this.socket = socket;
    let held = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      held += chunk;
      const lines = held.split('\n');
      held = lines.pop() ?? '';
      this.heard.push(...lines.map((line) => JSON.parse(line)));
    });
  }
  say(object: object): void {
    this.socket.write(`${JSON.stringify(object)}\n`);
  }
  async until(holds: (line: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.heard.find(holds);
      if (found !== undefined) return found;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

async function rig(t: Test, mode: 'optional' | 'required') {
  const dir = mkdtempSync(join(tmpdir(), 'drivemcp-monitor-'));
  const recorder = new Recorder();
  const monitor = await openMonitor(mode, dir, [recorder], () => performance.now());
  t.teardown(() => monitor.close());
  const path = join(dir, 'act-monitor.sock');
  const attach = async (): Promise<Monitor> => {
    const socket = connect(path);
    await once(socket, 'connect');
    const client = new Monitor(socket);
    t.teardown(() => socket.destroy());
    await client.until(({ act_monitor }) => act_monitor === 1);
    return client;
  };
  const [sink] = monitor.sinks;
  if (sink === undefined) throw new Error('no sink');
  return { monitor, sink, recorder, path, attach };
}

t.test('over its socket: told, weakened, vetoed, never strengthened', async (t) => {
  const { monitor, sink, recorder, path, attach } = await rig(t, 'optional');
  t.equal(statSync(path).mode & 0o777, 0o600);
  const client = await attach();
  sink.act(7, decision, 0);
  const told = await client.until(({ seq }) => seq === 1);
  t.match(told, { tick: 7, kind: 'brake_assist', decel_mps2: 3, max_ms: 800 });
  t.strictSame(recorder.done, [3], 'silence is consent');
  client.say({ seq: 1, verdict: 'weaken', decel_mps2: 9 });
  await client.until(({ id }) => id === 1);
  client.say({ seq: 1, verdict: 'weaken', decel_mps2: 1.5 });
  while (recorder.done.at(-1) !== 1.5) await new Promise((resolve) => setImmediate(resolve));
  sink.act(8, decision, 0);
  t.equal(recorder.done.at(-1), 1.5, 'and so it stays');
  client.say({ seq: 1, verdict: 'pass' });
  client.say({ seq: 2, verdict: 'veto' });
  while (recorder.done.at(-1) !== 'released') await new Promise((resolve) => setImmediate(resolve));
  sink.act(9, decision, 0);
  t.equal(recorder.done.at(-1), 'released');
  client.say({ seq: 99, verdict: 'pass' });
  t.match(await client.until(({ id }) => id === 99), { ok: false, error: { code: 'refused' } });
  sink.act(10, { ...decision, intent: { ...intent, expiresAtUs: 5_000_000 } }, 0);
  t.equal(recorder.done.at(-1), 3, 'the next intervention is another one');
  sink.release?.(11);
  await client.until(({ kind }) => kind === 'ended');
  t.match(monitor.counters(), {
    strengthening: 1,
    stale_verdicts: 1,
    weakened: 1,
    vetoed: 1,
    connected: true,
  });
  const outcomes = monitor.takeEntries().map(({ body }) => body['outcome'] ?? body['connected']);
  t.strictSame(outcomes, [true, 'unmonitored', 'passed', 'weakened', 'vetoed', 'unmonitored']);
});

t.test(
  'required: no authority without a monitor, nothing out before its word, nothing after it has gone',
  async (t) => {
    const { monitor, sink, recorder, attach } = await rig(t, 'required');
    t.equal(monitor.isReady(), false);
    sink.act(1, decision, 0);
    t.strictSame(recorder.done, []);
    const client = await attach();
    t.equal(monitor.isReady(), true);
    sink.act(2, decision, 0);
    t.strictSame(recorder.done, []);
    client.say({ seq: 2, verdict: 'pass' });
    while (recorder.done.length === 0) await new Promise((resolve) => setImmediate(resolve));
    t.strictSame(recorder.done, [3]);
    client.socket.destroy();
    while (monitor.isReady()) await new Promise((resolve) => setImmediate(resolve));
    t.strictSame(recorder.done, [3, 'released']);
    sink.act(3, decision, 0);
    t.equal(recorder.done.length, 2);
  },
);

t.test('a late verdict lets out what is left by then, and nothing once the intent has expired', (t) => {
  let nowMs = 5000;
  const given: (number | 'released')[] = [];
  const inner = {
    name: 'log',
    speak: () => {},
    act: (_tick: number, _decision: Decision, nowUs: number) => given.push(nowUs),
    release: () => given.push('released'),
  };
  const sink = new MonitoredSink(inner, 'required', () => nowMs);
  sink.attach({ isConnected: true, tell: () => {}, refuse: () => {}, counters: () => ({}) });
  sink.act(1, decision, 100_000);
  nowMs += 400;
  sink.verdict(1, { kind: 'pass' });
  t.strictSame(given, [500_000]);
  nowMs += 501;
  sink.verdict(1, { kind: 'weaken', decelMps2: 1 });
  t.strictSame(given, [500_000, 'released'], 'expired, whatever was said');
  sink.verdict(1, { kind: 'pass' });
  t.equal(given.length, 2);
  t.end();
});

t.test('hostile: garbage, floods, a second one, one that does not read', async (t) => {
  const { monitor, sink, recorder, path, attach } = await rig(t, 'optional');
  const client = await attach();
  const second = new Monitor(connect(path));
  t.match(await second.until(({ ok }) => ok === false), { error: { code: 'busy' } });
  sink.act(1, decision, 0);
  for (const line of [
    '{',
    '[]',
    '{"seq":1}',
    '{"seq":1,"verdict":"weaken","decel_mps2":"1"}',
    '{"seq":1.5,"verdict":"pass"}',
  ])
    client.socket.write(`${line}\n`);
  while ((monitor.counters()?.['malformed'] as number) < 5)
    await new Promise((resolve) => setImmediate(resolve));
  t.strictSame(recorder.done, [3], 'none of it is a verdict');
  client.socket.write('x'.repeat(2000));
  await once(client.socket, 'close');
  const flood = await attach();
  flood.socket.pause();
  for (let i = 0; i < 20_000; i++) flood.say({ seq: 1, verdict: 'pass' });
  for (let tick = 2; tick < 5000; tick++) sink.act(tick, decision, 0);
  t.ok(recorder.done.length >= 4999, 'the sink has everything');
  while (monitor.counters()?.['connected'] === true) await new Promise((resolve) => setTimeout(resolve, 10));
  t.match(monitor.counters(), { dropped_slow: 1 });
  t.ok((monitor.counters()?.['untold'] as number) > 0);
});

t.test('the gate says when an ACT is over', (t) => {
  const recorder = new Recorder();
  const gate = new ActGate([recorder]);
  const outputs = (one: Decision): TickOutputs => ({ tick: 1, decision: one }) as TickOutputs;
  gate.pass(outputs(decision), true, 0);
  gate.pass(outputs(decision), null, 0);
  gate.pass(outputs({ ...decision, kind: 'none', intent: null }), null, 0);
  gate.pass(outputs({ ...decision, kind: 'none', intent: null }), null, 0);
  t.strictSame(recorder.done, [3, 3, 'released']);
  t.end();
});

t.test('run: a monitor that is required and not there means no ACT, as an input that replays', async (t) => {
  const state = join(t.testdir(), 'state');
  const file = join(t.testdirName, 'drivemcp.toml');
  writeFileSync(file, '[act]\nmonitor = "required"\n');
  const run = await drivemcp(['run', '--config', file, '--state', state, '--json']);
  const summary = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '{}').summary;
  t.match(summary.act, {
    released: 0,
    refused_unauthorised: 0,
    monitor: { mode: 'required', connected: false },
  });
  t.equal(summary.decisions.act ?? 0, 0);
  const replay = await drivemcp(['replay', '--state', state, '--json']);
  t.equal(replay.code, 0, replay.stderr);
});
