/**
 * Lets an ACT through only after its audit record is durable: no durable record, no ACT. What is let through
 * goes to sinks that drive nothing; an intent whose time has run out while its record was being written is
 * refused, never sent late.
 */
import type { TickOutputs } from '../core/tick.js';
import type { Sink } from '../ports.js';

// A type, not an interface: it is printed as a JSON object.
export type ActGateCounters = {
  released: number;
  /** its record did not become durable */
  refused_not_durable: number;
  /** its record became durable after the intent had expired */
  refused_expired: number;
  /** decided while no sink was authorised; the core never does this, and if it did, nothing would happen */
  refused_unauthorised: number;
};

export class ActGate {
  readonly counters: ActGateCounters = {
    released: 0,
    refused_not_durable: 0,
    refused_expired: 0,
    refused_unauthorised: 0,
  };
  readonly #sinks: readonly Sink[];
  readonly #authority: () => boolean;
  /** the record of the ACT in force is on disk */
  #isDurable = false;
  /** an ACT is out, and the sinks have not been told that it is over */
  #isOut = false;

  /**
   * @param sinks where an ACT goes; none = ACT is not authorised, which is the default
   * @param authority asked for every ACT: what was authorised may have ended meanwhile
   */
  constructor(sinks: readonly Sink[], authority: () => boolean = () => true) {
    this.#sinks = sinks;
    this.#authority = authority;
  }

  get isAuthorised(): boolean {
    return this.#sinks.length > 0 && this.#authority();
  }

  /**
   * Called once a tick, in order.
   * @param isDurable whether the records that this tick asked to be durable at once are on disk; null where
   *   it asked for none: an ACT that goes on rests on the record of its beginning
   * @param nowUs time on the clock of the ticks
   */
  pass(outputs: TickOutputs, isDurable: boolean | null, nowUs: number): void {
    const { decision } = outputs;
    if (decision.kind !== 'act' || decision.intent === null) {
      this.#isDurable = false;
      this.#end(outputs.tick);
      return;
    }
    if (isDurable !== null) this.#isDurable = isDurable;
    if (!this.isAuthorised) {
      this.counters.refused_unauthorised++;
      this.#end(outputs.tick);
    } else if (!this.#isDurable) {
      this.counters.refused_not_durable++;
    } else if (nowUs > decision.intent.expiresAtUs) {
      this.counters.refused_expired++;
    } else {
      this.counters.released++;
      this.#isOut = true;
      for (const sink of this.#sinks) sink.act(outputs.tick, decision, nowUs);
    }
  }

  #end(tick: number): void {
    if (!this.#isOut) return;
    this.#isOut = false;
    for (const sink of this.#sinks) sink.release?.(tick);
  }
}
