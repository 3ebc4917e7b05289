/** What an answer can say, by name: the schema of `texts/`, one file a language. */
import type { AskLanguage } from './lexicon/intents.js';
import { askTextsDe } from './texts/de.js';
import { askTextsEn } from './texts/en.js';
import { askTextsFr } from './texts/fr.js';
import type { AskTexts } from './texts/schema.js';

export const askTexts: Readonly<Record<AskLanguage, AskTexts>> = {
  en: askTextsEn,
  de: askTextsDe,
  fr: askTextsFr,
};

/** Level 1 is no longer. */
export const levelOneMaxChars = 90;

/** @throws RangeError where a value is missing: a mistake of this program */
export function fillText(
  template: string,
  values: Readonly<Record<string, string | number>>,
  { decimalSeparator }: AskTexts,
): string {
  return template.replace(/\{([a-z0-9_]+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`no value for ${whole}`);
    return typeof value === 'number' ? String(value).replace('.', decimalSeparator) : value;
  });
}
