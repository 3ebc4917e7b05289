/**
 * Text → terms, the same way for documents, questions and lexicons.
 *
 * Words are stemmed and folded to letters without marks; where a word has ä, ö or ü it stands there twice, as `a` and
 * as `ae`, since German drivers type both. Sign codes, section marks and speeds stay whole beside their parts: `274.1`,
 * `R413-2`, `§3`, `80km/h`.
 */
import { type Language, stemWord } from './stem-word.js';

export interface Token {
  /** what it may be looked up by: one form, or two where umlauts may be written out */
  readonly forms: readonly string[];
  /** as it stood there, lower case and without marks, for wildcards */
  readonly word: string;
  /** the same with umlauts written out: `ueberholen` */
  readonly written: string;
  /** counts up at every comma, full stop and dash: what is denied in one clause is not denied in the next */
  readonly clause: number;
  /** places of its first letter and of what follows its last one in `plainText(text)` */
  readonly start: number;
  readonly end: number;
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;
/** Between two words: a hyphen, an apostrophe or a point inside a number is no end of a clause. */
const clauseEnd = /[,;:!?…()\n]|\.(?=\s|$)|\s[-–—]|[–—]\s/u;
const atomPatterns: readonly RegExp[] = [
  /§+\s?\d+[a-z]?/gu, // § 3
  /(?<![\p{L}\p{N}])(?:art|artikel|article|articolo|artículo|artykuł)\.?\s?\d+[a-z]?(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])[a-z]{0,3}\s?-?\d{1,4}(?:[.-]\d{1,4}){1,3}[a-z]?(?![\p{L}\p{N}])/gu, // 274.1, 1053-35, r413-2
  /(?<![\p{L}\p{N}])[a-z]{1,3}-?\d{1,4}[a-z]?(?![\p{L}\p{N}])/gu, // b14, c43, r-301
  /(?<![\p{L}\p{N}])\d{1,3}\s?(?:km\/h|mph)(?![\p{L}\p{N}])/gu,
];

/**
 * @param text of any length and content; marks of direction and control characters count as spaces
 * @param isStemmed false leaves words as they are, to measure what stems are worth
 */
export function tokenise(text: string, language: Language, isStemmed = true): Token[] {
  const stem = (word: string): string => fold(isStemmed ? stemWord(word, language) : word);
  const lower = plainText(text);
  const tokens: Token[] = [];
  let clause = 0;
  let end = 0;
  for (const { 0: raw, index } of lower.matchAll(wordPattern)) {
    if (clauseEnd.test(lower.slice(end, Math.min(index, end + longestGap)))) clause++;
    end = index + raw.length;
    const word = raw.slice(0, longestWord);
    const written = withUmlautsWrittenOut(word);
    const forms = new Set([stem(word)]);
    if (written !== word) forms.add(stem(written));
    tokens.push({
      forms: [...forms].filter((form) => form !== ''),
      word: fold(word),
      written: fold(written),
      clause,
      start: index,
      end,
    });
  }
  return tokens.filter(({ forms }) => forms.length > 0);
}

/** In which tokens have their places: composed, lower case. */
export const plainText = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');

/** Codes, section marks and speeds as whole terms. */
export function atomsOf(text: string): string[] {
  const lower = text.normalize('NFC').toLowerCase();
  const found = atomPatterns.flatMap((pattern) => [...lower.matchAll(pattern)].map(([atom]) => atom));
  return [
    ...new Set(found.map((atom) => fold(atom).replace(/[\s§]+/g, (gap) => (gap.includes('§') ? '§' : '')))),
  ];
}

/** Every term of a text: both forms of each word, then the atoms. */
export function termsOf(text: string, language: Language, isStemmed = true): string[] {
  return [...tokenise(text, language, isStemmed).flatMap(({ forms }) => forms), ...atomsOf(text)];
}

/** What is longer is no word of any language; it is cut, never refused. */
const longestWord = 64;
const longestGap = 64;

const withUmlautsWrittenOut = (word: string): string =>
  word.replace(/[äöüæœ]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', æ: 'ae', œ: 'oe' })[letter] ?? letter);

/** Lower-case letters without marks; ß → ss, ł → l. */
export function fold(text: string): string {
  return text
    .replace(/[ßłøđ]/g, (letter) => ({ ß: 'ss', ł: 'l', ø: 'o', đ: 'd' })[letter] ?? letter)
    .replace(/[æœ]/g, (letter) => (letter === 'æ' ? 'ae' : 'oe'))
    .normalize('NFD')
    .replace(/\p{M}/gu, '');
}
