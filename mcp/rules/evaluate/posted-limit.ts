/** What signs and gantries do to the limit: candidates, ends, inactive plates, and orders for the lane. */
import type { FactKey, Facts, FactValue, LegalAction } from '../format/vocabulary.js';
import { type Candidate, limitValue, lowest } from './candidate.js';
import { evaluateCondition } from './conditions.js';
import type { FlatContext } from './flat-context.js';
import { facesForLane, type GantryFace, isShownValue, readGantry, readSign } from './posted.js';
import type { RuleInForce, RulesInForce } from './rules-in-force.js';

export interface Posted {
  readonly limits: readonly Candidate[];
  readonly advisory: Candidate | null;
  /** an order about the lane itself: leave it, change it */
  readonly order: RuleInForce | null;
  /** a rule of conduct that the sign calls up */
  readonly conduct: RuleInForce | null;
  /** the rule by which a posted limit ended */
  readonly ended: RuleInForce | null;
  /** the plate's condition is false */
  readonly inactive: { readonly by: RuleInForce; readonly action: LegalAction } | null;
  /** something posted could not be read or is not known to the packs */
  readonly isUnreadable: boolean;
}

export function postedLimits(rules: RulesInForce, context: FlatContext, facts: Facts): Posted {
  const sign = context.sign === undefined ? nothing : readPostedSign(rules, context.sign, facts);
  const gantry =
    context.gantry === undefined
      ? nothing
      : readPostedGantry(rules, context.gantry, context.lane_from_verge, facts);
  return {
    limits: [...gantry.limits, ...sign.limits],
    advisory: gantry.advisory ?? sign.advisory,
    order: gantry.order,
    conduct: gantry.conduct ?? sign.conduct,
    // A gantry that ends its limits leaves a fixed sign in force, and the other way round.
    ended:
      gantry.limits.length + sign.limits.length > 0 && !gantry.ended ? null : (gantry.ended ?? sign.ended),
    // A face that does not concern this vehicle says nothing about a sign that does.
    inactive: sign.inactive ?? (sign.limits.length === 0 ? gantry.inactive : null),
    isUnreadable: sign.isUnreadable || gantry.isUnreadable,
  };
}

const nothing: Posted = {
  limits: [],
  advisory: null,
  order: null,
  conduct: null,
  ended: null,
  inactive: null,
  isUnreadable: false,
};

function withFact(facts: Facts, entries: readonly [FactKey, FactValue | null][]): Facts {
  return new Map([...facts, ...entries.filter((entry): entry is [FactKey, FactValue] => entry[1] !== null)]);
}

function readPostedSign(rules: RulesInForce, text: string, facts: Facts): Posted {
  const sign = readSign(text, rules.knownSigns);
  if (sign === null) return { ...nothing, isUnreadable: true };
  const isForeign = !rules.knownSigns.has(sign.code);
  // A foreign sign may be in km/h in a country of miles.
  if (sign.value !== null && !isShownValue(sign.value, isForeign ? 'km/h' : unitOf(rules)))
    return { ...nothing, isUnreadable: true };
  if (isForeign) return foreignSign(rules, sign.value);
  const own = withFact(facts, [
    ['sign.code', sign.code],
    ['sign.value', sign.value],
  ]);
  const holds = (one: RuleInForce): boolean => evaluateCondition(one.rule.when, own) === 'true';
  const ended = rules.byKind.end_sign.find(holds) ?? null;
  // Called up by this sign: a rule that would hold under another sign as well is not about it.
  const other = withFact(own, [['sign.code', 'another']]);
  const isCalled = (one: RuleInForce): boolean =>
    one.namesSign && holds(one) && evaluateCondition(one.rule.when, other) !== 'true';
  const conduct = rules.byKind.conduct.find(isCalled) ?? null;
  const advisory = rules.byKind.advisory.filter((one) => one.namesSign && holds(one));
  // What a gantry shows is read with the gantry: its rules say nothing about a fixed sign beside it.
  const isOfSign = (one: RuleInForce): boolean => one.namesSign || !one.namesGantry;
  const effects = rules.byKind.sign_effect.filter((one) => isOfSign(one) && holds(one));
  const plated = effects.filter((one) => one.rule.then.only_if !== undefined);
  const base = {
    ...nothing,
    ended,
    conduct,
    advisory: lowest(advisory.map((one) => candidate(one, sign.value, 'advisory'))),
  };
  if (plated.length > 0) return { ...base, ...byPlate(plated, effects, sign.value, own) };
  const isPlateUnknown = facts.has('plate.code') && effects.length > 0;
  const limits = effects
    .map((one) => ({
      ...candidate(one, sign.value, 'sign'),
      isUncertain: isPlateUnknown,
      unsureOf: isPlateUnknown ? ('other' as const) : null,
    }))
    .filter(({ value }) => value !== undefined);
  return { ...base, limits: limits.filter(isGiven) };
}

/** A plate under the sign says on which condition the sign holds. */
function byPlate(
  plated: readonly RuleInForce[],
  effects: readonly RuleInForce[],
  value: number | null,
  facts: Facts,
): Partial<Posted> {
  for (const one of plated) {
    const condition = one.rule.then.only_if;
    if (condition === undefined) continue;
    const truth = evaluateCondition(condition, facts);
    const isUnsure = truth === 'unknown';
    if (truth === 'false' || (isUnsure && one.rule.unknown_condition === 'assume_false')) {
      return { limits: [], inactive: { by: one, action: one.rule.then.otherwise ?? 'condition_inactive' } };
    }
    const limits = [one, ...effects.filter((other) => other !== one && other.rule.then.only_if === undefined)]
      .map((rule) => ({
        ...candidate(rule, value, 'sign'),
        isUncertain: isUnsure,
        unsureOf: isUnsure ? (one.isAboutWet ? ('wet' as const) : ('other' as const)) : null,
      }))
      .filter(isGiven);
    return { limits };
  }
  return {};
}

/**
 * A sign that no rule of this country knows: its value may be in either unit, so the slower reading counts. A mark of a
 * foreign catalogue without a value says nothing about the limit.
 */
function foreignSign(rules: RulesInForce, value: number | null): Posted {
  if (value === null) return { ...nothing, isUnreadable: true };
  const slower = unitOf(rules) === 'mph' ? Math.floor(value / 1.609344) : value;
  return {
    ...nothing,
    limits: [{ value: slower, source: null, origin: 'sign', isUncertain: true, unsureOf: 'unit' }],
  };
}

const unitOf = ({ jurisdiction }: RulesInForce): 'km/h' | 'mph' =>
  jurisdiction.packs[0]?.manifest.units.speed ?? 'km/h';

function readPostedGantry(rules: RulesInForce, text: string, lane: number | undefined, facts: Facts): Posted {
  const faces = facesForLane(readGantry(text), lane);
  const read = faces.map((face) => readFace(rules, face, facts));
  if (read.length === 1) return read[0] ?? nothing;
  // The lane is unknown: the lowest of what binds anywhere, an order only where every lane has it.
  const limits = read.flatMap((one) => one.limits);
  const best = lowest(limits);
  const isSame =
    limits.every(({ value }) => value === best?.value) && read.every((one) => one.limits.length > 0);
  return {
    ...nothing,
    limits: best === null ? [] : [{ ...best, isUncertain: !isSame, unsureOf: isSame ? null : 'other' }],
    order: read.every((one) => one.order !== null) ? (read[0]?.order ?? null) : null,
    ended: read.every((one) => one.ended !== null) ? (read[0]?.ended ?? null) : null,
    inactive: read.every((one) => one.inactive !== null) ? (read[0]?.inactive ?? null) : null,
    advisory: lowest(read.flatMap((one) => one.advisory ?? [])),
    isUnreadable: read.some((one) => one.isUnreadable),
  };
}

function readFace(rules: RulesInForce, face: GantryFace, facts: Facts): Posted {
  const isShown = face.value === null || isShownValue(face.value, unitOf(rules));
  if (face.kind === null || !isShown) return { ...nothing, isUnreadable: true };
  const own = withFact(facts, [
    ['gantry.face', face.kind],
    ['gantry.value', face.value],
    ['sign.value', face.value],
  ]);
  const holds = (one: RuleInForce): boolean =>
    one.namesGantry && evaluateCondition(one.rule.when, own) === 'true';
  const order = rules.byKind.conduct.find(holds) ?? null;
  if (order) return { ...nothing, order };
  const ended = rules.byKind.end_sign.find(holds) ?? null;
  const advisory = lowest(
    rules.byKind.advisory.filter(holds).map((one) => candidate(one, face.value, 'advisory')),
  );
  const effects = rules.byKind.sign_effect.filter(holds);
  const plated = effects.filter((one) => one.rule.then.only_if !== undefined);
  if (plated.length > 0) return { ...nothing, ...byPlate(plated, effects, face.value, own) };
  const limits = effects.map((one) => candidate(one, face.value, 'gantry')).filter(isGiven);
  if (limits.length > 0 || ended || advisory || face.kind === 'blank')
    return { ...nothing, limits, ended, advisory };
  if (face.value === null) return { ...nothing, isUnreadable: true };
  // No rule here knows gantries: what is shown is an observation that binds until somebody knows better.
  return {
    ...nothing,
    limits: [{ value: face.value, source: null, origin: 'gantry', isUncertain: true, unsureOf: 'other' }],
  };
}

type Reading = Omit<Candidate, 'value'> & { readonly value: number | null | undefined };
const isGiven = (reading: Reading): reading is Candidate => reading.value !== undefined;

function candidate(source: RuleInForce, signValue: number | null, origin: Candidate['origin']): Candidate {
  return {
    value: limitValue(source, signValue) as number | null,
    source,
    origin,
    isUncertain: false,
    unsureOf: null,
  };
}
