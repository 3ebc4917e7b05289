/**
 * The encoder that needs no file, no package and no training: words and their character n-grams, hashed into signed
 * buckets (Weinberger et al. 2009; sub-words as in fastText, Bojanowski et al. 2017). It knows no meaning; it sees that
 * "Winterreifenpflicht" and "Winterreifen", "overtaking" and "overtake" share letters.
 */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { giveTurn } from '../../shared/give-turn.js';
import type { PassageEncoder, TextRole } from './passage-encoder.js';
import { toUnitLength } from './unit-vector.js';

const dimensions = 384;
const shortest = 3;
const longest = 5;
const textsAtOnce = 32;

export class HashedSubwordEncoder implements PassageEncoder {
  /** The last part counts changes of what is computed: vectors on disk are kept by this id. */
  readonly id = `subword-${dimensions}@1`;
  readonly dimensions = dimensions;
  /** Mean over all pairs of passages of different documents in the shipped packs (test/mcp/dense-retrieval.test.ts). */
  readonly randomCosine = 0.06;
  #isClosed = false;

  async encode(texts: readonly string[], _role?: TextRole, signal?: AbortSignal): Promise<Float32Array[]> {
    if (this.#isClosed) throw new DriveMcpError('ENCODER_UNAVAILABLE', 'the encoder was closed');
    const vectors: Float32Array[] = [];
    for (const [number, text] of texts.entries()) {
      if (number % textsAtOnce === 0 && number > 0) await giveTurn(signal);
      vectors.push(subwordVector(text));
    }
    return vectors;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }
}

/** The vector of one text. */
export function subwordVector(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [word, count] of wordCounts(text)) {
    const grams = gramsOf(word);
    // A word weighs what it tells, about the same for long and short ones; said twice, it is not twice as true.
    const weight = ((1 + Math.log(count)) * informationOf(word)) / Math.sqrt(grams.length + 1);
    add(vector, `=${word}`, weight * 2);
    for (const gram of grams) add(vector, gram, weight);
  }
  return toUnitLength(vector);
}

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of foldedWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Lower case, without diacritics, ß as ss; letters and digits with the dots and hyphens inside of numbers. */
export function foldedWords(text: string): string[] {
  const folded = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  return folded.match(/\d+(?:[.,-]\d+)*|\p{L}+/gu) ?? [];
}

/** Short words are mostly articles and prepositions, in every language that the packs speak; numbers are not. */
function informationOf(word: string): number {
  if (/^\d/.test(word)) return 1;
  return Math.min(1, Math.max(0.15, (word.length - 2) / 5));
}

function gramsOf(word: string): string[] {
  if (/^\d/.test(word)) return [];
  const marked = `<${word}>`;
  const grams: string[] = [];
  for (let length = shortest; length <= longest; length++) {
    for (let at = 0; at + length <= marked.length; at++) grams.push(marked.slice(at, at + length));
  }
  return grams;
}

/** 32-bit FNV-1a over UTF-16 units; the lowest bit after mixing is the sign, the others choose the bucket. */
function add(vector: Float32Array, feature: string, weight: number): void {
  let hash = 0x811c9dc5;
  for (let i = 0; i < feature.length; i++) hash = Math.imul(hash ^ feature.charCodeAt(i), 0x01000193);
  // FNV's low bits are weak for short strings: the finaliser of MurmurHash3.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  const bucket = (hash >>> 1) % dimensions;
  vector[bucket] = (vector[bucket] ?? 0) + ((hash & 1) === 0 ? weight : -weight);
}
