import type { SourceState } from '../core/tick.js';
import type { ToolClient } from '../ports.js';
import { Lateness } from '../runtime/lateness.js';
import type { ToolCounters } from '../runtime/tool-runner.js';
import { CircuitBreaker } from './circuit-breaker.js';

/** Calls of one expert that ran out of time and never ended; beyond this it is not called any more. */
const unfinishedMaxCount = 32;

/** One expert as the pool sees it: its client, breaker and counters. */
export class ExpertLane {
  readonly breaker: CircuitBreaker;
  readonly count = {
    requests: 0,
    ok: 0,
    errors: 0,
    timeouts: 0,
    late: 0,
    refused: 0,
    cancelled: 0,
    joined: 0,
  };
  /** calls that have not returned, wanted or not */
  unfinished = 0;
  readonly #latency = new Lateness();
  #discarded = 0;
  #lastDiscard: string | null = null;

  constructor(
    readonly client: ToolClient,
    options: { readonly breakerFailuresMaxCount: number; readonly breakerOpenMs: number },
  ) {
    this.breaker = new CircuitBreaker(options.breakerFailuresMaxCount, options.breakerOpenMs * 1000);
  }

  /** Why a call cannot be made now, or null. */
  refusal(tUs: number): string | null {
    if (this.unfinished >= unfinishedMaxCount) return 'too many calls never ended';
    return this.breaker.admit(tUs) ? null : 'breaker is open';
  }

  answered(measuredUs: number): void {
    this.count.ok++;
    this.#latency.record(measuredUs);
  }

  discard(reason: string): void {
    this.#discarded++;
    this.#lastDiscard = reason;
  }

  sourceState(): SourceState {
    const state = { closed: 'fresh', probing: 'stale', open: 'lost' } as const;
    return { name: this.client.tool, kind: 'tool', required: false, state: state[this.breaker.state] };
  }

  counters(): ToolCounters {
    return {
      ...this.count,
      discarded: this.#discarded,
      lastDiscard: this.#lastDiscard,
      breaker: this.breaker.state,
      breakerOpened: this.breaker.opened,
      latencyUs: this.#latency.summary(),
    };
  }
}
