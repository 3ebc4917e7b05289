/** Whether an answered limit is the expected one, and whether it would let somebody drive faster. */
import type { JsonObject } from '../../../daemon/core/tick.js';
import type { ExpectedLimit } from './gold-queries.js';

/** Limit and advisory value in one field, as questions expect it. */
export interface AnsweredLimit {
  readonly value: number;
  readonly unit: 'km/h' | 'mph';
  readonly kind: 'mandatory' | 'advisory';
  readonly qualifier?: string;
}

/** @param answer as `rules limit` and `rules ask` print it */
export function limitOf(answer: JsonObject): AnsweredLimit | null {
  const limit = answer['limit'] as { value: number; unit: 'km/h' | 'mph' } | null;
  const advisory = answer['advisory'] as { value: number; unit: 'km/h' | 'mph' } | null;
  const chosen = limit ?? advisory;
  if (!chosen) return null;
  const { qualifier } = answer;
  return {
    value: chosen.value,
    unit: chosen.unit,
    kind: limit ? 'mandatory' : 'advisory',
    ...(limit && typeof qualifier === 'string' ? { qualifier } : {}),
  };
}

export function isSameLimit(answered: AnsweredLimit | null, expected: ExpectedLimit | null): boolean {
  if (answered === null || expected === null) return answered === expected;
  return (
    answered.value === expected.value && answered.unit === expected.unit && answered.kind === expected.kind
  );
}

/** 1 mph = 0.44704 m/s exactly. */
const metresPerSecond = { 'km/h': 1 / 3.6, mph: 0.44704 } as const;

/** An answer above what is right: the error that may hurt somebody. */
export function isUnsafe(answered: AnsweredLimit | null, expected: ExpectedLimit | null): boolean {
  if (answered === null || expected === null) return false;
  const excess =
    answered.value * metresPerSecond[answered.unit] - expected.value * metresPerSecond[expected.unit];
  return excess > 1e-9;
}
