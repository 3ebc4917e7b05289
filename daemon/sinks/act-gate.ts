/**
 * Lets an ACT through only after its audit record is durable: no durable record, no ACT. What is let through
 * goes to sinks that drive nothing; an intent whose time has run out while its record was being written is
 * refused, never sent late.
 */
import type { TickOutputs } from '../core/tick.js';
import type { Sink } from '../ports.js';

export interface ActGateCounters {
  released: number;
  /** its record did not become durable */
  refusedNotDurable: number;
  /** its record became durable after the intent had expired */
  refusedExpired: number;
  /** decided while no sink was authorised; the core never does this, and if it did, nothing would happen */
  refusedUnauthorised: number;
}

export class ActGate {
  readonly counters: ActGateCounters = {
    released: 0,
    refusedNotDurable: 0,
    refusedExpired: 0,
    refusedUnauthorised: 0,
  };
  readonly #sinks: readonly Sink[];

  /** @param sinks where an ACT goes; none = ACT is not authorised, which is the default */
  constructor(sinks: readonly Sink[]) {
    this.#sinks = sinks;
  }

  get isAuthorised(): boolean {
    return this.#sinks.length > 0;
  }

  /**
   * @param isDurable whether the tick's records are on disk
   * @param nowUs time on the clock of the ticks
   */
  pass(outputs: TickOutputs, isDurable: boolean, nowUs: number): void {
    const { decision } = outputs;
    if (decision.kind !== 'act' || decision.intent === null) return;
    if (!this.isAuthorised) {
      this.counters.refusedUnauthorised++;
    } else if (!isDurable) {
      this.counters.refusedNotDurable++;
    } else if (nowUs > decision.intent.expiresAtUs) {
      this.counters.refusedExpired++;
    } else {
      this.counters.released++;
      for (const sink of this.#sinks) sink.act(outputs.tick, decision);
    }
  }
}
