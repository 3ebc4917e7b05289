/** The languages that are spoken: one file each in `locales/`, compiled into the core. */
import { german } from './locales/de.js';
import { english } from './locales/en.js';
import { french } from './locales/fr.js';
import type { Phrasebook } from './phrasebook.js';

const phrasebooks: ReadonlyMap<string, Phrasebook> = new Map([
  ['en', english],
  ['de', german],
  ['fr', french],
]);

export const spokenLanguages: readonly string[] = [...phrasebooks.keys()];

/** `de-AT` speaks German; a language without phrases gets English. */
export function phrasebookOf(language: string): { readonly lang: string; readonly book: Phrasebook } {
  const lang = language.slice(0, 2);
  const book = phrasebooks.get(lang);
  return book === undefined ? { lang: 'en', book: english } : { lang, book };
}
