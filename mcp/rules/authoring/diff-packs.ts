/** What changes for a driver between two versions of a pack: limits by road, vehicle and condition; rules; documents. */
import { isDeepStrictEqual } from 'node:util';
import { compareLimits, type LimitChange } from '../evaluate/limit-matrix.js';
import type { RulesInForce } from '../evaluate/rules-in-force.js';
import type { PackDocument, Rulepack } from '../format/rulepack.js';
import { type RulepackSet, rulesOf } from '../rules-expert.js';

export interface NamedChange {
  readonly id: string;
  readonly change: 'added' | 'removed' | 'changed';
}

export interface PackDifference {
  readonly limits: readonly LimitChange[];
  readonly compared: number;
  readonly rules: readonly NamedChange[];
  readonly documents: readonly NamedChange[];
}

/** A pack among those that it is answered with, and the day for which it is asked. */
export interface PackSide {
  readonly pack: Rulepack;
  readonly packs: RulepackSet;
  readonly asOf: string;
}

export function diffPacks(before: PackSide, after: PackSide): PackDifference {
  const { limits, compared } = compareLimits(limitsOf(before), limitsOf(after));
  return {
    limits,
    compared,
    rules: changes(
      new Map(before.pack.rules.map((rule) => [rule.id, rule])),
      new Map(after.pack.rules.map((rule) => [rule.id, rule])),
    ),
    documents: changes(documentsOf(before.pack), documentsOf(after.pack)),
  };
}

const limitsOf = ({ pack, packs, asOf }: PackSide): RulesInForce | null =>
  rulesOf(packs, pack.manifest.id, asOf);

function documentsOf({ documents }: Rulepack): ReadonlyMap<string, unknown> {
  const parts = ({ head, body }: PackDocument): unknown => ({ head, body });
  return new Map([...documents].map(([id, versions]) => [id, versions.map(parts)]));
}

function changes(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): NamedChange[] {
  const found: NamedChange[] = [];
  for (const id of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    if (!before.has(id)) found.push({ id, change: 'added' });
    else if (!after.has(id)) found.push({ id, change: 'removed' });
    else if (!isDeepStrictEqual(before.get(id), after.get(id))) found.push({ id, change: 'changed' });
  }
  return found;
}
