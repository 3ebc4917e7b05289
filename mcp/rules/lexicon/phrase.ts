/**
 * Phrases of a lexicon. `wie schnell`: these words in a row, in any inflection that the stemmer knows; `winterreifen*`,
 * `*abstand`: part of a word; `überhol* ~ rechts`: at most four words between; `rechts + überhol*`: both somewhere. A final
 * `!` makes a phrase count one word more, `?` half a word.
 */
import type { Language } from '../retrieval/stem-word.js';
import { fold, type Token, tokenise } from '../retrieval/tokenise.js';

interface PhraseWord {
  /** stems, any of which fits */
  readonly forms: readonly string[];
  /** with a wildcard: the part that must be there, as typed with and without umlauts */
  readonly parts: readonly string[];
  readonly isOpenStart: boolean;
  readonly isOpenEnd: boolean;
  /** words that may stand before it, after the one before */
  readonly gap: number;
}

export interface Phrase {
  /** each must be found somewhere */
  readonly groups: readonly (readonly PhraseWord[])[];
  readonly weight: number;
}

const widestGap = 4;

/** @returns null where the text holds no word */
export function parsePhrase(text: string, language: Language): Phrase | null {
  const bonus = text.endsWith('!') ? 1 : text.endsWith('?') ? -0.5 : 0;
  const groups = text
    .replace(/[!?]$/, '')
    .split(' + ')
    .map((group) => parseGroup(group, language))
    .filter((group) => group.length > 0);
  if (groups.length === 0) return null;
  return { groups, weight: groups.reduce((sum, group) => sum + group.length, 0) + bonus };
}

function parseGroup(text: string, language: Language): PhraseWord[] {
  const words: PhraseWord[] = [];
  let gap = 0;
  for (const part of text.trim().split(/\s+/)) {
    if (part === '~') {
      gap = widestGap;
      continue;
    }
    const isOpenStart = part.startsWith('*');
    const isOpenEnd = part.endsWith('*');
    for (const token of tokenise(part.replace(/\*/g, ''), language)) {
      const isWhole = !isOpenStart && !isOpenEnd;
      words.push({
        forms: token.forms,
        parts: isWhole ? [] : spellings(token),
        isOpenStart,
        isOpenEnd,
        gap,
      });
      gap = 0;
    }
  }
  return words;
}

const spellings = (token: Token): readonly string[] => [...new Set([token.word, fold(token.written)])];

export function fitsWord(word: PhraseWord, token: Token): boolean {
  if (word.parts.length === 0) return word.forms.some((form) => token.forms.includes(form));
  return spellings(token).some((text) =>
    word.parts.some((part) => {
      if (word.isOpenStart && word.isOpenEnd) return text.includes(part);
      return word.isOpenStart ? text.endsWith(part) : text.startsWith(part);
    }),
  );
}

/** `fahrradstraße*` is more than `fahrrad*`: both begin the same way and one goes on. Single words only. */
export function isMoreOf(longer: Phrase, shorter: Phrase): boolean {
  const [one, other] = [onlyWord(longer), onlyWord(shorter)];
  if (one === null || other === null || other.parts.length === 0 || !other.isOpenEnd || other.isOpenStart)
    return false;
  const starts = one.parts.length > 0 && !one.isOpenStart ? one.parts : one.forms;
  return starts.some((start) =>
    other.parts.some((part) => start.length > part.length && start.startsWith(part)),
  );
}

function onlyWord({ groups }: Phrase): PhraseWord | null {
  return groups.length === 1 && groups[0]?.length === 1 ? (groups[0][0] ?? null) : null;
}

/** The places of the tokens that a phrase covers, or null. @param from the first token that may begin the first group */
export function coverage(phrase: Phrase, tokens: readonly Token[]): number[] | null {
  const covered: number[] = [];
  for (const group of phrase.groups) {
    const found = findGroup(group, tokens);
    if (found === null) return null;
    covered.push(...found);
  }
  return covered;
}

function findGroup(group: readonly PhraseWord[], tokens: readonly Token[]): number[] | null {
  const [first] = group;
  if (!first) return null;
  for (let start = 0; start + group.length <= tokens.length; start++) {
    const token = tokens[start];
    if (!token || !fitsWord(first, token)) continue;
    const found = follow(group, tokens, start);
    if (found !== null) return found;
  }
  return null;
}

function follow(group: readonly PhraseWord[], tokens: readonly Token[], start: number): number[] | null {
  const covered = [start];
  let at = start + 1;
  for (const word of group.slice(1)) {
    const limit = Math.min(tokens.length - 1, at + word.gap);
    let hit = -1;
    for (let i = at; i <= limit && hit < 0; i++) {
      const token = tokens[i];
      if (token && fitsWord(word, token)) hit = i;
    }
    if (hit < 0) return null;
    covered.push(hit);
    at = hit + 1;
  }
  return covered;
}
