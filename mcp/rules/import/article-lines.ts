/**
 * French articles mark their parts at the beginnings of lines: `II. -`, `3°`, `a)`. An article without parts counts its
 * numbers, one without numbers its paragraphs.
 */
import { type CanonicalText, unnumbered } from './canonical-text.js';

const roman = /^([IVXL]+)(?: ?(bis|ter|quater|quinquies))?\s?\.?\s?[-–—―.]/;
const degree = /^(\d+)\s?°(?:\s?(bis|ter|quater|quinquies))?/;
const letter = /^([a-z])\s?\)/;

/** Writes lines with their spans: 1.2.a = I, 2°, a). */
export function writeArticleLines(lines: readonly string[], out: CanonicalText): void {
  const hasParts = lines.some((line) => arabic(line) !== null);
  const hasNumbers = lines.some((line) => degree.test(line));
  const levels: ('part' | 'number' | 'letter' | 'text')[] = [];
  const closeTo = (kinds: readonly string[]): void => {
    while (levels.length > 0 && !kinds.includes(levels.at(-1) ?? '')) {
      out.close();
      levels.pop();
    }
  };
  const open = (level: (typeof levels)[number], name: string): void => {
    out.open(name);
    levels.push(level);
  };
  for (const [i, line] of lines.entries()) {
    out.newLine();
    const part = hasParts ? arabic(line) : null;
    const number = degree.exec(line);
    const item = letter.exec(line);
    if (part !== null) {
      closeTo([]);
      open('part', part);
    } else if (!hasParts && !hasNumbers) {
      if (item && levels.length > 0) {
        closeTo(['text']);
        open('letter', item[1] ?? '');
      } else {
        closeTo([]);
        open('text', String(i + 1));
      }
    } else if (number) {
      closeTo(['part']);
      open('number', `${number[1]}${number[2] ?? ''}`);
    } else if (item) {
      closeTo(['number', 'part']);
      open('letter', item[1] ?? '');
    } else if (line.startsWith('-') || line.startsWith('–')) {
      // A dash belongs to what it stands under.
    } else {
      closeTo(['part']);
    }
    if (levels.length === 0) open('text', unnumbered);
    out.inline(line);
  }
  closeTo([]);
}

/** `IV bis. -` → 4bis */
function arabic(line: string): string | null {
  const found = roman.exec(line);
  if (!found) return null;
  const values: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50 };
  const digits = [...(found[1] ?? '')].map((digit) => values[digit] ?? 0);
  const sum = digits.reduce((total, value, i) => total + (value < (digits[i + 1] ?? 0) ? -value : value), 0);
  return `${sum}${found[2] ?? ''}`;
}
