/**
 * The mutation check: every number in the rules, changed by 10 up and down, must redden a test. A number that can change
 * unnoticed is a number that nobody has tested.
 */

import { type Rule, ruleSchema } from '../format/rule-schema.js';
import type { Rulepack } from '../format/rulepack.js';
import type { RulepackSet } from '../rules-expert.js';
import { type PackTests, runConductTest, runLimitTest } from './pack-tests.js';

export interface Survivor {
  readonly rule: string;
  /** `then.limit.value` */
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export interface MutationReport {
  readonly mutants: number;
  readonly survivors: readonly Survivor[];
}

const step = 10;

/** @param packs all packs, among them this one */
export function mutatePack(pack: Rulepack, packs: RulepackSet, tests: PackTests): MutationReport {
  const survivors: Survivor[] = [];
  let mutants = 0;
  for (const [i, rule] of pack.rules.entries()) {
    const numbers = [...numbersIn(rule.when, ['when']), ...numbersIn(rule.then, ['then'])];
    for (const { path, value } of numbers) {
      for (const to of [value - step, value + step]) {
        const mutant = ruleSchema.safeParse(withValue(rule, path, to)).data;
        // A value that the format refuses (a limit of -3) cannot come into a pack.
        if (!mutant) continue;
        mutants++;
        const changed = { ...pack, rules: pack.rules.with(i, mutant) };
        const world = new Map([...packs, [pack.manifest.id, changed]]);
        if (!reddens(changed, world, tests, rule.id)) {
          survivors.push({ rule: rule.id, key: path.join('.'), from: value, to });
        }
      }
    }
  }
  return { mutants, survivors };
}

function reddens(pack: Rulepack, packs: RulepackSet, tests: PackTests, ruleId: string): boolean {
  // Its own tests first: they are where a change shows.
  for (const isOwn of [true, false]) {
    for (const test of tests.limits) {
      if ((test.rule === ruleId) === isOwn && !runLimitTest(pack, packs, test, 0).isGreen) return true;
    }
    for (const test of tests.conduct) {
      if ((test.rule === ruleId) === isOwn && !runConductTest(pack, packs, test, 0).isGreen) return true;
    }
  }
  return false;
}

interface NumberAt {
  readonly path: readonly string[];
  readonly value: number;
}

function numbersIn(value: unknown, path: readonly string[] = []): NumberAt[] {
  if (typeof value === 'number') return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => numbersIn(member, [...path, key]));
}

function withValue(rule: Rule, path: readonly string[], value: number): unknown {
  const copy: unknown = structuredClone(rule);
  let at = copy as Record<string, unknown>;
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
  const last = path.at(-1);
  if (last !== undefined) at[last] = value;
  return copy;
}
