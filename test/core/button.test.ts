import fc from 'fast-check';
import t from 'tap';
import {
  advanceButton,
  type ButtonEdge,
  type ButtonGesture,
  type ButtonState,
  debounceUs,
  doublePressUs,
  edgesOf,
  initialButton,
} from '../../daemon/core/arbiter/button.js';
import { createParams } from '../../daemon/core/params.js';
import type { OperatorCommand } from '../../daemon/core/tick.js';
import { feedbackButtonPath } from '../../daemon/core/world/signal-paths.js';
import { decisionsOf, drive, fairStart, replay, signal, speedSignal } from './step-drive.js';

const released: ButtonState = { ...initialButton, isDown: false };
const periodUs = 50_000;

/** Gestures told over ten seconds of ticks, each edge delivered by the first tick after it. */
function gestures(edges: readonly ButtonEdge[], start: ButtonState = released): ButtonGesture[] {
  const told: ButtonGesture[] = [];
  let state = start;
  for (let tUs = 0; tUs <= 10_000_000; tUs += periodUs) {
    const due = edges.filter(({ atUs }) => atUs > tUs - periodUs && atUs <= tUs);
    const result = advanceButton(state, due, tUs);
    state = result.state;
    if (result.gesture !== null) told.push(result.gesture);
  }
  return told;
}

/** One press with contacts that bounce at both ends. */
function press(atUs: number, heldUs: number, bounceUs: readonly number[] = []): ButtonEdge[] {
  const bouncing = (fromUs: number, isPressed: boolean) => {
    const edges: ButtonEdge[] = [{ isPressed, atUs: fromUs }];
    let at = fromUs;
    for (const gapUs of bounceUs) {
      at += gapUs;
      edges.push({ isPressed: !isPressed, atUs: at });
      at += gapUs;
      edges.push({ isPressed, atUs: at });
    }
    return edges;
  };
  return [...bouncing(atUs, true), ...bouncing(atUs + heldUs, false)];
}

const bounce = fc.array(fc.integer({ min: 100, max: 4000 }), { maxLength: 5 });
const held = fc.integer({ min: 60_000, max: 200_000 });

t.test('one press is single, two within half a second are double, however the contacts bounce', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), held, bounce, (atUs, heldUs, bounceUs) => {
      return gestures(press(atUs, heldUs, bounceUs)).join() === 'single';
    }),
  );
  fc.assert(
    fc.property(held, fc.integer({ min: 110_000, max: 240_000 }), bounce, (heldUs, pauseUs, bounceUs) => {
      const second = 500_000 + heldUs + pauseUs;
      const edges = [...press(500_000, heldUs, bounceUs), ...press(second, heldUs, bounceUs)];
      return gestures(edges).join() === (second - 500_000 <= doublePressUs ? 'double' : 'single,single');
    }),
  );
});

t.test('whatever the edges: never more gestures than presses, never two within half a second', async () => {
  const edge = fc.record({ isPressed: fc.boolean(), gapUs: fc.integer({ min: 0, max: 400_000 }) });
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 40 }), (steps) => {
      let atUs = 0;
      const edges = steps.map(({ isPressed, gapUs }) => {
        atUs += gapUs;
        return { isPressed, atUs };
      });
      const told = gestures(edges);
      const presses = edges.filter(({ isPressed }) => isPressed).length;
      const spent = told.reduce((sum, gesture) => sum + (gesture === 'double' ? 2 : 1), 0);
      return spent <= presses && told.length <= 1 + atUs / doublePressUs;
    }),
  );
});

t.test('held, stuck, down from the start, tripled, faster than a tick', async (t) => {
  t.same(gestures(press(0, 9_000_000)), ['single'], 'a stuck button is one press');
  t.same(gestures(press(0, 1_000_000).slice(1), initialButton), [], 'pressed before anybody looked');
  const triple = [0, 200_000, 400_000].flatMap((atUs) => press(atUs, 80_000));
  t.same(gestures(triple), ['double'], 'the third belongs to the second');
  t.ok(debounceUs < 100_000);
  const pulse = edgesOf(released, [{ value: 0, observedAtUs: 5, changes: 2 }]);
  t.same(pulse, [
    { isPressed: true, atUs: 5 },
    { isPressed: false, atUs: 5 },
  ]);
  t.same(edgesOf(released, [{ value: null, observedAtUs: 5, changes: 9 }]), [], 'not available is no press');
  t.same(edgesOf(released, [{ value: 0, observedAtUs: 5, changes: 0 }]), []);
});

/** A button of the car in a drive: 1 on the ticks named. */
function pressed(
  ticks: readonly number[],
  params = createParams('default'),
  commands: Record<number, OperatorCommand[]> = {},
) {
  return drive({
    ticks: 160,
    params,
    plan: (tick, tUs) => ({
      signals: [speedSignal(15, tUs), signal(feedbackButtonPath, ticks.includes(tick) ? 1 : 0, tUs)],
      facts: tick === 0 ? fairStart(tUs) : [],
      commands: commands[tick] ?? [],
    }),
  });
}

const givenIn = (run: ReturnType<typeof pressed>) =>
  run.outputs.flatMap(({ audit }) => audit.flatMap(({ body }) => body['feedback_given'] ?? []));

t.test("the car's button: once is late, twice is needless; on record, and replayed alike", async (t) => {
  const late = pressed([20, 21, 22]);
  t.equal(late.outputs.at(-1)?.safety.delta, 0.19);
  t.same(givenIn(late), [{ kind: 'late_warning', origin: 'signal', outcome: 'late_warning' }]);
  const needless = pressed([20, 21, 24, 25]);
  t.equal(needless.outputs.at(-1)?.safety.delta, 0.21);
  t.same(givenIn(needless), [{ kind: 'false_positive', origin: 'signal', outcome: 'false_positive' }]);
  const again = replay(late.inputs, createParams('default'));
  t.equal(JSON.stringify(again.outputs), JSON.stringify(late.outputs));
  t.equal(decisionsOf(again.outputs), decisionsOf(late.outputs));
});

t.test(
  'stale, frozen and device feedback: said what became of it, thresholds only where they may move',
  async (t) => {
    const stale = pressed([], undefined, {
      5: [{ kind: 'late_warning', ageUs: 60_000_001, id: 'abc', note: 'yesterday' }],
      9: [{ kind: 'false_positive', ageUs: Number.NaN }],
    });
    t.equal(stale.outputs.at(-1)?.safety.delta, 0.2);
    t.same(givenIn(stale), [
      { kind: 'late_warning', origin: 'command', outcome: 'none:stale', id: 'abc', note: 'yesterday' },
      { kind: 'false_positive', origin: 'command', outcome: 'none:stale' },
    ]);
    const literal = pressed([20], createParams('paper-literal'));
    t.match(givenIn(literal), [{ outcome: 'none:frozen' }]);
    const frozen = pressed([20], createParams('default', { freezeAdaptation: true }));
    t.equal(frozen.outputs.at(-1)?.safety.delta, 0.2, 'a benchmark run holds still');
    t.match(givenIn(frozen), [{ outcome: 'none:frozen' }]);
    const device = pressed([], undefined, {
      20: [{ kind: 'button', isPressed: true, atUs: 990_000 }],
      23: [{ kind: 'button', isPressed: false, atUs: 1_120_000 }],
    });
    t.match(givenIn(device), [{ kind: 'late_warning', origin: 'device' }]);
    const hostile = pressed([], undefined, {
      5: [{ kind: 'late_warning', note: '\ud800', id: 'x'.repeat(500) }],
    });
    t.same(givenIn(hostile), [{ kind: 'late_warning', origin: 'command', outcome: 'late_warning' }]);
  },
);
