/**
 * Answers of experts that take their time in the world as well: the loop waits for a call, as in lockstep, but the answer
 * enters the tick that begins when the measured latency has passed in drive time. So a slow expert is late for a reason
 * that can be measured again, on a machine of any speed.
 */
import type { SourceState, ToolAnswer, ToolRequest } from '../core/tick.js';
import type { ToolCounters, ToolRunner } from './tool-runner.js';

/** answers held at once; the pool has no more calls under way than this */
const maxHeld = 256;

interface Held {
  readonly dueUs: number;
  readonly order: number;
  readonly answer: ToolAnswer;
}

export class ChargedTools implements ToolRunner {
  readonly #inner: ToolRunner;
  readonly #askedUs = new Map<string, number>();
  #held: Held[] = [];
  #order = 0;
  /** answers that would have been one too many, given at once instead of being lost */
  overflowed = 0;

  constructor(inner: ToolRunner) {
    this.#inner = inner;
  }

  submit(request: ToolRequest, tUs: number): void {
    this.#askedUs.set(request.id, tUs);
    this.#inner.submit(request, tUs);
  }

  cancel(requestId: string): void {
    this.#askedUs.delete(requestId);
    this.#held = this.#held.filter(({ answer }) => answer.requestId !== requestId);
    this.#inner.cancel(requestId);
  }

  takeAnswers(tUs: number): ToolAnswer[] {
    for (const answer of this.#inner.takeAnswers(tUs)) {
      const dueUs = (this.#askedUs.get(answer.requestId) ?? tUs) + answer.latencyUs;
      this.#askedUs.delete(answer.requestId);
      const isFull = this.#held.length >= maxHeld;
      if (isFull) this.overflowed++;
      this.#held.push({ dueUs: isFull ? tUs : dueUs, order: this.#order++, answer });
    }
    const due = this.#held.filter((held) => held.dueUs <= tUs);
    this.#held = this.#held.filter((held) => held.dueUs > tUs);
    due.sort((one, other) => one.dueUs - other.dueUs || one.order - other.order);
    return due.map(({ answer }) => answer);
  }

  settled(): Promise<void> {
    return this.#inner.settled();
  }

  states(): SourceState[] {
    return this.#inner.states();
  }

  counters(): Readonly<Record<string, ToolCounters>> {
    return this.#inner.counters();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
