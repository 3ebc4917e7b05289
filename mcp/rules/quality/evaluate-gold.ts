/** Asks every question of a file and compares: provisions found, limit, action. */
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type AskMeans, answerQuestion } from '../ask/answer-question.js';
import { resolveJurisdiction } from '../evaluate/jurisdiction.js';
import { languageOf } from '../lexicon/load-lexicons.js';
import type { RulepackSet } from '../rules-expert.js';
import type { GoldQuery } from './gold-queries.js';
import { type AnsweredLimit, isSameLimit, isUnsafe, limitOf } from './judge-limit.js';
import { type RankingScores, rankingScores } from './ranking-metrics.js';

export interface EvaluatedQuery {
  readonly query: GoldQuery;
  readonly ranked: readonly string[];
  readonly limit: AnsweredLimit | null;
  readonly legalAction: string;
  /** null where nothing is relevant */
  readonly scores: RankingScores | null;
  /** null where no limit is expected or excluded */
  readonly isLimitRight: boolean | null;
  readonly isUnsafe: boolean;
  /** null where no action is expected */
  readonly isActionRight: boolean | null;
  /** the question is in another language than the law */
  readonly isCrossLingual: boolean;
  /** every passage and citation can be found in its document */
  readonly citesResolve: boolean;
  readonly lambda: number;
}

export const rankedCount = 10;

/** @throws DriveMcpError RULES_BAD_CONTEXT naming the question */
export async function evaluateQuery(
  packs: RulepackSet,
  query: GoldQuery,
  means: AskMeans,
  signal?: AbortSignal,
): Promise<EvaluatedQuery> {
  const { answer, passages, lambda } = await answerQuestion(
    packs,
    {
      query: query.q,
      jurisdiction: query.jurisdiction,
      asOf: query.as_of,
      language: languageOf(query.lang),
      context: query.context,
      passageCount: rankedCount,
    },
    means,
    signal,
  );
  const ranked = [...new Set(passages.map(({ passage }) => passage.id))];
  const limit = limitOf(answer);
  const legalAction = String(answer['legal_action']);
  const expected = query.expected_limit;
  const base = resolveJurisdiction(query.jurisdiction, packs, query.as_of)?.packs[0];
  const native = base?.manifest.language ?? [];
  return {
    query,
    ranked,
    limit,
    legalAction,
    scores: rankingScores(ranked, query.relevant),
    isLimitRight: expected === undefined ? null : isSameLimit(limit, expected),
    isUnsafe: expected !== undefined && isUnsafe(limit, expected),
    isActionRight: query.legal_action === undefined ? null : query.legal_action === legalAction,
    isCrossLingual: base !== undefined && !native.includes(languageOf(query.lang) ?? query.lang),
    citesResolve: passages.every(({ passage }) => {
      const versions = packs.get(passage.packId)?.documents.get(passage.docId) ?? [];
      const [start, end] = passage.span;
      return passage.text !== '' && versions.some(({ body }) => body.slice(start, end) === passage.text);
    }),
    lambda,
  };
}

/** All questions in turn; an abort ends it with those that were asked. */
export async function evaluateGold(
  packs: RulepackSet,
  gold: readonly GoldQuery[],
  means: AskMeans,
  signal?: AbortSignal,
): Promise<EvaluatedQuery[]> {
  const rows: EvaluatedQuery[] = [];
  for (const query of gold) {
    if (signal?.aborted) break;
    try {
      rows.push(await evaluateQuery(packs, query, means, signal));
    } catch (error) {
      if (signal?.aborted) break;
      if (!(error instanceof DriveMcpError) || error.code !== 'RULES_BAD_CONTEXT') throw error;
      throw new DriveMcpError('CASES_INVALID', `${query.id}: ${error.message}`, {
        location: { key: `context.${error.location.key ?? ''}` },
        hint: 'the context takes the keys of rules limit --context',
        cause: error,
      });
    }
  }
  return rows;
}
