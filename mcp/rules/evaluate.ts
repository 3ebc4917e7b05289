/**
 * The limit that applies, from structured rules: deterministic, no text search, no model.
 *
 *   base  = posted sign or gantry, else the default of the road
 *   limit = min(base, caps of vehicle and conditions)
 *
 * An unknown condition is resolved by the rule's own policy (caps assume true, permissions false), so that
 * caution stands in the data. Posted signs override general rules (StVO § 39(2); for Great Britain the order
 * behind the sign, RTRA 1984 s. 84); statute, sign table and guidance rank as texts about one rule.
 */
import { evaluateCondition, type Truth } from './conditions.js';
import { type FactValue, type FlatContext, factsOf } from './flat-context.js';
import type { FactKey, Rule } from './pack-format.js';
import type { Rulepack } from './pack-loader.js';
import { type PostedSign, readGantry, readSign } from './posted.js';

export interface Candidate {
  /** in the pack's unit; null = this rule says that there is no limit */
  readonly value: number | null;
  readonly rule: Rule | null;
  readonly origin: 'gantry' | 'sign' | 'default' | 'cap';
  readonly isUncertain: boolean;
}

export interface Evaluation {
  readonly legalAction:
    | 'obey_limit'
    | 'obey_limit_degraded'
    | 'advise_max'
    | 'limit_ended'
    | 'condition_inactive'
    | 'leave_lane'
    | 'unknown_conservative';
  readonly value: number | null;
  readonly advisory: number | null;
  readonly qualifier: 'if_wet' | null;
  readonly rules: readonly Rule[];
  readonly degraded: readonly ('expired' | 'missing' | 'unknown_condition' | 'conflict')[];
  readonly confidence: number;
  /** other readings of what is posted or due, lowest first */
  readonly alternatives: readonly number[];
}

/** Certainty of a rule as a confidence; own paraphrases are never surer than 0.8 (they only agree with themselves). */
const certaintyConfidence = { A: 0.95, B: 0.85, C: 0.7 } as const;
const paraphraseCap = 0.8;
const unknownConditionFactor = 0.8;
const conflictFactor = 0.6;
const expiredCap = 0.6;
const observedOnlyConfidence = 0.5;

/**
 * @param asOf ISO date: rules not in force on it do not exist
 * @param nation part of the country, absent = unknown
 */
export function evaluateLimit(
  pack: Rulepack,
  context: FlatContext,
  asOf: string,
  nation?: string,
): Evaluation {
  const facts = new Map(factsOf(context, nation));
  const inForce = pack.rules.filter(
    (rule) => rule.valid.from <= asOf && (rule.valid.until === undefined || asOf <= rule.valid.until),
  );
  const degraded = new Set<Evaluation['degraded'][number]>();
  const posted: Candidate[] = [];
  let advisory: Candidate | null = null;
  let hasEnded = false;
  let isInactive = false;

  const gantry = context.gantry === undefined ? null : readGantry(context.gantry, context.lane_from_verge);
  if (gantry?.kind === 'closed') return only('leave_lane', degraded);
  if (gantry?.kind === 'limit')
    posted.push(fromSign(inForce, facts, { code: 'gantry', value: gantry.value }, 'gantry'));
  if (gantry?.kind === 'advisory')
    advisory = { value: gantry.value, rule: null, origin: 'gantry', isUncertain: false };
  if (gantry?.kind === 'ended') hasEnded = true;
  if (gantry?.kind === 'unreadable') degraded.add('unknown_condition');

  const sign = context.sign === undefined ? null : readSign(context.sign);
  if (context.sign !== undefined && sign === null) degraded.add('unknown_condition');
  if (sign) {
    facts.set('sign.code', sign.code);
    if (firstMatch(inForce, 'end_sign', facts)) hasEnded = true;
    else if (sign.value !== null) {
      const truth = plateTruth(inForce, facts);
      if (truth === 'false') isInactive = true;
      else posted.push({ ...fromSign(inForce, facts, sign, 'sign'), isUncertain: truth === 'unknown' });
    }
  }

  const base = lowest(posted) ?? defaultLimit(inForce, facts);
  if (new Set(posted.map((candidate) => candidate.value)).size > 1) degraded.add('conflict');
  const caps = inForce
    .filter((rule) => rule.kind === 'vehicle_cap' || rule.kind === 'condition_cap')
    .map((rule) => ({ rule, truth: decided(rule, facts) }))
    .filter(({ truth }) => truth.applies)
    .map(
      ({ rule, truth }): Candidate => ({
        value: Number(rule.then.limit),
        rule,
        origin: 'cap',
        isUncertain: truth.wasUnknown,
      }),
    );
  const binding = lowest([...(base ? [base] : []), ...caps]);
  const advised = advisory ?? advisoryRule(inForce, facts);

  for (const candidate of [binding, base]) if (candidate?.isUncertain) degraded.add('unknown_condition');
  const isExpired = asOf > pack.manifest.valid.until;
  if (isExpired) degraded.add('expired');

  const chosen = binding ?? base;
  if (!chosen && !advised) return only('unknown_conservative', degraded);
  const value = chosen?.value ?? null;
  const deciding = chosen?.rule ?? advised?.rule ?? null;
  let legalAction: Evaluation['legalAction'] = value !== null ? 'obey_limit' : 'advise_max';
  if (value !== null && isExpired) legalAction = 'obey_limit_degraded';
  if (hasEnded) legalAction = 'limit_ended';
  if (isInactive) legalAction = 'condition_inactive';
  return {
    legalAction,
    value,
    advisory: value === null || legalAction === 'limit_ended' ? (advised?.value ?? null) : null,
    qualifier: chosen?.isUncertain && chosen.origin === 'sign' ? 'if_wet' : null,
    rules: [deciding, value === null && chosen?.rule && advised?.rule ? advised.rule : null].filter(
      (rule) => rule !== null,
    ),
    degraded: [...degraded].sort(),
    confidence: confidence(pack, deciding, degraded, asOf),
    alternatives: [...new Set(posted.map((candidate) => candidate.value))]
      .filter((other): other is number => other !== null && other !== value)
      .sort((a, b) => a - b),
  };
}

function only(
  legalAction: Evaluation['legalAction'],
  degraded: ReadonlySet<Evaluation['degraded'][number]>,
): Evaluation {
  const isKnown = legalAction === 'leave_lane';
  return {
    legalAction,
    value: null,
    advisory: null,
    qualifier: null,
    rules: [],
    degraded: isKnown ? [...degraded].sort() : (['missing', ...degraded].sort() as Evaluation['degraded']),
    confidence: isKnown ? paraphraseCap : 0.2,
    alternatives: [],
  };
}

function decided(
  rule: Rule,
  facts: ReadonlyMap<FactKey, FactValue>,
): { applies: boolean; wasUnknown: boolean } {
  const truth = evaluateCondition(rule.when, facts);
  if (truth !== 'unknown') return { applies: truth === 'true', wasUnknown: false };
  return { applies: rule.unknown_condition === 'assume_true', wasUnknown: true };
}

function firstMatch(
  rules: readonly Rule[],
  kind: Rule['kind'],
  facts: ReadonlyMap<FactKey, FactValue>,
): Rule | null {
  return rules.find((rule) => rule.kind === kind && evaluateCondition(rule.when, facts) === 'true') ?? null;
}

function fromSign(
  rules: readonly Rule[],
  facts: ReadonlyMap<FactKey, FactValue>,
  sign: PostedSign,
  origin: 'gantry' | 'sign',
): Candidate {
  const rule = firstMatch(rules, 'sign_effect', new Map([...facts, ['sign.code', sign.code]]));
  return { value: sign.value, rule, origin, isUncertain: false };
}

/** A plate under the sign: the rule that knows both says on which condition the sign holds. */
function plateTruth(rules: readonly Rule[], facts: ReadonlyMap<FactKey, FactValue>): Truth {
  if (!facts.has('plate.code')) return 'true';
  const rule = rules.find(
    (candidate) =>
      candidate.kind === 'sign_effect' &&
      candidate.then.only_if &&
      evaluateCondition(candidate.when, facts) === 'true',
  );
  return rule?.then.only_if ? evaluateCondition(rule.then.only_if, facts) : 'unknown';
}

/**
 * The default of the road. Where facts leave several defaults open (lit or not, separated or not), the lowest of
 * the open ones whose own policy takes the unknown for true.
 */
function defaultLimit(rules: readonly Rule[], facts: ReadonlyMap<FactKey, FactValue>): Candidate | null {
  const open = rules
    .filter((rule) => rule.kind === 'default_limit')
    .map((rule) => ({ rule, truth: decided(rule, facts) }))
    .filter(({ truth }) => truth.applies && (facts.has('road_class') || !truth.wasUnknown))
    .map(
      ({ rule, truth }): Candidate => ({
        value: typeof rule.then.limit === 'number' ? rule.then.limit : null,
        rule,
        origin: 'default',
        isUncertain: truth.wasUnknown,
      }),
    );
  return lowest(open) ?? open[0] ?? null;
}

function advisoryRule(rules: readonly Rule[], facts: ReadonlyMap<FactKey, FactValue>): Candidate | null {
  const rule = firstMatch(rules, 'advisory', facts);
  return rule ? { value: Number(rule.then.limit), rule, origin: 'default', isUncertain: false } : null;
}

function lowest(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    if (candidate.value !== null && (best?.value == null || candidate.value < best.value)) best = candidate;
  }
  return best;
}

function confidence(pack: Rulepack, rule: Rule | null, degraded: ReadonlySet<string>, asOf: string): number {
  let result: number = rule ? certaintyConfidence[rule.certainty] : observedOnlyConfidence;
  if (rule?.cite.some((citation) => pack.documents.get(citation.doc)?.head.text === 'paraphrase'))
    result = Math.min(result, paraphraseCap);
  if (degraded.has('unknown_condition')) result *= unknownConditionFactor;
  if (degraded.has('conflict')) result *= conflictFactor;
  if (degraded.has('expired'))
    result = Math.min(
      expiredCap,
      result * Math.max(0.3, 1 - 0.02 * daysBetween(pack.manifest.valid.until, asOf)),
    );
  return Math.round(result * 1000) / 1000;
}

/** Whole days between two ISO dates (proleptic Gregorian, days from the civil calendar). */
export function daysBetween(from: string, to: string): number {
  return dayNumber(to) - dayNumber(from);
}

function dayNumber(date: string): number {
  return Math.floor(
    Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / 86_400_000,
  );
}
