/** A vocabulary of WordPiece tokens and the greedy segmentation that goes with it, as tokenizers of BERT do both. */
import { unknownToken } from './word-piece-file.js';

/** Words and single signs, folded like BertNormalizer with lowercase and strip_accents; signs are left out. */
export function foldedWords(text: string): string[] {
  const folded = text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}

export interface PieceCounts {
  /** most words of the vocabulary */
  readonly wordsMaxCount: number;
  /** beginnings and ends that at least so many different words share */
  readonly sharedMinCount: number;
  readonly piecesMaxCount: number;
}

/** @param words with their counts. The order is by count, then by letters: the same texts give the same ids. */
export function buildVocabulary(words: ReadonlyMap<string, number>, counts: PieceCounts): string[] {
  const ordered = byCount(words).map(([word]) => word);
  const starts = new Map<string, number>();
  const ends = new Map<string, number>();
  const letters = new Set<string>();
  for (const word of ordered) {
    for (const letter of word) letters.add(letter);
    for (let at = 3; at < word.length; at++) {
      if (at <= 12) starts.set(word.slice(0, at), (starts.get(word.slice(0, at)) ?? 0) + 1);
      if (word.length - at >= 2) ends.set(`##${word.slice(at)}`, (ends.get(`##${word.slice(at)}`) ?? 0) + 1);
    }
  }
  const shared = (pieces: ReadonlyMap<string, number>): string[] =>
    byCount(pieces)
      .filter(([, count]) => count >= counts.sharedMinCount)
      .slice(0, counts.piecesMaxCount)
      .map(([piece]) => piece);
  const single = [...letters].sort().flatMap((letter) => [letter, `##${letter}`]);
  // The second halves of compounds are words themselves.
  const tails = ordered.slice(0, 1500).filter((word) => word.length >= 4 && ends.has(`##${word}`));
  return [
    ...new Set([
      unknownToken,
      ...single,
      ...ordered.slice(0, counts.wordsMaxCount),
      ...shared(starts),
      ...shared(ends),
      ...tails.map((word) => `##${word}`),
    ]),
  ];
}

export class Segmenter {
  readonly #ids: ReadonlyMap<string, number>;

  constructor(vocabulary: readonly string[]) {
    this.#ids = new Map(vocabulary.map((token, id) => [token, id]));
  }

  /** Ids of a word, longest match first. @param isWordHidden segment as if the whole word were not in the vocabulary */
  pieces(word: string, isWordHidden = false): number[] {
    const ids: number[] = [];
    for (let at = 0; at < word.length; ) {
      let end = isWordHidden && at === 0 ? word.length - 1 : word.length;
      let id: number | undefined;
      for (; end > at; end--) {
        id = this.#ids.get(at === 0 ? word.slice(0, end) : `##${word.slice(at, end)}`);
        if (id !== undefined) break;
      }
      if (id === undefined) return [0];
      ids.push(id);
      at = end;
    }
    return ids;
  }
}

function byCount(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
