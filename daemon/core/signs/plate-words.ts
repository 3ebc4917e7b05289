/**
 * Words on signs and plates, as a closed list of meanings. Text from the roadside is untrusted: what is found of it is a
 * meaning of this list and the glossary's own spelling, never the text itself.
 */
import { plateGlossary } from './plate-glossary.js';
import type { WordMeaning } from './word-meanings.js';

export interface PlateWord {
  readonly meaning: WordMeaning;
  /** as the glossary spells it */
  readonly form: string;
}

/** Longer text is no plate; looking further would only cost time. */
const plateMaxChars = 120;

/**
 * The first entry of the glossary that stands in the text as whole words; of two at one place the longer.
 * @param languages of the sign, else those of the country
 */
export function plateWordIn(text: string, languages: readonly string[]): PlateWord | null {
  const plain = folded(text.slice(0, plateMaxChars));
  let found: PlateWord | null = null;
  let bestAt = Number.POSITIVE_INFINITY;
  let bestLength = 0;
  for (const language of languages) {
    for (const [meaning, ...forms] of plateGlossary[language] ?? []) {
      for (const form of forms) {
        const needle = folded(form);
        const at = wholeWordsAt(plain, needle);
        if (at < 0 || at > bestAt || (at === bestAt && needle.length <= bestLength)) continue;
        found = { meaning, form: forms[0] as string };
        bestAt = at;
        bestLength = needle.length;
      }
    }
  }
  return found;
}

/** Composed and in lower case; every form is Latin, where both are stable over the versions of Unicode. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}

function wholeWordsAt(text: string, words: string): number {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isWordChar(text[at - 1]) && !isWordChar(text[at + words.length])) return at;
  }
  return -1;
}

function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{M}\p{N}]/u.test(char);
}
