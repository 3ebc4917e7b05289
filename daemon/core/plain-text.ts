import { isWellFormed } from './canonical.js';

/** A text from outside as records may hold it: well-formed and short; anything else is absent. */
export function plainText(value: unknown, maxChars: number): string | undefined {
  return typeof value === 'string' && value.length <= maxChars && isWellFormed(value) ? value : undefined;
}
