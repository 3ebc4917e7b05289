import { germanIntents } from './de.js';
import { englishIntents } from './en.js';
import { frenchIntents } from './fr.js';
import type { AskLanguage, IntentLexicon } from './intents.js';

export const intentLexicons: Readonly<Record<AskLanguage, IntentLexicon>> = {
  en: englishIntents,
  de: germanIntents,
  fr: frenchIntents,
};
