import type { ConditionData } from '../trigger-schema.js';
import type { Alternatives } from './read-trigger.js';

export interface When {
  readonly at_s: number;
  readonly when_ego_within_m?: number;
  readonly when?: unknown;
}

/**
 * A trigger in a scenario file's words: a time and the nearness of the ego have words of their own, where nothing else is said.
 * `self` is the name of whose trigger it is.
 */
export function whenOf(alternatives: Alternatives, self: string | null = null): When {
  const named = alternatives.map((all) => all.map((one) => withSelf(one, self)));
  const [only, ...others] = named;
  if (only === undefined || others.length > 0) return { at_s: 0, when: named };
  const times = only.flatMap((one) => ('from_s' in one ? [one.from_s] : []));
  const rest = only.filter((one) => !('from_s' in one));
  const at_s = Math.max(0, ...times);
  if (rest.length === 0) return { at_s };
  const [one] = rest;
  if (rest.length === 1 && one !== undefined && isEgoNear(one))
    return { at_s, when_ego_within_m: one.distance_below_m };
  return { at_s, when: rest };
}

type Near = Extract<ConditionData, { distance_below_m: number }>;

function isEgoNear(one: ConditionData): one is Near {
  if (!('distance_below_m' in one) || one.along !== 'straight' || one.freespace) return false;
  const pair = [one.of, one.to];
  return pair.includes('self') && pair.includes('ego') && one.distance_below_m <= 1000;
}

function withSelf(one: ConditionData, self: string | null): ConditionData {
  if (self === null || !('of' in one)) return one;
  const of = one.of === self ? 'self' : one.of;
  return 'to' in one && one.to === self ? { ...one, of, to: 'self' } : { ...one, of };
}
