/** Finds the provisions that a question in a driver's words is about: the one entry to retrieval. */
import type { FlatContext } from '../evaluate/flat-context.js';
import { resolveJurisdiction } from '../evaluate/jurisdiction.js';
import { findConcepts } from '../lexicon/find-concepts.js';
import { lexiconOf } from '../lexicon/load-lexicons.js';
import type { RulepackSet } from '../rules-expert.js';
import { conceptsOfContext } from './context-concepts.js';
import { densePart, type FusionWeights, fused, lexicalPart, tierBonus } from './fused-score.js';
import { type IndexedFamily, indexedFamily } from './indexed-family.js';
import { lawWords } from './pack-thesaurus.js';
import type { PassageEncoder } from './passage-encoder.js';
import { conceptTerm } from './passage-index.js';
import type { Passage } from './passages.js';
import { mostQueryTerms } from './question-text.js';
import type { Language } from './stem-word.js';
import { atomsOf, termsOf, tokenise } from './tokenise.js';
import type { VectorCache } from './vector-cache.js';

/** A provision that an answer already rests on. */
export interface RestsOn {
  readonly docId: string;
  readonly span: readonly [number, number];
}

/** Each part can be left out, to measure what it is worth. */
export interface SearchParts {
  readonly stems: boolean;
  readonly thesaurus: boolean;
  readonly dense: boolean;
  /** roads, vehicles, weather and signs of the context as query terms */
  readonly contextTerms: boolean;
  /** provisions that the answer rests on come first */
  readonly answerFirst: boolean;
}
export const allParts: SearchParts = {
  stems: true,
  thesaurus: true,
  dense: true,
  contextTerms: true,
  answerFirst: true,
};

export interface PassageQuery {
  /** plain text, see `plainQuestion` */
  readonly text: string;
  readonly language: Language;
  /** any spelling: `DEU`, `GBR/WLS` … */
  readonly jurisdiction: string;
  /** ISO date */
  readonly asOf: string;
  /** language of the documents; null = any */
  readonly documentLanguage?: Language | null;
  readonly context: FlatContext;
  /** what the evaluator's answer cites, the deciding provision first */
  readonly restsOn?: readonly RestsOn[];
  readonly limit: number;
  readonly lambda: number;
  readonly scoreFloor: number;
  readonly parts?: SearchParts;
}

export interface FoundPassage {
  readonly passage: Passage;
  /** 0…1, what the order is by */
  readonly score: number;
  /** b of S = (1 − λ)·b + λ·c, 0…1 */
  readonly bm25: number;
  /** c, 0…1 */
  readonly cos: number;
}

export interface SearchResult {
  readonly passages: readonly FoundPassage[];
  /** BM25 of the best passage, unscaled */
  readonly bestScore: number;
  /** terms of a very long question that were not looked up */
  readonly droppedTerms: number;
}

/** At most so many spans of one document: the fifth section of one paragraph helps less than another provision. */
const mostOfOneDocument = 2;
/** What an answer rests on goes before what only sounds like the question; the deciding provision first. */
const answerBonus = [1, 0.8, 0.7, 0.6];
const largestKey = 1 + 0.05 + (answerBonus[0] ?? 0);

/**
 * @returns best first; nothing where no pack holds there
 * @throws DriveMcpError RULEPACK_INVALID where a lexicon or thesaurus is broken, ENCODER_UNAVAILABLE; the reason of
 * `signal` soon after it is aborted
 */
export async function searchPassages(
  packs: RulepackSet,
  query: PassageQuery,
  encoder: PassageEncoder | null,
  cache: VectorCache | null = null,
  signal?: AbortSignal,
): Promise<SearchResult> {
  // With λ = 0 too: the cosine is told beside each passage, and 0 would mean that nothing in it is alike.
  const { rows, bestScore, droppedTerms } = await matchPassages(packs, query, encoder, cache, signal);
  const rests = (query.parts ?? allParts).answerFirst ? (query.restsOn ?? []) : [];
  const hasDense = encoder !== null && (query.parts ?? allParts).dense;
  const weights = { lambda: hasDense ? query.lambda : 0, scoreFloor: query.scoreFloor };
  return {
    passages: rankPassages(rows, bestScore, weights, rests).slice(0, query.limit),
    bestScore,
    droppedTerms,
  };
}

/** A passage that may be the answer, before the two halves are weighed. */
export interface MatchedPassage {
  readonly passage: Passage;
  /** BM25, unscaled; 0 = no term of it matches */
  readonly score: number;
  /** c, 0…1 */
  readonly cos: number;
}

/** Every passage that holds there, with both halves of its score. */
export async function matchPassages(
  packs: RulepackSet,
  query: Omit<PassageQuery, 'lambda' | 'scoreFloor' | 'limit' | 'restsOn'>,
  encoder: PassageEncoder | null,
  cache: VectorCache | null = null,
  signal?: AbortSignal,
): Promise<{ rows: readonly MatchedPassage[]; bestScore: number; droppedTerms: number }> {
  const place = resolveJurisdiction(query.jurisdiction, packs, query.asOf);
  const base = place?.packs[0];
  if (!place || !base) return { rows: [], bestScore: 0, droppedTerms: 0 };
  const family = await indexedFamily(packs, base, signal);
  const parts = query.parts ?? allParts;
  const filter = {
    packIds: place.packs.map(({ manifest }) => manifest.id),
    asOf: query.asOf,
    language: query.documentLanguage ?? null,
  };
  const index = parts.stems ? family.index : await family.plainIndex(signal);
  const terms = queryTerms(query, family, parts);
  const scores = index.scores(terms.slice(0, mostQueryTerms), filter);
  const cosines =
    parts.dense && encoder !== null ? await cosinesOf(query.text, family, encoder, cache, signal) : null;
  const rows = index.allowed(filter).flatMap((number): MatchedPassage[] => {
    const passage = family.index.passages[number];
    if (!passage) return [];
    const cos = cosines === null ? 0 : densePart(cosines(number), encoder?.randomCosine ?? 1);
    return [{ passage, score: scores.get(number) ?? 0, cos }];
  });
  return {
    rows,
    bestScore: Math.max(0, ...scores.values()),
    droppedTerms: Math.max(0, terms.length - mostQueryTerms),
  };
}

/** S(q, d), a small bonus for the tier, and what the answer rests on first. */
export function rankPassages(
  rows: readonly MatchedPassage[],
  bestScore: number,
  { lambda, scoreFloor }: FusionWeights,
  rests: readonly RestsOn[],
): FoundPassage[] {
  const found: { key: number; one: FoundPassage }[] = [];
  for (const { passage, score, cos } of rows) {
    const bm25 = lexicalPart(score, bestScore, scoreFloor);
    const sum = fused(bm25, cos, lambda);
    const rank = rests.findIndex(({ docId, span }) => docId === passage.docId && isSame(span, passage.span));
    const bonus = rank < 0 ? 0 : (answerBonus[rank] ?? 0.5);
    if (sum <= 0 && bonus === 0) continue;
    const key = sum + (sum > 0 ? (tierBonus[passage.tier] ?? 0) : 0) + bonus;
    found.push({ key, one: { passage, bm25, cos, score: key / largestKey } });
  }
  found.sort((a, b) => b.key - a.key || (a.one.passage.id < b.one.passage.id ? -1 : 1));
  return spread(found.map(({ one }) => one));
}

const isSame = (a: readonly [number, number], b: readonly [number, number]): boolean =>
  a[0] === b[0] && a[1] === b[1];

/** One passage a provision, few a document; what is left over follows at the end. */
function spread(found: readonly FoundPassage[]): FoundPassage[] {
  const perDocument = new Map<string, number>();
  const seen = new Set<string>();
  const [first, later]: [FoundPassage[], FoundPassage[]] = [[], []];
  for (const one of found) {
    const { id, docId } = one.passage;
    const count = perDocument.get(docId) ?? 0;
    const isExtra = seen.has(id) || count >= mostOfOneDocument;
    (isExtra ? later : first).push(one);
    seen.add(id);
    perDocument.set(docId, count + 1);
  }
  return [...first, ...later];
}

/** What is looked up: words of the question, its concepts, words of the law for them, and what the context says. */
function queryTerms(
  query: Pick<PassageQuery, 'text' | 'language' | 'context'>,
  family: IndexedFamily,
  parts: SearchParts,
): string[] {
  const { text, language } = query;
  const lexicon = lexiconOf(language);
  const tokens = tokenise(text, language, parts.stems);
  const telling = tokens.filter(({ word }) => !lexicon.functionWords.has(word));
  const terms = new Set([
    ...(telling.length > 0 ? telling : tokens).flatMap(({ forms }) => forms),
    ...atomsOf(text),
  ]);
  const concepts = new Set<string>();
  if (parts.thesaurus) {
    const stemmed = parts.stems ? tokens : tokenise(text, language);
    for (const concept of findConcepts(stemmed, lexicon).keys()) concepts.add(concept);
    const languages = new Set(family.index.passages.map((one) => one.language));
    for (const to of languages)
      for (const word of lawWords(family.thesaurus, stemmed, language, to))
        for (const term of termsOf(word, to, parts.stems)) terms.add(term);
  }
  if (parts.contextTerms) {
    const { concepts: stated, codes } = conceptsOfContext(query.context);
    for (const concept of stated) concepts.add(concept);
    for (const code of codes) terms.add(code);
  }
  const named = [...concepts].filter((concept) => !concept.startsWith('ask.')).map(conceptTerm);
  return [...named, ...terms];
}

async function cosinesOf(
  text: string,
  family: IndexedFamily,
  encoder: PassageEncoder,
  cache: VectorCache | null,
  signal: AbortSignal | undefined,
): Promise<(number: number) => number> {
  const vectors = await family.vectors(encoder, cache, signal);
  const [own] = await encoder.encode([text], 'query', signal);
  return (number) => {
    const vector = vectors[number];
    if (!vector || !own) return 0;
    let sum = 0;
    for (let i = 0; i < own.length; i++) sum += (own[i] ?? 0) * (vector[i] ?? 0);
    return sum;
  };
}
