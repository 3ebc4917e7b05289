/** Measured latency passes in drive time: an answer enters no tick that began before it could have been there. */
import fc from 'fast-check';
import t from 'tap';
import type { ToolAnswer, ToolRequest } from '../../daemon/core/tick.js';
import { ChargedTools } from '../../daemon/runtime/charged-tools.js';
import type { ToolRunner } from '../../daemon/runtime/tool-runner.js';

/** Answers every call before the next tick, as a pool does in lockstep, and says how long it took. */
class AnsweringPool implements ToolRunner {
  readonly #latencies: ReadonlyMap<string, number>;
  #waiting: ToolAnswer[] = [];

  constructor(latencies: ReadonlyMap<string, number>) {
    this.#latencies = latencies;
  }

  submit({ id, tool }: ToolRequest): void {
    this.#waiting.push({
      requestId: id,
      tool,
      status: 'ok',
      latencyUs: this.#latencies.get(id) ?? 0,
      payload: {},
    });
  }

  cancel(): void {}

  takeAnswers(): ToolAnswer[] {
    return this.#waiting.splice(0);
  }

  async settled(): Promise<void> {}

  states() {
    return [];
  }

  counters() {
    return {};
  }

  async close(): Promise<void> {}
}

const request = (id: string): ToolRequest => ({
  id,
  tool: 'rules',
  call: 'rules_lookup_limit',
  key: id,
  args: {},
  deadlineUs: 300_000,
  reason: [],
});

const periodUs = 50_000;

t.test('each answer once, in the first tick that begins after its latency', (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 0, max: 400_000 })), { maxLength: 30 }),
      (calls) => {
        const latencies = new Map(calls.map(([, latencyUs], i) => [`${i}`, latencyUs]));
        const tools = new ChargedTools(new AnsweringPool(latencies));
        const arrived = new Map<string, number>();
        for (let tick = 0; tick < 60; tick++) {
          for (const { requestId } of tools.takeAnswers(tick * periodUs)) {
            if (arrived.has(requestId)) return false;
            arrived.set(requestId, tick);
          }
          for (const [i, [asked]] of calls.entries())
            if (asked === tick) tools.submit(request(`${i}`), tick * periodUs);
        }
        return calls.every(([asked, latencyUs], i) => {
          const soonest = Math.max(asked + 1, asked + Math.ceil(latencyUs / periodUs));
          return arrived.get(`${i}`) === soonest;
        });
      },
    ),
  );
  t.end();
});

t.test('an answer that nobody wants any more is not given', (t) => {
  const tools = new ChargedTools(new AnsweringPool(new Map([['a', 200_000]])));
  tools.submit(request('a'), 0);
  t.strictSame(tools.takeAnswers(periodUs), []);
  tools.cancel('a');
  t.strictSame(tools.takeAnswers(20 * periodUs), []);
  t.equal(tools.overflowed, 0);
  t.end();
});
