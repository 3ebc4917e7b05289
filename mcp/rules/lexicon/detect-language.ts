/** In which language a question is asked, by its small words and by what the lexicons know. */
import { type Language, languages } from '../retrieval/stem-word.js';
import { tokenise } from '../retrieval/tokenise.js';
import { findConcepts } from './find-concepts.js';
import { lexiconOf } from './load-lexicons.js';

/** Letters that few of the languages have. */
const letters: readonly (readonly [RegExp, Language])[] = [
  [/[ßäöü]/, 'de'],
  [/[ąęłńśźż]/, 'pl'],
  [/[ěřůťďň]/, 'cs'],
  [/[ñ¿¡]/, 'es'],
  [/[çœêâîûë]|\b[ldjqcsn]['’]/, 'fr'],
  [/[àòù]/, 'it'],
];

/**
 * @param fallback where nothing tells: the language of the pack
 * @returns the language with the most evidence; ties go to the fallback, then to the order of the list
 */
export function detectLanguage(text: string, fallback: Language): Language {
  const lower = text.normalize('NFC').toLowerCase();
  const score = (language: Language): number => {
    const lexicon = lexiconOf(language);
    const tokens = tokenise(lower, language);
    const small = tokens.filter(({ word }) => lexicon.functionWords.has(word)).length;
    const known = [...findConcepts(tokens, lexicon).values()].reduce((sum, { weight }) => sum + weight, 0);
    const marks = letters.filter(([pattern, of]) => of === language && pattern.test(lower)).length;
    return small * 2 + known + marks * 3;
  };
  let best = fallback;
  let most = score(fallback);
  for (const language of languages) {
    const own = language === fallback ? most : score(language);
    if (own > most) [best, most] = [language, own];
  }
  return best;
}
