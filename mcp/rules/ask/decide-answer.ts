/** Which evaluator answers a question, and what its answer is called then. */
import type { JsonObject } from '../../../daemon/core/tick.js';
import { evaluateConduct } from '../evaluate/evaluate-conduct.js';
import type { FlatContext } from '../evaluate/flat-context.js';
import { readSign } from '../evaluate/posted.js';
import type { RulesInForce } from '../evaluate/rules-in-force.js';
import type { ConductTopic } from '../format/vocabulary.js';
import { citationsOf, lookupConduct, lookupLimit, type RulepackSet, rulesOf } from '../rules-expert.js';
import type { Question } from './read-question.js';

/** @returns an object as `rules limit` prints it; with `topic` where a rule of conduct answers */
export function decide(
  packs: RulepackSet,
  jurisdiction: string,
  asOf: string,
  question: Question,
  context: FlatContext,
): JsonObject {
  const rules = rulesOf(packs, jurisdiction, asOf);
  const args = { jurisdiction, as_of: asOf, context };
  if (rules === null) return observed(lookupLimit(packs, args), context);
  // The end of a limit that a sign shows is a limit again; only the question where it ends is one about conduct.
  const endsBySign = (): boolean =>
    context.sign !== undefined && lookupLimit(packs, args)['legal_action'] === 'limit_ended';
  const topic = question.topics.find(
    (one) => evaluateConduct(rules, one, context) !== null && !(one === 'limit_end' && endsBySign()),
  );
  if (topic !== undefined) return conduct(packs, { ...args, topic });
  const [unanswered] = question.topics.filter((one) => one !== 'limit_end');
  if (unanswered !== undefined && posted(packs, args) === null) return unruled(packs, args, unanswered);
  const limit = lookupLimit(packs, args);
  return weathered(rules, question, context, meant(question, context, limit));
}

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
function posted(packs: RulepackSet, args: Args): JsonObject | null {
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

/** A sign that is asked for its meaning is explained; what it orders stays the answer where it orders something else. */
function meant(question: Question, context: FlatContext, answer: JsonObject): JsonObject {
  const isPlain = answer['legal_action'] === 'obey_limit';
  if (!question.asksMeaning || context.sign === undefined || !isPlain) return answer;
  return { ...answer, legal_action: 'explain_sign' };
}

/**
 * Asked about the limit in rain or fog, where the law has none for it: the limit is that of the road, and the answer
 * says that it is.
 */
function weathered(
  rules: RulesInForce,
  question: Question,
  context: FlatContext,
  answer: JsonObject,
): JsonObject {
  if (context.sign !== undefined || context.gantry !== undefined) return answer;
  const isPlain = answer['legal_action'] === 'obey_limit' || answer['legal_action'] === 'advise_max';
  if (!isPlain) return answer;
  const topic = question.concepts.has('fact.fog')
    ? 'fog'
    : question.concepts.has('fact.wet') && context.wet !== false
      ? 'rain'
      : null;
  const found = topic === null ? null : evaluateConduct(rules, topic, context);
  const action = found?.rule.rule.then.legal_action;
  if (!found || (action !== 'no_statutory_wet_limit' && action !== 'reduce_speed_no_statutory_number'))
    return answer;
  const citations = answer['citations'] as JsonObject[];
  return {
    ...answer,
    legal_action: action,
    citations: [...citations, ...citationsOf(rules, [found.rule])],
  };
}
