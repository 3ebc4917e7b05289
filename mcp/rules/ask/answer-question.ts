/**
 * Answers a driver's question: the limit or the rule of conduct from the evaluator, and the provisions it is found in.
 * No number comes from search: a passage explains, it never decides.
 */

import type { SignMeaning } from '../../../daemon/core/signs/sign-meanings.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { giveTurn } from '../../shared/give-turn.js';
import { type FlatContext, parseFlatContext } from '../evaluate/flat-context.js';
import { resolveJurisdiction } from '../evaluate/jurisdiction.js';
import { readSign } from '../evaluate/posted.js';
import { detectLanguage } from '../lexicon/detect-language.js';
import { openLexicons } from '../lexicon/load-lexicons.js';
import type { PassageEncoder } from '../retrieval/passage-encoder.js';
import { plainQuestion } from '../retrieval/question-text.js';
import {
  allParts,
  type FoundPassage,
  type RestsOn,
  type SearchParts,
  searchPassages,
} from '../retrieval/search-passages.js';
import { isLanguage, type Language } from '../retrieval/stem-word.js';
import { type TuningSource, untuned } from '../retrieval/tuning.js';
import type { VectorCache } from '../retrieval/vector-cache.js';
import type { RulepackSet } from '../rules-expert.js';
import type { SignTable } from '../signs/sign-table.js';
import { signTableOfPack } from '../signs/sign-table-of-pack.js';
import { askedPlace } from './asked-place.js';
import { decide } from './decide-answer.js';
import { readQuestion } from './read-question.js';
import { statedFacts } from './stated-facts.js';
import { statedSigns } from './stated-signs.js';

export interface AskRequest {
  /** any text: it is made plain first, and what is dropped is told in `notes` */
  readonly query: string;
  /** any spelling: `DEU`, `GBR/WLS`, `FRA-75056`; unknown ones answer `unknown_conservative` */
  readonly jurisdiction: string;
  /** ISO date */
  readonly asOf: string;
  /** of the question; null = told by its words */
  readonly language: Language | null;
  /** flat context as of `rules limit`; what it knows wins over what the question states */
  readonly context: unknown;
  /** passages wanted, 1…50 */
  readonly passageCount: number;
}

/** What search needs besides the packs. All of it may be left out. */
export interface AskMeans {
  readonly encoder: PassageEncoder | null;
  readonly vectors: VectorCache | null;
  /** λ and score floor of a country's packs */
  readonly tuning: TuningSource | null;
  readonly parts?: SearchParts;
}

export interface AskAnswer {
  /** as `rules limit` prints it, or with `topic` as for conduct */
  readonly answer: JsonObject;
  readonly language: Language;
  /** facts that were read from the question and used */
  readonly stated: FlatContext;
  readonly passages: readonly FoundPassage[];
  /** λ that was used */
  readonly lambda: number;
  /** what was dropped or left open, for people */
  readonly notes: readonly string[];
}

/**
 * @param signal withdraws the question: its work ends between two steps of some ten milliseconds
 * @throws DriveMcpError RULES_BAD_CONTEXT, RULEPACK_INVALID where a lexicon is broken, ENCODER_UNAVAILABLE; the reason of
 * `signal`
 */
export async function answerQuestion(
  packs: RulepackSet,
  request: AskRequest,
  means: AskMeans,
  signal?: AbortSignal,
): Promise<AskAnswer> {
  const given = parseFlatContext(request.context);
  const { text, dropped } = plainQuestion(request.query);
  const { jurisdiction, notes: placeNotes } = askedPlace(text, request.jurisdiction, packs, request.asOf);
  const base = resolveJurisdiction(jurisdiction, packs, request.asOf)?.packs[0] ?? null;
  const native = base?.manifest.language[0] ?? 'en';
  if (request.language === null) await openLexicons(signal);
  await giveTurn(signal);
  const language = request.language ?? detectLanguage(text, isLanguage(native) ? native : 'en');
  const question = readQuestion(text, language, given);
  const table = base === null ? null : signTableOfPack(base);
  const stated = { ...statedFacts(question, given), ...statedSigns(question, table, given) };
  const context: FlatContext = { ...stated, ...given };
  const answer = decide(packs, jurisdiction, request.asOf, question, context, meaningOf(table, context));
  const parts = means.parts ?? allParts;
  const tuning =
    base === null ? untuned : ((await means.tuning?.(packs, base, means.encoder, signal)) ?? untuned);
  const found = await searchPassages(
    packs,
    {
      text,
      language,
      jurisdiction,
      asOf: request.asOf,
      context,
      restsOn: provisionsOf(answer),
      limit: request.passageCount,
      lambda: tuning.lambda,
      scoreFloor: tuning.scoreFloor,
      parts,
    },
    means.encoder,
    means.vectors,
    signal,
  );
  const notes = [...placeNotes, ...dropped.map((what) => `left out: ${what}`)];
  if (found.droppedTerms > 0) notes.push(`left out: ${found.droppedTerms} words of a very long question`);
  return { answer, language, stated, passages: found.passages, lambda: tuning.lambda, notes };
}

function meaningOf(table: SignTable | null, { sign }: FlatContext): SignMeaning | null {
  const code = sign === undefined ? null : (readSign(sign)?.code ?? null);
  return table?.signs.find((row) => row.code === code)?.meaning ?? null;
}

function provisionsOf(answer: JsonObject): RestsOn[] {
  const citations = answer['citations'] as unknown as { doc_id: string; span: [number, number] }[];
  return citations.map(({ doc_id, span }) => ({ docId: doc_id, span }));
}
