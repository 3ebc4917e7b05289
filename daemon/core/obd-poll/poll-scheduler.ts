/**
 * When to ask whom for what, and when to stop. Pure: time and everything that is heard are arguments, so that the limits
 * (rate, one question at a time, only what is supported, an end in every case) can be proved by properties.
 */
import { type AnswerVerdict, type Ask, Exchange } from './exchange.js';
import { noCounts, type PollCounters } from './poll-counters.js';
import { PollPlan } from './poll-plan.js';
import {
  busAliveUs,
  busSilentStopUs,
  dtcIntervalUs,
  minimumGapUs,
  type PollSettings,
  sendDeadlineUs,
  sendRetryUs,
  silentPauseUs,
  silentRoundsMaxCount,
} from './poll-settings.js';
import { classifyAnswer } from './question.js';
import { PID_ENGINE_SPEED, PID_MODULE_VOLTAGE, VitalSigns } from './vital-signs.js';

export type StopReason =
  | 'done'
  /** nobody answered for several rounds */
  | 'no_answers'
  /** no frame of another node */
  | 'bus_silent'
  | 'low_voltage'
  | 'voltage_unknown'
  /** ECUs answer, but support nothing of what is wanted */
  | 'nothing_supported'
  /** another tester asks on this bus */
  | 'other_tester';

/** Why a question is not on the bus: the queue is full, the interface is down, or anything else. */
export type SendFailure = 'queue_full' | 'down' | 'failed';

export type PollAction =
  | { readonly kind: 'ask'; readonly ask: Ask }
  | { readonly kind: 'wait'; readonly untilUs: number }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** After this many open questions in a row the ECUs have gone; the round ends. */
const openInARowMaxCount = 5;

/** Questions that are remembered for late answers; at ten a second, most of a second. */
const pastMaxCount = 8;

export class PollScheduler {
  readonly counters: PollCounters = noCounts();
  readonly plan: PollPlan;
  readonly vitals = new VitalSigns();
  readonly #settings: PollSettings;
  readonly #gapUs: number;
  #exchange: Exchange | null = null;
  /** the newest that are over, newest first, for answers that come late or twice */
  #past: Exchange[] = [];
  #lastSentUs = Number.NEGATIVE_INFINITY;
  /** the ask that `next` handed out and that is not yet on the bus, with the time of the first try */
  #sending: { readonly ask: Ask; readonly sinceUs: number; tryAgainUs: number } | null = null;
  #queue: Ask[] = [];
  #heardUs = Number.NEGATIVE_INFINITY;
  #startUs: number | null = null;
  /** when the interface was last found down */
  #silentSinceUs = Number.NEGATIVE_INFINITY;
  #roundDueUs = Number.NEGATIVE_INFINITY;
  #dtcDueUs = Number.NEGATIVE_INFINITY;
  #isInRound = false;
  #wasAnswered = false;
  #silentRounds = 0;
  #roundStartUs = 0;
  #isDiscovering = true;
  /** questions left open by everybody, in a row: the rest of the round is not asked */
  #openInARow = 0;
  #information: 'maps' | 'known' = 'maps';
  #stopped: StopReason | null = null;

  constructor(settings: PollSettings) {
    this.#settings = settings;
    this.#gapUs = Math.max(settings.gapUs, minimumGapUs);
    this.plan = new PollPlan(settings);
  }

  /** What to do now. After an `ask` either `sent` or `sendFailed` must be told before the next call. */
  next(nowUs: number): PollAction {
    this.#startUs ??= nowUs;
    if (this.#stopped !== null) return { kind: 'stop', reason: this.#stopped };
    if (this.#exchange !== null) {
      const { deadlineUs } = this.#exchange;
      if (nowUs < deadlineUs) return { kind: 'wait', untilUs: deadlineUs };
      this.#close(this.#exchange);
    }
    const earliestUs = this.#lastSentUs + this.#gapUs;
    if (nowUs < earliestUs) return { kind: 'wait', untilUs: earliestUs };
    const forbidden = this.#forbidden(nowUs);
    if (forbidden !== null) return forbidden;
    if (this.#sending !== null) {
      const { ask, tryAgainUs } = this.#sending;
      return nowUs < tryAgainUs ? { kind: 'wait', untilUs: tryAgainUs } : { kind: 'ask', ask };
    }
    const action = this.#choose(nowUs);
    if (action.kind === 'ask') this.#sending = { ask: action.ask, sinceUs: nowUs, tryAgainUs: nowUs };
    if (action.kind === 'stop') this.#stopped = action.reason;
    return action;
  }

  /** The ask that `next` gave is on the bus. */
  sent(nowUs: number): void {
    if (this.#sending === null) return;
    this.counters.requests++;
    this.#exchange = new Exchange(this.#sending.ask, nowUs, this.#settings.responseUs);
    this.#lastSentUs = nowUs;
    this.#sending = null;
  }

  /**
   * The kernel did not take it. A full queue is tried again until the deadline; an interface that is down is a bus
   * that is silent from now on, and the question waits until it is alive again; anything else counts as unanswered.
   */
  sendFailed(nowUs: number, why: SendFailure): void {
    const sending = this.#sending;
    if (sending === null) return;
    if (why === 'queue_full' && nowUs + sendRetryUs - sending.sinceUs <= sendDeadlineUs) {
      this.counters.send_retries++;
      sending.tryAgainUs = nowUs + sendRetryUs;
      return;
    }
    if (why === 'down' && !this.#settings.allowsSilentBus) {
      this.counters.send_failures++;
      this.#heardUs = Number.NEGATIVE_INFINITY;
      this.#silentSinceUs = nowUs;
      sending.tryAgainUs = nowUs + this.#gapUs;
      return;
    }
    this.counters.send_failures++;
    this.#sending = null;
    this.#lastSentUs = nowUs; // a failing bus is not tried faster than a working one
  }

  /** A frame of another node was received. */
  heard(nowUs: number): void {
    this.#heardUs = Math.max(this.#heardUs, nowUs);
  }

  /** Somebody else asked on this bus: two testers would take each other's answers. */
  heardOtherTester(): void {
    this.#stopped ??= 'other_tester';
  }

  /** A frame of a long answer was received. */
  progress(nowUs: number, answerId: number): void {
    this.#exchange?.progress(nowUs, answerId);
  }

  /** An adapter has given all the answers there are to the question on its way. */
  completed(): void {
    if (this.#exchange !== null) this.#exchange.isComplete = true;
  }

  /** A long answer broke off, as the transport reports it. */
  broken(): void {
    this.counters.broken++;
  }

  /** A whole answer; returns what it is taken for. */
  answered(nowUs: number, answerId: number, payload: Uint8Array): AnswerVerdict {
    this.heard(nowUs);
    const exchange = this.#exchange;
    const late = this.#lateVerdict(answerId, payload);
    const taken = exchange?.take(nowUs, answerId, payload);
    const verdict = taken === undefined ? late : taken.verdict === 'unexpected' ? late : taken.verdict;
    this.#count(verdict);
    if (exchange === null || taken === undefined) return verdict;
    if (verdict === 'accepted' || verdict === 'negative' || verdict === 'pending') this.#wasAnswered = true;
    if (verdict === 'accepted') {
      // An answer without its value is as good as none, or the question would be put for ever.
      if (this.vitals.take(nowUs, answerId, payload))
        this.plan.take(answerId, exchange.ask.question, payload);
      else this.plan.takeSilence(answerId, exchange.ask.question);
    } else if (taken.kind.kind === 'negative' && verdict === 'negative') {
      this.plan.takeRefusal(answerId, exchange.ask.question, taken.kind.nrc);
    }
    return verdict;
  }

  /** The question on its way; null between questions. */
  get outstanding(): Ask | null {
    return this.#exchange?.ask ?? null;
  }

  /** An answer to a question that is over came too late or once more. To anything else it was not asked for. */
  #lateVerdict(answerId: number, payload: Uint8Array): AnswerVerdict {
    for (const { ask, answered } of this.#past) {
      const { kind } = classifyAnswer(ask.question, payload);
      if (kind === 'malformed') return 'malformed';
      if (kind !== 'other') return answered.has(answerId) ? 'duplicate' : 'late';
    }
    return 'unexpected';
  }

  #count(verdict: AnswerVerdict): void {
    if (verdict === 'accepted') this.counters.answers++;
    else if (verdict === 'duplicate') this.counters.duplicates++;
    else this.counters[verdict]++;
  }

  #close(exchange: Exchange): void {
    const { ask, answered } = exchange;
    for (const id of ask.expects) if (!answered.has(id)) this.plan.takeSilence(id, ask.question);
    if (answered.size > 0) this.#openInARow = 0;
    else {
      this.counters.unanswered++;
      this.#openInARow++;
    }
    this.#past = [exchange, ...this.#past.slice(0, pastMaxCount - 1)];
    this.#exchange = null;
  }

  /** Reasons not to send anything now. */
  #forbidden(nowUs: number): PollAction | null {
    if (this.#settings.allowsSilentBus || nowUs - this.#heardUs <= busAliveUs) return null;
    const sinceUs = Math.max(this.#heardUs, this.#silentSinceUs, this.#startUs ?? nowUs);
    if (nowUs - sinceUs > busSilentStopUs) {
      this.#stopped = 'bus_silent';
      return { kind: 'stop', reason: 'bus_silent' };
    }
    return { kind: 'wait', untilUs: nowUs + busAliveUs / 10 };
  }

  #choose(nowUs: number): PollAction {
    const isAskingAround = this.#isDiscovering && this.#isInRound && this.#queue.length > 0;
    if (this.plan.answerIds.length === 0 || isAskingAround) return this.#discover(nowUs);
    const bitMap = this.plan.nextBitMap();
    if (bitMap !== null) return { kind: 'ask', ask: bitMap };
    for (const pid of [PID_MODULE_VOLTAGE, PID_ENGINE_SPEED] as const) {
      const ask = this.vitals.isDue(nowUs, pid) ? this.plan.vitalSign(pid) : null;
      if (ask !== null) return { kind: 'ask', ask };
    }
    const state = this.vitals.state(nowUs);
    if (state === 'low_voltage') return { kind: 'stop', reason: 'low_voltage' };
    if (state === 'unknown' && !this.#settings.allowsUnknownVoltage)
      return { kind: 'stop', reason: 'voltage_unknown' };
    return this.#continueRound(nowUs);
  }

  /** Rounds of the first question, to each family of identifiers, until somebody answers. */
  #discover(nowUs: number): PollAction {
    const families = { '11': [false], '29': [true], auto: [false, true] }[this.#settings.addressing];
    if (!this.#isInRound) {
      if (nowUs < this.#roundDueUs) return { kind: 'wait', untilUs: this.#roundDueUs };
      this.#startRound(nowUs, [
        ...families.map((isExtended) => this.plan.discovery(isExtended)),
        ...this.#settings.requestIds.map((id) => this.plan.directDiscovery(id)),
      ]);
    }
    const isAnswered = this.plan.answerIds.length > 0;
    let ask = this.#queue.shift();
    // Where one family has answered, the other is not asked.
    while (isAnswered && ask?.isFunctional === true) ask = this.#queue.shift();
    if (ask !== undefined) return { kind: 'ask', ask };
    return isAnswered ? this.#choose(nowUs) : this.#endRound(nowUs);
  }

  #continueRound(nowUs: number): PollAction {
    if (this.#isDiscovering) {
      this.#isDiscovering = false;
      this.#isInRound = false;
      this.#wasAnswered = false;
      this.#silentRounds = 0;
      this.#roundDueUs = nowUs;
    }
    if (!this.#isInRound) {
      if (nowUs < this.#roundDueUs) return { kind: 'wait', untilUs: this.#roundDueUs };
      const isDtcDue = this.#settings.wantsDtcs && nowUs >= this.#dtcDueUs;
      const dtcs = isDtcDue ? this.plan.dtcAsks() : [];
      if (isDtcDue) this.#dtcDueUs = nowUs + dtcIntervalUs;
      const maps = this.#information === 'maps' ? this.plan.informationMaps() : [];
      const asks = [...maps, ...this.plan.pidAsks(), ...dtcs];
      if (asks.length === 0) {
        const isOver = this.#settings.isOnce || this.plan.dtcAsks().length === 0;
        if (isOver) return { kind: 'stop', reason: 'nothing_supported' };
        return { kind: 'wait', untilUs: this.#dtcDueUs };
      }
      this.#startRound(nowUs, asks);
    }
    for (;;) {
      if (this.#openInARow >= openInARowMaxCount) this.#queue = [];
      const ask = this.#queue.shift();
      if (ask !== undefined) {
        if (this.plan.isWorthAsking(ask)) return { kind: 'ask', ask };
        continue;
      }
      if (this.#information !== 'maps') break;
      this.#information = 'known';
      this.#queue = this.plan.vinAsks();
    }
    return this.#endRound(nowUs);
  }

  #startRound(nowUs: number, asks: Ask[]): void {
    this.#queue = asks;
    this.#isInRound = true;
    this.#roundStartUs = nowUs;
    this.#openInARow = 0;
  }

  /** A silent round doubles the pause, and several of them end it all. */
  #endRound(nowUs: number): PollAction {
    this.counters.rounds++;
    this.#isInRound = false;
    if (this.#wasAnswered && !this.#isDiscovering) {
      this.#silentRounds = 0;
      this.#roundDueUs = Math.max(nowUs, this.#roundStartUs + this.#settings.intervalUs);
      if (this.#settings.isOnce) return { kind: 'stop', reason: 'done' };
    } else {
      this.#silentRounds++;
      this.counters.silent_rounds++;
      if (this.#silentRounds >= silentRoundsMaxCount) return { kind: 'stop', reason: 'no_answers' };
      let pauseUs = Math.max(silentPauseUs, this.#settings.intervalUs);
      for (let i = 1; i < this.#silentRounds; i++) pauseUs *= 2;
      this.#roundDueUs = nowUs + pauseUs;
    }
    this.#wasAnswered = false;
    return { kind: 'wait', untilUs: this.#roundDueUs };
  }
}
