/** Which evaluator answers a question, and what its answer is called then. */

import type { SignMeaning } from '../../../daemon/core/signs/sign-meanings.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { evaluateConduct } from '../evaluate/evaluate-conduct.js';
import type { FlatContext } from '../evaluate/flat-context.js';
import { readSign } from '../evaluate/posted.js';
import type { RulesInForce } from '../evaluate/rules-in-force.js';
import type { ConductTopic } from '../format/vocabulary.js';
import { takeTimeWindows } from '../parse/time-windows.js';
import { citationsOf, lookupConduct, lookupLimit, type RulepackSet, rulesOf } from '../rules-expert.js';
import { isDenied } from './denial.js';
import type { Question } from './read-question.js';

/**
 * @param posted what the sign of the context means in its country
 * @returns an object as `rules limit` prints it; with `topic` where a rule of conduct answers
 */
export function decide(
  packs: RulepackSet,
  jurisdiction: string,
  asOf: string,
  question: Question,
  context: FlatContext,
  posted: SignMeaning | null = null,
): JsonObject {
  const rules = rulesOf(packs, jurisdiction, asOf);
  const args = { jurisdiction, as_of: asOf, context };
  if (rules === null) return observed(lookupLimit(packs, args), context);
  // The end of a limit that a sign shows is a limit again; only the question where it ends is one about conduct.
  const endsBySign = (): boolean =>
    posted === 'zone_start' || // a zone does not end at a junction
    ((context.sign !== undefined || context.gantry !== undefined) &&
      lookupLimit(packs, args)['legal_action'] === 'limit_ended');
  const topic = question.topics.find(
    (one) => evaluateConduct(rules, one, context) !== null && !(one === 'limit_end' && endsBySign()),
  );
  if (topic !== undefined) return conduct(packs, { ...args, topic });
  const [unanswered] = question.topics.filter((one) => !limitAnswers.has(one));
  if (unanswered !== undefined && orderOf(packs, args) === null) return unruled(packs, args, unanswered);
  const limit = hours(packs, args, question) ?? otherClass(packs, args, question) ?? lookupLimit(packs, args);
  return weathered(
    rules,
    question,
    context,
    meant(question, context, ordered(question, left(question, posted, limit))),
  );
}

/** Where the law has no rule of its own about these, the limit is the answer: nobody may be faster to overtake. */
const limitAnswers: ReadonlySet<ConductTopic> = new Set(['limit_end', 'overtaking_speed']);

interface Args {
  readonly jurisdiction: string;
  readonly as_of: string;
  readonly context: FlatContext;
}

function conduct(packs: RulepackSet, args: Args & { readonly topic: ConductTopic }): JsonObject {
  const answer = lookupConduct(packs, args);
  const speedKmh = (answer['values'] as JsonObject | undefined)?.['speedKmh'];
  // Walking pace is a limit with a conventional number; other speeds of conduct rules are conditions or advice.
  if (answer['qualifier'] !== 'walking_pace' || typeof speedKmh !== 'number') return answer;
  return { ...answer, limit: { value: speedKmh, unit: 'km/h', mps: speedKmh / 3.6 } };
}

/** An order that a sign or gantry gives (stop, leave the lane), where the pack has no rule under the topic itself. */
function orderOf(packs: RulepackSet, args: Args): JsonObject | null {
  const { sign, gantry } = args.context;
  return sign === undefined && gantry === undefined ? null : lookupLimit(packs, args);
}

/** The question is about conduct and the pack has no rule for it: no limit stands in for an answer. */
function unruled(packs: RulepackSet, args: Args, topic: ConductTopic): JsonObject {
  return {
    ...lookupLimit(packs, args),
    topic,
    legal_action: 'unknown_conservative',
    limit: null,
    advisory: null,
    citations: [],
    confidence: 0.2,
    alternatives: [],
  };
}

/** No pack: what a sign shows is passed on as seen; its unit is not known, and km/h is the slower reading. */
function observed(answer: JsonObject, { sign }: FlatContext): JsonObject {
  const value = sign === undefined ? null : (readSign(sign)?.value ?? null);
  if (value === null) return answer;
  return {
    ...answer,
    limit: { value, unit: 'km/h', mps: value / 3.6 },
    qualifier: 'conservative_unit',
    degraded: ['missing', 'unit'],
  };
}

/** What a sign may say about the limit; every other action is an order beside which a number is not what was asked. */
const aboutLimit: ReadonlySet<string> = new Set([
  'obey_limit',
  'obey_limit_degraded',
  'advise_max',
  'limit_ended',
  'condition_inactive',
  'exempt_ev',
  'slow_walking_pace',
  'explain_sign',
  'unknown_conservative',
  'no_statutory_wet_limit',
  'reduce_speed_no_statutory_number',
]);

function ordered(question: Question, answer: JsonObject): JsonObject {
  if (question.asksLimit || aboutLimit.has(String(answer['legal_action']))) return answer;
  return { ...answer, limit: null, advisory: null };
}

/** Where a town or motorway ends no posted limit does: the road is another one, with its own limit. */
function left({ concepts }: Question, posted: SignMeaning | null, answer: JsonObject): JsonObject {
  const leaves = posted === 'town_end' || posted === 'motorway_end' || posted === 'expressway_end';
  const isAboutEnd = concepts.has('sign.end') && !concepts.has('sign.town') && !concepts.has('sign.town_end');
  if (!leaves || isAboutEnd || answer['legal_action'] !== 'limit_ended') return answer;
  if (answer['limit'] !== null) return { ...answer, legal_action: 'obey_limit' };
  return answer['advisory'] === null ? answer : { ...answer, legal_action: 'advise_max' };
}

/** A sign that is asked for its meaning is explained; what it orders stays the answer where it orders something else. */
function meant(question: Question, context: FlatContext, answer: JsonObject): JsonObject {
  if (context.sign === undefined || answer['legal_action'] !== 'obey_limit') return answer;
  const hasValue = (readSign(context.sign)?.value ?? null) !== null;
  const isExplained = question.asksMeaning || (question.describesSign && !hasValue);
  return isExplained ? { ...answer, legal_action: 'explain_sign' } : answer;
}

/**
 * Hours that the question reads from a plate ("22-6 h, it is 15:00"): outside of them the sign does not hold, inside it
 * holds as if it had no plate. A plate's code alone does not tell its hours.
 */
function hours(packs: RulepackSet, args: Args, question: Question): JsonObject | null {
  const { sign, plate, time, ...rest } = args.context;
  if (sign === undefined || plate === undefined || time === undefined) return null;
  const window = /^time:(\d\d:\d\d)-(\d\d:\d\d)$/.exec(takeTimeWindows(question.text).conditions[0] ?? '');
  const [, from, until] = window ?? [];
  if (from === undefined || until === undefined) return null;
  const clock = time.slice(-5);
  const isInside = from <= until ? from <= clock && clock < until : clock >= from || clock < until;
  if (isInside) return lookupLimit(packs, { ...args, context: { ...rest, time, sign } });
  const plated = lookupLimit(packs, args);
  const bare = lookupLimit(packs, { ...args, context: { ...rest, time } });
  const citations = [...(bare['citations'] as JsonObject[]), ...(plated['citations'] as JsonObject[])];
  return { ...bare, legal_action: 'condition_inactive', citations };
}

/** A plate with a lorry on it, in words, below a sign that a car driver asks about: the sign does not hold for him. */
function otherClass(packs: RulepackSet, args: Args, question: Question): JsonObject | null {
  const { sign, plate, vehicle, ...rest } = args.context;
  const isOther = question.concepts.has('sign.plate_class') && (vehicle === 'car' || vehicle === 'car_ev');
  if (sign === undefined || plate !== undefined || !isOther) return null;
  const bare = lookupLimit(packs, { ...args, context: { ...rest, vehicle } });
  return { ...bare, legal_action: 'condition_inactive' };
}

/** Asked about the limit in rain or fog, where the law has none for it: the answer says so. */
function weathered(
  rules: RulesInForce,
  question: Question,
  context: FlatContext,
  answer: JsonObject,
): JsonObject {
  if (context.sign !== undefined || context.gantry !== undefined) return answer;
  const isPlain = answer['legal_action'] === 'obey_limit' || answer['legal_action'] === 'advise_max';
  if (!isPlain) return answer;
  const wet = question.concepts.get('fact.wet');
  const topic = question.concepts.has('fact.fog')
    ? 'fog'
    : wet !== undefined && !isDenied(question, wet) && context.wet !== false
      ? 'rain'
      : null;
  const found = topic === null ? null : evaluateConduct(rules, topic, context);
  const action = found?.rule.rule.then.legal_action;
  if (!found || (action !== 'no_statutory_wet_limit' && action !== 'reduce_speed_no_statutory_number'))
    return answer;
  const citations = answer['citations'] as JsonObject[];
  const own = citationsOf(rules, [found.rule]) as JsonObject[];
  // In fog a number of the road would read as leave to drive it; in rain it is what was asked.
  return action === 'reduce_speed_no_statutory_number'
    ? { ...answer, legal_action: action, limit: null, advisory: null, citations: [...own, ...citations] }
    : { ...answer, legal_action: action, citations: [...citations, ...own] };
}
