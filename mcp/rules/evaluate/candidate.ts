/** A limit that may bind, and where it comes from. */
import type { Facts } from '../format/vocabulary.js';
import { evaluateCondition } from './conditions.js';
import type { RuleInForce } from './rules-in-force.js';

export interface Candidate {
  /** in the pack's unit; null = this rule says that there is no limit */
  readonly value: number | null;
  /** null: seen at the roadside, but no rule of the packs knows it */
  readonly source: RuleInForce | null;
  readonly origin: 'gantry' | 'sign' | 'default' | 'cap' | 'advisory';
  /** something it rests on is not known */
  readonly isUncertain: boolean;
  readonly unsureOf: 'wet' | 'unit' | 'other' | null;
}

/** What the rule says where its condition is unknown is its own policy. */
export function applies(
  { rule }: RuleInForce,
  facts: Facts,
): { readonly holds: boolean; readonly wasUnknown: boolean } {
  const truth = evaluateCondition(rule.when, facts);
  if (truth !== 'unknown') return { holds: truth === 'true', wasUnknown: false };
  return { holds: rule.unknown_condition === 'assume_true', wasUnknown: true };
}

/** The value a rule gives: its number, that of the sign, or null for no limit; undefined where the sign shows none. */
export function limitValue({ rule }: RuleInForce, signValue: number | null): number | null | undefined {
  const { limit } = rule.then;
  if (limit === undefined) return undefined;
  if ('value' in limit) return limit.value;
  if ('none' in limit) return null;
  return signValue ?? undefined;
}

/** The lowest number; where none has one, null. Of equals the surest, then the first. */
export function lowest(candidates: readonly Candidate[]): Candidate | null {
  let best: Candidate | null = null;
  for (const candidate of candidates) {
    if (candidate.value === null) continue;
    if (best?.value == null || candidate.value < best.value) best = candidate;
    else if (candidate.value === best.value && best.isUncertain && !candidate.isUncertain) best = candidate;
  }
  return best;
}
