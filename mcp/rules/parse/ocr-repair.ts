/**
 * Repairs what character recognition does to digits: letters that look like digits (O/0, l/1, S/5, B/8, Z/2) and
 * digits torn apart. A repaired number is marked, because it caps the confidence.
 */

/** Stands before digits that were repaired. */
export const repairMark = '\u0002';

const digitOf: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  l: '1',
  I: '1',
  i: '1',
  '|': '1',
  '!': '1',
  S: '5',
  s: '5',
  B: '8',
  Z: '2',
  z: '2',
};
const letters = 'OoQDlIi|!SsBZz';
const unitAhead = '(?=\\s*(?:km|kph|mph|mi\\/h))';
/** at least one digit, at least one look-alike, nothing else around */
const mixed = new RegExp(
  `(?<![\\p{L}\\p{N}.,/])(?=[0-9${letters}]*[0-9])(?=[0-9]*[${letters}])[0-9${letters}]{2,3}(?![\\p{L}\\p{N}])`,
  'gu',
);
/** letters only, but where a number must stand: before a unit, or all there is */
const lettersOnly = new RegExp(
  `(?<![\\p{L}\\p{N}])[${letters}]{2,3}${unitAhead}|^\\s*[OolISsBZ]{2,3}\\s*$`,
  'gu',
);
/** "8 0", "1 2 0": digits one by one, alone or before a unit */
const torn = /^(\s*|[^\d]*[:\s])(\d)\s+(\d)(?:\s+(\d))?(?=\s*(?:km|kph|mph|mi\/h|\.?\s*$))/iu;

export function repairDigits(text: string): string {
  const repair = (found: string): string => {
    const digits = Array.from(found.trim(), (letter) => digitOf[letter] ?? letter).join('');
    const value = Number(digits);
    // Only what a sign can say is a repair; "I5" (a route) or "B6" stay as they are.
    if (!/^\d+$/.test(digits) || value < 10 || value > 150 || value % 5 !== 0) return found;
    return repairMark + String(value);
  };
  const joined = text.replace(torn, (whole, before: string, a: string, b: string, c = '') => {
    const value = Number(a + b + c);
    return value >= 10 && value <= 150 && value % 5 === 0 ? `${before}${repairMark}${value}` : whole;
  });
  return joined.replace(mixed, repair).replace(lettersOnly, repair);
}
