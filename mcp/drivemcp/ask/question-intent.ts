/** What a question is about and in which language, by word lists alone: the same question is always read the same. */

import { intentLexicons } from './lexicon/intent-lexicons.js';
import { type AskIntent, type AskLanguage, askIntents, askLanguages } from './lexicon/intents.js';

export interface QuestionRead {
  readonly intent: AskIntent;
  readonly language: AskLanguage;
  /** stems that spoke for the intent; empty = nothing did, and it is read as a question of law */
  readonly matched: readonly string[];
}

/** @param language null = told by the words */
export function readIntent(text: string, language: AskLanguage | null): QuestionRead {
  const plain = folded(text);
  const own = language ?? languageOf(plain);
  // A word of another language counts too where the own one says nothing: a loan, or a wrong guess.
  for (const candidate of [own, ...askLanguages.filter((one) => one !== own)]) {
    const found = best(plain, candidate);
    if (found !== null) return { ...found, language: own };
  }
  return { intent: 'law', language: own, matched: [] };
}

function best(text: string, language: AskLanguage): Pick<QuestionRead, 'intent' | 'matched'> | null {
  let found: { intent: AskIntent; matched: string[]; sum: number } | null = null;
  for (const intent of askIntents) {
    const matched = intentLexicons[language].stems[intent].filter(([stem]) => startsWord(text, folded(stem)));
    const sum = matched.reduce((total, [, weight]) => total + weight, 0);
    if (sum > (found?.sum ?? 0)) found = { intent, matched: matched.map(([stem]) => stem), sum };
  }
  return found;
}

function languageOf(text: string): AskLanguage {
  const words = new Set(text.split(/[^\p{L}\p{M}]+/u));
  const score = (language: AskLanguage): number => {
    const { small, stems } = intentLexicons[language];
    const known = askIntents
      .flatMap((intent) => stems[intent])
      .filter(([stem]) => startsWord(text, folded(stem)));
    return small.filter((word) => words.has(word)).length * 2 + known.length;
  };
  return askLanguages.reduce((a, b) => (score(b) > score(a) ? b : a));
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('’', "'").replace(/\s+/g, ' ');
}

function startsWord(text: string, stem: string): boolean {
  for (let at = text.indexOf(stem); at >= 0; at = text.indexOf(stem, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] as string)) return true;
  }
  return false;
}
