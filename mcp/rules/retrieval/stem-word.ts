/** Stems by language: Snowball where a well-kept library has it, own light stemmers for Polish and Czech. */
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemCzech, stemPolish } from './slavic-stems.js';

/** ISO 639-1 codes of the languages in which questions and documents are understood. */
export const languages = ['de', 'en', 'fr', 'nl', 'it', 'es', 'pl', 'cs'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (code: string): code is Language => (languages as readonly string[]).includes(code);

const stemmers: Readonly<Record<Language, (word: string) => string>> = {
  de: german,
  en: english,
  fr: french,
  nl: dutch,
  it: italian,
  es: spanish,
  pl: stemPolish,
  cs: stemCzech,
};

/** @param word lower case, NFC */
export function stemWord(word: string, language: Language): string {
  return word.length < 3 ? word : stemmers[language](word) || word;
}
