/** Puts numbers of the state into phrases. Nothing but numbers and words of the phrasebook gets in. */

import type { Phrasebook, PhraseValues } from './phrasebook.js';

export const maxShortChars = 90;

/**
 * @throws RangeError where a value of the phrase is missing or the text is too long: both are mistakes of this
 * program, not of its input
 */
export function fillShort(template: string, values: PhraseValues, book: Phrasebook): string {
  const text = fill(template, values, book);
  if (text.length > maxShortChars) throw new RangeError(`phrase of ${text.length} characters: ${template}`);
  return text;
}

export function fill(template: string, values: PhraseValues, book: Phrasebook): string {
  let text = '';
  let from = 0;
  for (let open = template.indexOf('{'); open >= 0; open = template.indexOf('{', from)) {
    const close = template.indexOf('}', open);
    const [name = '', one, other] = template.slice(open + 1, close).split('|');
    const value = values[name];
    if (value === undefined) throw new RangeError(`no value for ${template.slice(open, close + 1)}`);
    const shown = other === undefined ? printed(value, book) : isSingular(value, book) ? one : other;
    text += template.slice(from, open) + shown;
    from = close + 1;
  }
  return text + template.slice(from);
}

/** Names of the values that a template needs. */
export function placeholdersOf(template: string): readonly string[] {
  return template
    .split('{')
    .slice(1)
    .map((part) => part.slice(0, part.search(/[|}]/)));
}

/** English and German: exactly one; French: everything below two. */
function isSingular(value: string | number, { singular }: Phrasebook): boolean {
  return singular === 'one' ? value === 1 : typeof value === 'number' && Math.abs(value) < 2;
}

function printed(value: string | number, book: Phrasebook): string {
  if (typeof value === 'string') return value;
  return book.decimalSeparator === '.' ? String(value) : String(value).replace('.', book.decimalSeparator);
}

/** Rounded for speech, half away from zero; exact in binary for the digits shown. */
export function rounded(value: number, digits: number): number {
  const scale = digits === 0 ? 1 : digits === 1 ? 10 : 100;
  const magnitude = Math.floor(Math.abs(value) * scale + 0.5) / scale;
  return value < 0 ? -magnitude : magnitude;
}
