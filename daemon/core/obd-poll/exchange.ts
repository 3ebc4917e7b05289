/**
 * One question on its way: who answered, how long to wait. An answer can come at once, in parts, after "pending", twice,
 * too late, from somebody who was not asked, or to something else.
 */
import { exchangeMaxUs, nextFrameUs, pendingMaxCount, pendingUs } from './poll-settings.js';
import { type AnswerKind, classifyAnswer, type Question } from './question.js';

export interface Ask {
  readonly question: Question;
  /** identifier it is sent on */
  readonly requestId: number;
  readonly isFunctional: boolean;
  /** identifiers of the ECUs that ought to answer; of a functional question others may, too */
  readonly expects: readonly number[];
}

export type AnswerVerdict =
  | 'accepted'
  | 'negative'
  | 'pending'
  | 'pending_too_often'
  | 'duplicate'
  | 'wrong_source'
  | 'unexpected'
  | 'malformed'
  | 'late';

export class Exchange {
  readonly answered = new Set<number>();
  /** an adapter said that nothing more comes */
  isComplete = false;
  readonly #pendings = new Map<number, number>();
  /** by ECU: until when it may take its time */
  readonly #extended = new Map<number, number>();

  constructor(
    readonly ask: Ask,
    readonly sentUs: number,
    readonly responseUs: number,
  ) {}

  /** When the wait ends as things stand. A physical question ends with its answer. */
  get deadlineUs(): number {
    const { ask, sentUs } = this;
    if (this.isComplete || (!ask.isFunctional && this.answered.size > 0)) return sentUs;
    let until = sentUs + this.responseUs;
    for (const [ecu, extendedUs] of this.#extended)
      if (!this.answered.has(ecu) && extendedUs > until) until = extendedUs;
    return Math.min(until, sentUs + exchangeMaxUs);
  }

  /** A frame of a long answer came: the rest has N_Cr each time. */
  progress(tUs: number, ecu: number): void {
    if (this.#isAsked(ecu)) this.#extend(ecu, tUs + nextFrameUs);
  }

  take(tUs: number, ecu: number, payload: Uint8Array): { verdict: AnswerVerdict; kind: AnswerKind } {
    const kind = classifyAnswer(this.ask.question, payload);
    return { kind, verdict: this.#verdict(tUs, ecu, kind) };
  }

  #verdict(tUs: number, ecu: number, kind: AnswerKind): AnswerVerdict {
    if (kind.kind === 'malformed') return 'malformed';
    if (kind.kind === 'other') return 'unexpected';
    if (!this.#isAsked(ecu)) return 'wrong_source';
    if (this.answered.has(ecu)) return 'duplicate';
    if (kind.kind === 'pending') {
      const count = (this.#pendings.get(ecu) ?? 0) + 1;
      this.#pendings.set(ecu, count);
      if (count > pendingMaxCount) {
        this.#extended.delete(ecu);
        return 'pending_too_often';
      }
      this.#extend(ecu, tUs + pendingUs);
      return 'pending';
    }
    this.answered.add(ecu);
    return kind.kind === 'positive' ? 'accepted' : 'negative';
  }

  #isAsked(ecu: number): boolean {
    return this.ask.isFunctional || this.ask.expects.includes(ecu);
  }

  #extend(ecu: number, untilUs: number): void {
    this.#extended.set(ecu, untilUs);
  }
}
