import type { FactValue } from './flat-context.js';
import type { Condition, FactKey, FactTest } from './pack-format.js';

/** Kleene's three values. */
export type Truth = 'true' | 'false' | 'unknown';

/** Strong Kleene logic: false decides an `all`, true decides an `any`, unknown otherwise spreads. */
export function evaluateCondition(condition: Condition, facts: ReadonlyMap<FactKey, FactValue>): Truth {
  if ('all' in condition) return fold(condition.all, facts, 'false', 'true');
  if ('any' in condition) return fold(condition.any, facts, 'true', 'false');
  if ('not' in condition) {
    const inner = evaluateCondition(condition.not, facts);
    return inner === 'unknown' ? 'unknown' : inner === 'true' ? 'false' : 'true';
  }
  const [key, test] = Object.entries(condition)[0] as [FactKey, FactTest];
  const value = facts.get(key);
  if (value === undefined) return 'unknown';
  return passes(test, value) ? 'true' : 'false';
}

function fold(
  parts: readonly Condition[],
  facts: ReadonlyMap<FactKey, FactValue>,
  decisive: Truth,
  neutral: Truth,
): Truth {
  let result = neutral;
  for (const part of parts) {
    const truth = evaluateCondition(part, facts);
    if (truth === decisive) return decisive;
    if (truth === 'unknown') result = 'unknown';
  }
  return result;
}

function passes(test: FactTest, value: FactValue): boolean {
  if (typeof test !== 'object') return test === value;
  if (typeof value !== 'number') return false;
  if ('lt' in test) return value < test.lt;
  if ('lte' in test) return value <= test.lte;
  if ('gt' in test) return value > test.gt;
  return value >= test.gte;
}
