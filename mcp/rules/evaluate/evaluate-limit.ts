/**
 * Which limit holds: base := posted sign, else default of the road; limit := min(base, caps); an advisory value apart.
 *
 * Deterministic and pure. No number comes from anywhere but a rule or the sign; what is not known leads to the lower
 * answer where the rule says so (`unknown_condition`), and every doubt is named in `degraded`.
 */
import type { Facts, LegalAction } from '../format/vocabulary.js';
import { applies, type Candidate, limitValue, lowest } from './candidate.js';
import { confidenceOf, type Degradation } from './confidence.js';
import { type FlatContext, factsOf, isKnownRoad } from './flat-context.js';
import { type Posted, postedLimits } from './posted-limit.js';
import type { RuleInForce, RulesInForce } from './rules-in-force.js';

export interface Evaluation {
  readonly legalAction: LegalAction;
  /** in the pack's unit; null = no limit is known to hold */
  readonly value: number | null;
  readonly advisory: number | null;
  readonly qualifier: 'walking_pace' | 'if_wet' | 'conservative_unit' | null;
  readonly nature: 'absolute' | 'prima_facie' | 'basic';
  /** what it rests on, the deciding rule first */
  readonly rules: readonly RuleInForce[];
  readonly degraded: readonly Degradation[];
  readonly confidence: number;
  /** other readings of what is posted or due, lowest first */
  readonly alternatives: readonly number[];
}

export function evaluateLimit(rules: RulesInForce, context: FlatContext): Evaluation {
  const facts = factsOf(context, rules.jurisdiction.nation, rules.knownSigns);
  const posted = postedLimits(rules, context, facts);
  if (posted.order !== null) return ordered(rules, context, posted.order);
  const degraded = new Set<Degradation>(posted.isUnreadable ? ['unknown_condition'] : []);

  const base = baseOf(posted, rules, facts);
  if (isContradictory(posted)) degraded.add('conflict');
  // Of a road that is not known nothing but what holds on every road is known: a cap that may not hold is no limit there.
  const caps = [...rules.byKind.vehicle_cap, ...rules.byKind.condition_cap]
    .flatMap((one) => capOf(one, facts))
    .filter(({ isUncertain }) => base !== null || !isUncertain);
  const binding = lowest([...(base === null ? [] : [base]), ...caps]);
  const advised = posted.advisory ?? advisoryLimit(rules, facts);

  for (const one of [binding, base])
    if (one?.isUncertain) degraded.add(one.unsureOf === 'unit' ? 'unit' : 'unknown_condition');
  if (rules.jurisdiction.isPartUnknown && binding !== null && (binding.source?.depth ?? 0) > 0)
    degraded.add('unknown_condition');

  const chosen = binding ?? base;
  const value = chosen?.value ?? null;
  if (chosen === null && advised === null && posted.ended === null) {
    return { ...unknown, degraded: sorted(degraded.add('unknown_condition')) };
  }
  const state = confidenceOf(rules, chosen?.source ?? advised?.source ?? null, degraded, context.pack_state);
  const isAdvised = advised?.value != null && (value === null || advised.value < value);
  return {
    legalAction: actionOf(posted, chosen, value, isAdvised, state.degraded),
    value,
    advisory: isAdvised ? advised.value : null,
    qualifier: qualifierOf(chosen),
    nature: natureOf(chosen),
    rules: [
      chosen?.source ?? null,
      posted.conduct,
      posted.ended,
      posted.inactive?.by ?? null,
      isAdvised ? advised.source : null,
    ].filter((one, i, all) => one !== null && all.indexOf(one) === i) as RuleInForce[],
    degraded: sorted(new Set(state.degraded)),
    confidence: state.confidence,
    alternatives: [...new Set(posted.limits.map((one) => one.value))]
      .filter((other): other is number => other !== null && other !== value)
      .sort((a, b) => a - b),
  };
}

const unknown: Evaluation = {
  legalAction: 'unknown_conservative',
  value: null,
  advisory: null,
  qualifier: null,
  nature: 'absolute',
  rules: [],
  degraded: [],
  confidence: 0.2,
  alternatives: [],
};

const sorted = (degraded: ReadonlySet<Degradation>): Degradation[] => [...degraded].sort();

/** An order about the own lane comes before any number: there is nothing to drive at in it. */
function ordered(rules: RulesInForce, context: FlatContext, order: RuleInForce): Evaluation {
  const { confidence, degraded } = confidenceOf(rules, order, new Set(), context.pack_state);
  const legalAction = order.rule.then.legal_action ?? 'leave_lane';
  return { ...unknown, legalAction, rules: [order], confidence, degraded: sorted(new Set(degraded)) };
}

/**
 * What is posted, else the default of the road. A sign that may not hold (a plate that nobody knows, hours that are not
 * said) never lifts the limit above the default that holds without it.
 */
function baseOf(posted: Posted, rules: RulesInForce, facts: Facts): Candidate | null {
  const shown = lowest(posted.limits);
  if (shown === null) return defaultLimit(rules, facts);
  if (!shown.isUncertain) return shown;
  const general = defaultLimit(rules, facts);
  return general === null ? shown : lowest([shown, general]);
}

/** Sign and gantry at odds; several rules about one sign are not. */
function isContradictory({ limits }: Posted): boolean {
  const [sign, gantry] = (['sign', 'gantry'] as const).map((origin) =>
    lowest(limits.filter((one) => one.origin === origin)),
  );
  return sign != null && gantry != null && sign.value !== gantry.value;
}

/**
 * The default of the road. Where facts leave several defaults open (lit or not, separated or not), the lowest of those
 * that hold or whose own policy takes the unknown for true.
 */
function defaultLimit(rules: RulesInForce, facts: Facts): Candidate | null {
  const open = rules.byKind.default_limit.flatMap((source): Candidate[] => {
    const { holds, wasUnknown } = applies(source, facts);
    if (!holds || (wasUnknown && !isKnownRoad(facts))) return [];
    const value = limitValue(source, null);
    return value === undefined
      ? []
      : [
          {
            value,
            source,
            origin: 'default',
            isUncertain: wasUnknown,
            unsureOf: wasUnknown ? 'other' : null,
          },
        ];
  });
  const sure = open.filter(({ isUncertain }) => !isUncertain);
  const base = lowest(open) ?? open[0] ?? null;
  // In which part we are is not known: what one of them raises holds in the others no more than it did.
  const raised = sure.filter(
    ({ source, value }) =>
      source !== null &&
      source.depth > 0 &&
      !rules.jurisdiction.perhaps.has(source.pack) &&
      value !== null &&
      mayRaise(open, value),
  );
  return lowest(raised) ?? base;
}

/** An overlay raises a default only where each lower rule of the base says that it may, and up to what. */
function mayRaise(open: readonly Candidate[], value: number): boolean {
  const lower = open.filter((one) => one.value !== null && one.value < value);
  return lower.length > 0 && lower.every(({ source }) => (source?.rule.raisable?.max ?? 0) >= value);
}

function capOf(source: RuleInForce, facts: Facts): Candidate[] {
  const { holds, wasUnknown } = applies(source, facts);
  const value = limitValue(source, null);
  if (!holds || value === undefined) return [];
  return [{ value, source, origin: 'cap', isUncertain: wasUnknown, unsureOf: wasUnknown ? 'other' : null }];
}

function advisoryLimit(rules: RulesInForce, facts: Facts): Candidate | null {
  const found = rules.byKind.advisory
    .filter((one) => !one.namesSign && !one.namesGantry)
    .flatMap((source): Candidate[] => {
      const { holds, wasUnknown } = applies(source, facts);
      const value = limitValue(source, null);
      if (!holds || value === undefined || (wasUnknown && !isKnownRoad(facts))) return [];
      return [{ value, source, origin: 'advisory', isUncertain: wasUnknown, unsureOf: null }];
    });
  return lowest(found);
}

function actionOf(
  posted: Posted,
  chosen: Candidate | null,
  value: number | null,
  isAdvised: boolean,
  degraded: readonly Degradation[],
): LegalAction {
  if (posted.conduct !== null) return posted.conduct.rule.then.legal_action ?? 'explain_sign';
  if (posted.inactive !== null) return posted.inactive.action;
  if (posted.ended !== null) return 'limit_ended';
  if (chosen?.unsureOf === 'unit') return 'unknown_conservative';
  if (chosen?.source?.rule.then.qualifier === 'walking_pace') return 'slow_walking_pace';
  if (value !== null) return degraded.includes('expired') ? 'obey_limit_degraded' : 'obey_limit';
  return isAdvised ? 'advise_max' : 'reduce_speed_no_statutory_number';
}

function qualifierOf(chosen: Candidate | null): Evaluation['qualifier'] {
  if (chosen?.unsureOf === 'wet') return 'if_wet';
  if (chosen?.unsureOf === 'unit') return 'conservative_unit';
  return chosen?.source?.rule.then.qualifier ?? null;
}

function natureOf(chosen: Candidate | null): Evaluation['nature'] {
  const limit = chosen?.source?.rule.then.limit;
  return (limit && 'nature' in limit ? limit.nature : undefined) ?? 'absolute';
}
