import fc from 'fast-check';
import t from 'tap';
import { readErrorFrame } from '../../daemon/core/can/error-frame.js';
import {
  canReceive,
  type InterfaceInput,
  type InterfaceLife,
  interfaceAdvice,
  newInterfaceLife,
  stepInterface,
} from '../../daemon/core/can/interface-life.js';

const up = (index: number): InterfaceInput => ({
  kind: 'link',
  link: { index, isUp: true, controller: null },
});
const down = (index: number): InterfaceInput => ({
  kind: 'link',
  link: { index, isUp: false, controller: null },
});
const error = (classes: number, ...data: number[]): InterfaceInput => ({
  kind: 'error_frame',
  report: readErrorFrame(classes, Uint8Array.from([...data, 0, 0, 0, 0, 0, 0, 0, 0]).subarray(0, 8), 0, 8),
});

function live(inputs: readonly InterfaceInput[]): {
  life: InterfaceLife;
  states: string[];
  events: string[];
  rebinds: number;
} {
  let life = newInterfaceLife('can0', 0);
  const states: string[] = [life.state];
  const events: string[] = [];
  let rebinds = 0;
  for (const [i, input] of inputs.entries()) {
    const step = stepInterface(life, input, (i + 1) * 1_000_000);
    life = step.life;
    if (step.changedFrom !== null) states.push(life.state);
    events.push(...step.events);
    if (step.mustRebind) rebinds++;
  }
  return { life, states, events, rebinds };
}

t.test('down and up: the socket keeps its filters, the outage is counted with its length', async (t) => {
  const { life, states, events, rebinds } = live([up(3), { kind: 'failure' }, down(3), up(3)]);
  t.same(states, ['absent', 'up', 'down', 'up']);
  t.same(events, ['resumed']);
  t.equal(rebinds, 0);
  t.equal(life.outages, 1);
  t.equal(life.outageUs, 1_000_000);
  t.same(
    live([up(3), { kind: 'failure' }]).states,
    ['absent', 'up'],
    'the socket tells late: the kernel is asked instead',
  );
  t.ok(stepInterface(life, { kind: 'failure' }, 9e6).mustAsk);
});

t.test('deleted and made anew: bind again, whatever index it has now', async (t) => {
  const { states, events, rebinds } = live([up(3), { kind: 'gone' }, down(4), up(4), up(4)]);
  t.same(states, ['absent', 'up', 'unplugged', 'down', 'up']);
  t.same(events, ['re_created', 'resumed']);
  t.equal(rebinds, 1);
  t.equal(live([up(3), up(9)]).rebinds, 1, 'another index without a message about the end');
  t.same(live([up(3), up(9)]).events, ['re_indexed']);
  t.equal(live([up(3), { kind: 'gone' }, up(3)]).rebinds, 1, 'the same index again is a new interface');
  t.equal(live([up(3)]).rebinds, 0, 'the first sight needs none');
});

t.test('error frames: warning, passive, bus-off, restarted, overrun', async (t) => {
  t.same(live([up(3), error(4, 0, 4), error(4, 0, 0x20), error(0x40), error(0x100)]).states, [
    'absent',
    'up',
    'error_warning',
    'error_passive',
    'bus_off',
    'up',
  ]);
  t.same(live([up(3), error(0x40), error(0x100)]).events, ['restarted', 'resumed']);
  t.same(live([up(3), error(4, 0, 1)]).events, ['overrun']);
  t.equal(live([up(3), error(4, 0, 1)]).life.state, 'up', 'an overrun is no state');
  t.same(
    live([up(3), error(0x40), { kind: 'frames' }]).states,
    ['absent', 'up', 'bus_off', 'up'],
    'frames prove the bus',
  );
  t.same(live([up(3), error(4, 0, 0x20), error(4, 0, 0x40)]).states, ['absent', 'up', 'error_passive', 'up']);
  t.same(readErrorFrame(0x200, Uint8Array.of(0, 0, 0, 0, 0, 0, 97, 12), 0, 8), {
    controller: null,
    isRestarted: false,
    isOverrun: false,
    txErrors: 97,
    rxErrors: 12,
  });
});

t.test('a link message of the kernel beats what error frames said', async (t) => {
  const linkSays: InterfaceInput = { kind: 'link', link: { index: 3, isUp: true, controller: 'active' } };
  t.equal(live([up(3), error(0x40), linkSays]).life.state, 'up');
  t.equal(
    live([up(3), error(0x40), up(3)]).life.state,
    'bus_off',
    'a link without a controller says nothing about it',
  );
});

t.test(
  'whatever comes: times only grow, every state has advice, a rebind follows every new interface',
  async () => {
    const input: fc.Arbitrary<InterfaceInput> = fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 3 }), fc.boolean())
        .map(([index, isUp]): InterfaceInput => (isUp ? up(index) : down(index))),
      fc.constant<InterfaceInput>({ kind: 'gone' }),
      fc.constant<InterfaceInput>({ kind: 'frames' }),
      fc.constant<InterfaceInput>({ kind: 'failure' }),
      fc
        .tuple(fc.nat(0x3ff), fc.nat(255))
        .map(([classes, detail]): InterfaceInput => error(classes, 0, detail)),
    );
    fc.assert(
      fc.property(fc.array(input, { maxLength: 40 }), (inputs) => {
        let life = newInterfaceLife('can0', 0);
        let bound: number | null = null;
        for (const [i, one] of inputs.entries()) {
          const before = life;
          const step = stepInterface(life, one, (i + 1) * 1000);
          life = step.life;
          if (life.outageUs < before.outageUs || life.sinceUs < before.sinceUs) return false;
          if (interfaceAdvice[life.state] === '') return false;
          if (canReceive(life.state) !== (life.outageFromUs === null)) return false;
          if (one.kind === 'link' && bound !== null && before.index !== life.index && !step.mustRebind)
            return false;
          if (one.kind === 'link') bound = life.index;
        }
        return true;
      }),
    );
  },
);
