import t from 'tap';
import { createParams } from '../../daemon/core/params.js';
import type { OperatorCommand } from '../../daemon/core/tick.js';
import { type Approach, drive, fairStart, lead, signal, speedSignal } from './step-drive.js';

const late: OperatorCommand = { kind: 'late_warning' };
const unneeded: OperatorCommand = { kind: 'false_positive' };

function commanded(at: Record<number, OperatorCommand[]>, ticks: number, params = createParams('default')) {
  return drive({
    ticks,
    params,
    plan: (tick, tUs) => ({
      signals: [speedSignal(15, tUs)],
      facts: tick === 0 ? fairStart(tUs) : [],
      commands: at[tick] ?? [],
    }),
  });
}

t.test('feedback moves Δ and C_min from the next tick on, one step a minute, and is recorded', async (t) => {
  const run = commanded({ 10: [late], 20: [late], 1209: [late], 1210: [late], 1300: [unneeded] }, 1400);
  const at = (tick: number) => [run.outputs[tick]?.safety.delta, run.outputs[tick]?.safety.c_min];
  t.same(at(10), [0.2, 0.6]);
  t.same(at(11), [0.19, 0.58]);
  t.same(at(1210), [0.19, 0.58], 'the second and the third came within the minute');
  t.same(at(1211), [0.18, 0.56]);
  t.same(at(1301), [0.19, 0.58]);
  const recorded = run.outputs.flatMap((out) => out.audit.flatMap((entry) => entry.body['feedback'] ?? []));
  t.same(recorded, ['late_warning', 'none:rate', 'none:rate', 'late_warning', 'false_positive']);
});

t.test('contradicting feedback changes nothing; a frozen preset never moves', async (t) => {
  const both = commanded({ 10: [late, unneeded], 12: [unneeded] }, 20);
  t.equal(both.outputs[11]?.safety.delta, 0.2);
  t.equal(both.outputs[13]?.safety.delta, 0.21, 'and no budget was used');
  const literal = commanded({ 10: [late] }, 20, createParams('paper-literal'));
  t.equal(literal.outputs[19]?.safety.delta, 0.2);
});

/** A lead that appears very near, so that the first escalation comes late. */
const sudden: Approach = { egoMps: 20, closingMps: 12, startGapM: 11, startTick: 40 };

function suddenDrive(actAuthorised: boolean, brakesHard: boolean, cancelAtTick = -1) {
  return drive({
    ticks: 80,
    plan: (tick, tUs) => ({
      signals: [
        speedSignal(20, tUs),
        signal('Vehicle.Acceleration.Longitudinal', brakesHard && tick > 46 ? -6 : 0, tUs),
      ],
      facts: [...(tick === 0 ? fairStart(tUs) : []), ...(tick >= 40 ? [lead(sudden, tick, tUs)] : [])],
      commands: tick === cancelAtTick ? [{ kind: 'cancel' }] : [],
      actAuthorised,
    }),
  });
}

t.test(
  'a first escalation below one second with a hard brake after it counts as a late warning',
  async (t) => {
    const acted = suddenDrive(true, true);
    const act = acted.outputs.find((out) => out.decision.kind === 'act');
    t.ok((act?.safety.ttc ?? 9) < 1);
    t.equal(acted.outputs.at(-1)?.safety.delta, 0.19);
    t.equal(suddenDrive(true, false).outputs.at(-1)?.safety.delta, 0.2, 'nobody had to brake hard');
    t.equal(
      suddenDrive(false, true).outputs.at(-1)?.safety.delta,
      0.19,
      'without ACT the urgent advice counts',
    );
  },
);

t.test('an escalation that is cancelled at once though nothing was near was not needed', async (t) => {
  const mild: Approach = { egoMps: 20, closingMps: 4, startGapM: 30, startTick: 40 };
  const run = drive({
    ticks: 220,
    plan: (tick, tUs) => ({
      signals: [speedSignal(20, tUs)],
      facts: [
        ...(tick === 0 ? fairStart(tUs) : []),
        lead({ ...mild, closingMps: tick < 132 ? 4 : 0 }, Math.min(tick, 131), tUs),
      ],
      commands: tick === 134 ? [{ kind: 'cancel' }] : [],
      actAuthorised: false,
    }),
  });
  const urgent = run.outputs.find((out) => out.utterance?.urgent);
  t.ok(urgent !== undefined && urgent.tick < 134 && (urgent.safety.ttc ?? 0) >= 2.5);
  t.equal(run.outputs.at(-1)?.safety.delta, 0.21);
});
