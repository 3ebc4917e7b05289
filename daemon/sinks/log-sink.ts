import type { Decision, Utterance } from '../core/tick.js';
import type { Sink } from '../ports.js';
import type { Logger } from '../runtime/log.js';

/** Writes what would be carried out into the daemon's log. It drives nothing. */
export class LogSink implements Sink {
  readonly name = 'log';
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  speak(tick: number, utterance: Utterance): void {
    this.#log.info({ tick, key: utterance.key, urgent: utterance.urgent }, utterance.l1);
  }

  act(tick: number, decision: Decision): void {
    this.#log.info({ tick, intent: decision.intent, held: decision.held }, 'ACT released to the log');
  }
}
