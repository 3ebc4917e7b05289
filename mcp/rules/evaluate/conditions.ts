import type { Condition, FactTest } from '../format/rule-schema.js';
import type { FactKey, Facts, FactValue, TimeOfWeek } from '../format/vocabulary.js';

/** Kleene's three values. */
export type Truth = 'true' | 'false' | 'unknown';

/** Strong Kleene logic: false decides an `all`, true decides an `any`, unknown otherwise spreads. */
export function evaluateCondition(condition: Condition, facts: Facts): Truth {
  if ('all' in condition) return fold(condition.all, facts, 'false', 'true');
  if ('any' in condition) return fold(condition.any, facts, 'true', 'false');
  if ('not' in condition) {
    const inner = evaluateCondition(condition.not, facts);
    return inner === 'unknown' ? 'unknown' : inner === 'true' ? 'false' : 'true';
  }
  for (const key in condition) {
    const value = facts.get(key as FactKey);
    return value === undefined ? 'unknown' : passes(condition[key as FactKey] as FactTest, value);
  }
  return 'unknown';
}

function fold(parts: readonly Condition[], facts: Facts, decisive: Truth, neutral: Truth): Truth {
  let result = neutral;
  for (const part of parts) {
    const truth = evaluateCondition(part, facts);
    if (truth === decisive) return decisive;
    if (truth === 'unknown') result = 'unknown';
  }
  return result;
}

function passes(test: FactTest, value: FactValue): Truth {
  if (typeof test !== 'object') return test === value ? 'true' : 'false';
  if ('between' in test) return typeof value === 'object' ? isWithin(test, value) : 'false';
  if (typeof value !== 'number') return 'false';
  const holds =
    'lt' in test
      ? value < test.lt
      : 'lte' in test
        ? value <= test.lte
        : 'gt' in test
          ? value > test.gt
          : value >= test.gte;
  return holds ? 'true' : 'false';
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Hours of days; where they wrap midnight, the hours after it belong to the day on which they began. */
function isWithin(
  test: {
    readonly between: readonly [string, string];
    readonly days?: readonly (typeof days)[number][] | undefined;
  },
  { minute, day }: TimeOfWeek,
): Truth {
  const [from, to] = [minuteOf(test.between[0]), minuteOf(test.between[1])];
  const wraps = to <= from;
  const isInHours = wraps ? minute >= from || minute < to : minute >= from && minute < to;
  if (!isInHours) return 'false';
  if (test.days === undefined) return 'true';
  if (day === null) return 'unknown';
  const began = wraps && minute < to ? (day + 6) % 7 : day;
  const name = days[began];
  return name !== undefined && test.days.includes(name) ? 'true' : 'false';
}

function minuteOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));
}
