/** What an event says to the driver: which phrase, which reasons, how urgent, and under which key. */
import type { EventType } from '../events/event-types.js';
import type { Situation } from '../fuse/situation.js';
import type { JsonObject } from '../tick.js';
import type { Choice } from './choice.js';
import { describe } from './describe.js';
import { fill, fillShort, placeholdersOf } from './fill.js';
import { foreignSign } from './foreign-sign.js';
import { phrasebookOf } from './locales.js';
import type { MessageClass } from './message-class.js';
import type { Phrasebook, PhraseName, PhraseValues, ReasonName } from './phrasebook.js';

export type MessageKind = EventType | 'act' | 'following_too_close' | 'mode_monitor' | 'mode_resumed';

export interface Message {
  /** repeat suppression goes by it: what is said, with its numbers quantised */
  readonly key: string;
  readonly messageClass: MessageClass;
  readonly lang: string;
  readonly l1: string;
  readonly l2: string;
}

export function composeMessage(
  kind: MessageKind,
  payload: JsonObject,
  situation: Situation,
  language: string,
): Message {
  const { lang, book } = phrasebookOf(language);
  const choice = choose(kind, payload, situation, book);
  const values = { ...describe(situation, book), ...choice.extra };
  return {
    key: `${kind}:${choice.content}`,
    messageClass: choice.messageClass,
    lang,
    l1: fillShort(book.phrases[choice.phrase], values, book),
    l2: explainWhy(choice.reasons, values, book),
  };
}

/** At most three sentences; a reason whose numbers are not known is left out. */
function explainWhy(reasons: readonly ReasonName[], values: PhraseValues, book: Phrasebook): string {
  const sentences: string[] = [];
  for (const reason of reasons) {
    const template = book.reasons[reason];
    if (placeholdersOf(template).every((name) => values[name] !== undefined)) {
      sentences.push(fill(template, values, book));
    }
  }
  return sentences.slice(0, 3).join(' ');
}

function choose(kind: MessageKind, payload: JsonObject, situation: Situation, book: Phrasebook): Choice {
  switch (kind) {
    case 'act':
      return hazard('act_brake', situation);
    case 'hazard_rss':
      return hazard(isUrgent(situation) ? 'hazard_brake' : 'hazard_slow', situation);
    case 'following_too_close':
      return {
        messageClass: 'hazard',
        phrase: 'following',
        reasons: ['seen_lead', 'rule_envelope', 'numbers_hazard'],
        content: '',
      };
    case 'low_friction':
      return friction(payload, situation);
    case 'vehicle_fault':
      return fault(payload, book);
    case 'jurisdiction_change':
      return border(payload, situation, book);
    case 'dynamic_limit_update':
      return gantry(payload, situation);
    case 'foreign_sign':
      return foreignSign(payload, situation, book, lawReason(situation));
    case 'uncertain_limit': {
      const { speed, unit } = situation.advice;
      return law(
        speed === null ? 'uncertain' : 'uncertain_advice',
        `${speed ?? '-'}:${unit}`,
        speed === null ? [] : ['rule_remembered'],
      );
    }
    case 'overspeed': {
      const { tellBoth, limit, speed, unit } = situation.advice;
      return {
        messageClass: 'speed',
        phrase: tellBoth ? 'overspeed_both' : 'overspeed',
        reasons: ['numbers_speed', lawReason(situation), ...becauseOf(situation)],
        content: `${limit ?? '-'}:${speed ?? '-'}:${unit}`,
      };
    }
    case 'driver_query':
      return answer(payload, situation);
    case 'mode_monitor':
      return { messageClass: 'status', phrase: 'status_monitor', reasons: [], content: '' };
    case 'mode_resumed':
      return { messageClass: 'status', phrase: 'status_resumed', reasons: [], content: '' };
  }
}

/** TTC below which a warning becomes urgent: the horizon of the TTC term. */
export const urgentTtcS = 2.5;

export function isUrgent(situation: Situation): boolean {
  const { ttc } = situation.safety.record;
  return ttc !== null && ttc < urgentTtcS;
}

function hazard(phrase: PhraseName, situation: Situation): Choice {
  return {
    messageClass: 'hazard',
    phrase,
    reasons: ['seen_lead', 'rule_envelope', 'numbers_hazard'],
    content: situation.safety.situation.lead?.id ?? '',
  };
}

function friction(payload: JsonObject, situation: Situation): Choice {
  const { advice } = situation;
  const cause = payload['cause'];
  const content = `${String(cause)}:${advice.speed ?? '-'}:${advice.unit}`;
  const reasons: ReasonName[] = ['seen_surface', 'numbers_grip'];
  const base = { messageClass: 'friction', reasons, content } as const;
  if (advice.tellBoth && advice.speed !== null) return { ...base, phrase: 'slippery_advice' };
  if (cause === 'abs' || cause === 'stability' || cause === 'slip')
    return { ...base, phrase: 'slippery_abs' };
  return { ...base, phrase: cause === 'cold' ? 'slippery_cold' : 'slippery' };
}

const phraseOfIndicator: Readonly<Record<string, PhraseName>> = {
  abs: 'fault_abs',
  ebd: 'fault_abs',
  esc: 'fault_esc',
  tcs: 'fault_esc',
  brake_fluid: 'fault_brakes',
  pad_wear: 'fault_brakes',
  tyre_pressure: 'fault_tyre',
  coolant: 'fault_engine',
  coolant_level: 'fault_engine',
  oil_pressure: 'fault_engine',
  oil_temperature: 'fault_engine',
  transmission: 'fault_engine',
  low_voltage: 'fault_electric',
  traction_battery: 'fault_electric',
};

function fault(payload: JsonObject, book: Phrasebook): Choice {
  const named = typeof payload['indicator'] === 'string' ? payload['indicator'] : '';
  // A name that no phrasebook has is an expert's own word: it is not spoken.
  const indicator = Object.hasOwn(book.indicators, named) ? named : 'none';
  return {
    messageClass: 'vehicle',
    phrase: phraseOfIndicator[indicator] ?? 'fault_other',
    reasons: indicator === 'none' ? ['numbers_health'] : ['seen_fault', 'numbers_health'],
    content: indicator,
    extra: { indicator: book.indicators[indicator] as string },
  };
}

function border(payload: JsonObject, situation: Situation, book: Phrasebook): Choice {
  const { advice, view } = situation;
  const to = payload['to'];
  const country = typeof to === 'string' ? book.countries[to.slice(0, 3)] : undefined;
  if (country === undefined || view.jurisdiction !== to)
    return law('border_hint', String(payload['evidence']), []);
  const content = `${to}:${advice.limit ?? '-'}:${advice.speed ?? '-'}`;
  const reasons: ReasonName[] = ['seen_border', lawReason(situation), ...becauseOf(situation)];
  if (advice.limit === null || advice.isConservative) return law('jurisdiction', content, reasons);
  return law(advice.tellBoth ? 'jurisdiction_both' : 'jurisdiction_limit', content, reasons);
}

function gantry(payload: JsonObject, situation: Situation): Choice {
  const { advice, law: current } = situation;
  const reasons: ReasonName[] = ['seen_limit', lawReason(situation), ...becauseOf(situation)];
  const content = `${advice.limit ?? '-'}:${advice.speed ?? '-'}:${advice.unit}`;
  if (payload['to'] === null) {
    const isKnown = current.limit !== null && !current.isConservative;
    return law(isKnown ? 'gantry_ended_limit' : 'gantry_ended', `end:${content}`, reasons);
  }
  if (advice.limit === null) return law('uncertain', content, reasons);
  return law(advice.tellBoth ? 'gantry_both' : 'gantry_limit', content, reasons);
}

function answer(payload: JsonObject, situation: Situation): Choice {
  const { advice, condition, tUs } = situation;
  const base = { messageClass: 'answer', content: `${String(payload['intent'])}:${tUs}` } as const;
  switch (payload['intent']) {
    case 'road':
      return { ...base, phrase: 'answer_road', reasons: ['seen_surface', 'numbers_grip'] };
    case 'car':
      return condition.healthRisk === null
        ? { ...base, phrase: 'answer_car_unknown', reasons: [] }
        : { ...base, phrase: 'answer_car', reasons: ['numbers_health'] };
    default:
      return advice.limit === null
        ? { ...base, phrase: 'answer_law_none', reasons: [] }
        : { ...base, phrase: 'answer_law', reasons: [lawReason(situation), ...becauseOf(situation)] };
  }
}

function law(phrase: PhraseName, content: string, reasons: readonly ReasonName[]): Choice {
  return { messageClass: 'law', phrase, content, reasons };
}

function lawReason(situation: Situation): ReasonName {
  const { source } = situation.law;
  if (source === 'rules') return 'rule_pack';
  return source === 'sign' || source === 'gantry' ? 'rule_posted' : 'rule_remembered';
}

function becauseOf(situation: Situation): readonly ReasonName[] {
  const { because, tellBoth, speedFactor } = situation.advice;
  if (!tellBoth || because === 'law') return [];
  // Where the factor rounds to 100 %, it is the step of five units that lowered the advice.
  if (because === 'traction' && speedFactor >= 0.995) return [];
  return [because === 'traction' ? 'numbers_grip' : 'numbers_health'];
}
