/** Puts numbers of the state into phrases. Nothing but numbers and words of the phrasebook gets in. */

import type { Phrasebook, PhraseValues } from './phrases.js';
import { german } from './phrases-de.js';
import { english } from './phrases-en.js';

const phrasebooks: ReadonlyMap<string, Phrasebook> = new Map([
  ['en', english],
  ['de', german],
]);

/** Languages that have a phrasebook. */
export const spokenLanguages: readonly string[] = [...phrasebooks.keys()];

/** `de-AT` speaks German; a language without phrases gets English. */
export function phrasebookOf(language: string): { readonly lang: string; readonly book: Phrasebook } {
  const lang = language.slice(0, 2);
  const book = phrasebooks.get(lang);
  return book === undefined ? { lang: 'en', book: english } : { lang, book };
}

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
    const value = values[template.slice(open + 1, close)];
    if (value === undefined) throw new RangeError(`no value for ${template.slice(open, close + 1)}`);
    text += template.slice(from, open) + printed(value, book);
    from = close + 1;
  }
  return text + template.slice(from);
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
