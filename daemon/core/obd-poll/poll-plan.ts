/** What is worth asking next: bit maps of supported PIDs first, then what a round consists of. Never what nobody supports. */
import { EcuSupport } from './ecu-support.js';
import type { Ask } from './exchange.js';
import { answerIdOf, functionalExtendedId, functionalId, requestIdOf } from './obd-address.js';
import { missesMaxCount, type PollSettings } from './poll-settings.js';
import { isFinalRefusal, type Question, questionKey } from './question.js';
import type { PID_ENGINE_SPEED, PID_MODULE_VOLTAGE } from './vital-signs.js';

const CURRENT_DATA = 0x01;
const VEHICLE_INFORMATION = 0x09;
const VIN = 0x02;
const dtcServices = [0x03, 0x07, 0x0a] as const;

interface Ecu {
  readonly answerId: number;
  readonly current: EcuSupport;
  readonly information: EcuSupport;
  /** questions left open in a row, by key */
  readonly misses: Map<string, number>;
  /** questions it refused for good or never answered */
  readonly dropped: Set<string>;
}

export class PollPlan {
  readonly #settings: PollSettings;
  readonly #ecus = new Map<number, Ecu>();
  /** questions that were dropped because an ECU left them open */
  givenUp = 0;
  /** questions that an ECU refused for good */
  refused = 0;

  constructor(settings: PollSettings) {
    this.#settings = settings;
  }

  /** Identifiers on which ECUs answer, ascending: the engine comes first by the standard's numbering. */
  get answerIds(): number[] {
    return [...this.#ecus.keys()].sort((a, b) => a - b);
  }

  supportedPids(answerId: number): number[] {
    const ecu = this.#ecus.get(answerId);
    return ecu === undefined ? [] : ecu.current.list();
  }

  /** The first question of all, to everybody. */
  discovery(isExtended: boolean): Ask {
    return {
      question: { service: CURRENT_DATA, parameter: [0x00] },
      requestId: isExtended ? functionalExtendedId : functionalId,
      isFunctional: true,
      expects: [],
    };
  }

  /** The first question to one ECU that may not hear functional ones. */
  directDiscovery(requestId: number): Ask {
    return physical({ service: CURRENT_DATA, parameter: [0x00] }, answerIdOf(requestId));
  }

  /** Learns from an answer: bit maps, refusals; makes an ECU known that answers for the first time. */
  take(answerId: number, question: Question, payload: Uint8Array): void {
    const requestId = requestIdOf(answerId);
    if (requestId === null) return;
    const [service] = payload;
    let ecu = this.#ecus.get(answerId);
    if (ecu === undefined) {
      if (service !== CURRENT_DATA + 0x40 || payload[1] !== 0x00) return;
      ecu = {
        answerId,
        current: new EcuSupport(),
        information: new EcuSupport(),
        misses: new Map(),
        dropped: new Set(),
      };
      this.#ecus.set(answerId, ecu);
    }
    const isMap = (question.parameter[0] ?? 1) % 0x20 === 0;
    if (isMap && service === CURRENT_DATA + 0x40 && !ecu.current.take(payload)) {
      this.#miss(ecu, question); // too short to be a bit map
      return;
    }
    if (isMap && service === VEHICLE_INFORMATION + 0x40) ecu.information.take(payload);
    ecu.misses.delete(questionKey(question));
  }

  /** A refusal of one ECU. */
  takeRefusal(answerId: number, question: Question, nrc: number): void {
    const ecu = this.#ecus.get(answerId);
    if (ecu === undefined) return;
    if (isFinalRefusal(nrc)) {
      this.refused++;
      this.#drop(ecu, question);
    } else this.#miss(ecu, question);
  }

  /** An ECU that should have answered did not. */
  takeSilence(answerId: number, question: Question): void {
    const ecu = this.#ecus.get(answerId);
    if (ecu !== undefined) this.#miss(ecu, question);
  }

  /** The next bit map of supported PIDs, or null when all are known. */
  nextBitMap(): Ask | null {
    for (const ecu of this.#ecus.values()) {
      const block = ecu.current.nextBlock();
      if (block === null) continue;
      const question = { service: CURRENT_DATA, parameter: [block] };
      return this.#ask(
        question,
        (one) => one.current.nextBlock() === block && !this.#isDropped(one, question),
      );
    }
    return null;
  }

  /** Engine speed or voltage, where some ECU supports it. */
  vitalSign(pid: typeof PID_ENGINE_SPEED | typeof PID_MODULE_VOLTAGE): Ask | null {
    return this.#pidAsk(pid);
  }

  /** Questions about the vehicle itself, once: first what information there is. */
  informationMaps(): Ask[] {
    if (!this.#settings.wantsVin) return [];
    const question = { service: VEHICLE_INFORMATION, parameter: [0x00] };
    const ask = this.#ask(question, () => true);
    return ask === null ? [] : [ask];
  }

  /** The VIN of every ECU that says it has one; long answers, so one ECU after the other. */
  vinAsks(): Ask[] {
    const question = { service: VEHICLE_INFORMATION, parameter: [VIN] };
    return [...this.#ecus.values()]
      .filter((ecu) => ecu.information.has(VIN) && !this.#isDropped(ecu, question))
      .map((ecu) => physical(question, ecu.answerId));
  }

  dtcAsks(): Ask[] {
    if (!this.#settings.wantsDtcs) return [];
    return dtcServices.flatMap((service) => this.#ask({ service, parameter: [] }, () => true) ?? []);
  }

  /** One question for each PID that is wanted and supported. */
  pidAsks(): Ask[] {
    return this.#wantedPids().flatMap((pid) => this.#pidAsk(pid) ?? []);
  }

  /** Whether an ask still has somebody to answer it: an ECU may have refused since it was planned. */
  isWorthAsking(ask: Ask): boolean {
    return ask.expects.some((id) => {
      const ecu = this.#ecus.get(id);
      return ecu !== undefined && !this.#isDropped(ecu, ask.question);
    });
  }

  #wantedPids(): number[] {
    const supported = new Set([...this.#ecus.values()].flatMap((ecu) => ecu.current.list()));
    const wanted = this.#settings.pids ?? [...supported];
    return [...new Set(wanted)].filter((pid) => supported.has(pid)).sort((a, b) => a - b);
  }

  #pidAsk(pid: number): Ask | null {
    const question = { service: CURRENT_DATA, parameter: [pid] };
    return this.#ask(question, (ecu) => ecu.current.has(pid));
  }

  /** To one ECU where one can answer, to all where several can; null where nobody can. */
  #ask(question: Question, canAnswer: (ecu: Ecu) => boolean): Ask | null {
    const able = [...this.#ecus.values()].filter((ecu) => canAnswer(ecu) && !this.#isDropped(ecu, question));
    const [first] = able;
    if (first === undefined) return null;
    const expects = able.map((ecu) => ecu.answerId);
    if (able.length === 1) return physical(question, first.answerId);
    const requestId = first.answerId > 0x7ff ? functionalExtendedId : functionalId;
    return { question, requestId, isFunctional: true, expects };
  }

  #isDropped(ecu: Ecu, question: Question): boolean {
    return ecu.dropped.has(questionKey(question));
  }

  #miss(ecu: Ecu, question: Question): void {
    const key = questionKey(question);
    const misses = (ecu.misses.get(key) ?? 0) + 1;
    ecu.misses.set(key, misses);
    if (misses < missesMaxCount) return;
    this.givenUp++;
    this.#drop(ecu, question);
  }

  #drop(ecu: Ecu, question: Question): void {
    ecu.dropped.add(questionKey(question));
    const block = question.parameter[0];
    if (question.service === CURRENT_DATA && block !== undefined && block % 0x20 === 0)
      ecu.current.giveUp(block);
  }
}

function physical(question: Question, answerId: number): Ask {
  return {
    question,
    requestId: requestIdOf(answerId) ?? functionalId,
    isFunctional: false,
    expects: [answerId],
  };
}
