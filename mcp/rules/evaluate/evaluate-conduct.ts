/** What a rule of conduct asks of the driver in a situation: priority, gaps, lights, corridors. */
import type { ConductTopic } from '../format/vocabulary.js';
import { applies } from './candidate.js';
import { confidenceOf, type Degradation } from './confidence.js';
import { type FlatContext, factsOf } from './flat-context.js';
import type { RuleInForce, RulesInForce } from './rules-in-force.js';

export interface ConductAnswer {
  readonly rule: RuleInForce;
  readonly confidence: number;
  readonly degraded: readonly Degradation[];
}

/**
 * The rule about a topic: one whose condition is known to hold before one that only its policy lets hold; of several the
 * most specific (the most facts tested). Null where the packs say nothing.
 */
export function evaluateConduct(
  rules: RulesInForce,
  topic: ConductTopic,
  context: FlatContext,
): ConductAnswer | null {
  const facts = factsOf(context, rules.jurisdiction.nation, rules.knownSigns);
  const found = rules.byKind.conduct
    .filter(({ rule }) => rule.topic === topic)
    .map((one) => ({ one, ...applies(one, facts) }))
    .filter(({ holds }) => holds)
    .sort(
      (a, b) =>
        Number(a.wasUnknown) - Number(b.wasUnknown) ||
        b.one.depth - a.one.depth ||
        tests(b.one) - tests(a.one),
    );
  const best = found[0];
  if (!best) return null;
  const doubt = new Set<Degradation>(best.wasUnknown ? ['unknown_condition'] : []);
  return { rule: best.one, ...confidenceOf(rules, best.one, doubt, context.pack_state) };
}

function tests({ rule }: RuleInForce): number {
  return (JSON.stringify(rule.when).match(/"[a-z_.]+":(?:"|\d|true|false|\{"(?:lt|gt|be))/g) ?? []).length;
}
