/** The rules of a jurisdiction on a day, sorted by kind once, because a tick asks again and again. */

import type { Rule } from '../format/rule-schema.js';
import type { Rulepack } from '../format/rulepack.js';
import type { RuleKind } from '../format/vocabulary.js';
import type { Jurisdiction } from './jurisdiction.js';

/** A rule with the pack it stands in. */
export interface RuleInForce {
  readonly rule: Rule;
  readonly pack: Rulepack;
  /** 0 = base; an overlay may tighten, and raise only what says so */
  readonly depth: number;
  readonly namesSign: boolean;
  readonly namesGantry: boolean;
  /** its plate is about water on the road */
  readonly isAboutWet: boolean;
}

export interface RulesInForce {
  readonly jurisdiction: Jurisdiction;
  readonly asOf: string;
  readonly byKind: Readonly<Record<RuleKind, readonly RuleInForce[]>>;
  /** every sign code that a rule of the packs knows */
  readonly knownSigns: ReadonlySet<string>;
  readonly hasGantryRules: boolean;
}

/** @param asOf ISO date; rules hold from `valid.from` to the day before `valid.until`, and only once commenced */
export function rulesInForce(jurisdiction: Jurisdiction, asOf: string): RulesInForce {
  const byKind: Record<RuleKind, RuleInForce[]> = {
    default_limit: [],
    vehicle_cap: [],
    condition_cap: [],
    sign_effect: [],
    end_sign: [],
    advisory: [],
    conduct: [],
  };
  const knownSigns = new Set<string>();
  let hasGantryRules = false;
  for (const [depth, pack] of jurisdiction.packs.entries()) {
    for (const rule of pack.rules) {
      const words = JSON.stringify(rule.when);
      for (const match of words.matchAll(/"sign\.code":"([^"]+)"/g)) knownSigns.add(match[1] ?? '');
      if (words.includes('"gantry.')) hasGantryRules = true;
      if (rule.status !== 'commenced' || asOf < rule.valid.from) continue;
      if (rule.valid.until !== undefined && asOf >= rule.valid.until) continue;
      byKind[rule.kind].push({
        rule,
        pack,
        depth,
        namesSign: words.includes('"sign.code"'),
        namesGantry: words.includes('"gantry.face"'),
        isAboutWet: /"road_surface"|"precipitation"/.test(JSON.stringify(rule.then.only_if ?? {})),
      });
    }
  }
  return { jurisdiction, asOf, byKind, knownSigns, hasGantryRules };
}
