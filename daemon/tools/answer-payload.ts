import { isWellFormed } from '../core/canonical.js';
import type { JsonObject, JsonValue } from '../core/tick.js';

/** Deeper nesting is no answer of an expert. */
const maxDepth = 16;

export type CheckedPayload =
  | { readonly ok: true; readonly payload: JsonObject }
  | { readonly ok: false; readonly reason: string };

/**
 * Takes what an expert returned only if it is a plain JSON object of finite numbers, well-formed strings and
 * bounded size and depth. The result is a copy, so the expert cannot change it later, and holds no −0, so a
 * recording gives back exactly what was decided on.
 *
 * @param maxBytes bound on the JSON text, counted in UTF-16 units while copying
 */
export function checkPayload(value: unknown, maxBytes: number): CheckedPayload {
  const budget = { left: maxBytes };
  try {
    if (!isPlainObject(value)) return { ok: false, reason: 'not an object' };
    return { ok: true, payload: copy(value, budget, 0) as JsonObject };
  } catch (error) {
    // A hostile object may throw from a getter or a proxy trap: that, too, is only a bad payload.
    return { ok: false, reason: error instanceof Unfit ? error.message : 'cannot be read' };
  }
}

/** What came is no answer: it counts as discarded, and its text says why. */
export class UnfitAnswer extends Error {}

class Unfit extends Error {}

function copy(value: unknown, budget: { left: number }, depth: number): JsonValue {
  if (depth > maxDepth) throw new Unfit('nested too deeply');
  spend(budget, 1);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Unfit('a number is not finite');
    spend(budget, 8);
    return value === 0 ? 0 : value;
  }
  if (typeof value === 'string') {
    spend(budget, value.length);
    if (!isWellFormed(value)) throw new Unfit('a string is not well-formed');
    return value;
  }
  if (Array.isArray(value)) {
    spend(budget, value.length);
    return value.map((item: unknown) => copy(item, budget, depth + 1));
  }
  if (!isPlainObject(value)) throw new Unfit(`a ${typeof value} is not JSON`);
  const result: Record<string, JsonValue> = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    if (key === '__proto__' || !isWellFormed(key)) throw new Unfit('a key is not allowed');
    spend(budget, key.length);
    result[key] = copy(member, budget, depth + 1);
  }
  return result;
}

function spend(budget: { left: number }, bytes: number): void {
  budget.left -= bytes;
  if (budget.left < 0) throw new Unfit('too large');
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
