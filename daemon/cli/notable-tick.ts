import type { TickOutputs } from '../core/tick.js';
import { outcomeOf } from '../runtime/run-tally.js';

/** The tick of a run that is most worth explaining: the first ACT, else the last utterance, else the last. */
export class NotableTick {
  #firstAct: number | null = null;
  #lastSpoken: number | null = null;
  #last: number | null = null;

  see(outputs: TickOutputs): void {
    this.#last = outputs.tick;
    const outcome = outcomeOf(outputs);
    if (outcome === 'act') this.#firstAct ??= outputs.tick;
    else if (outcome === 'speak') this.#lastSpoken = outputs.tick;
  }

  get tick(): number | null {
    return this.#firstAct ?? this.#lastSpoken ?? this.#last;
  }
}
