/**
 * λ of a country's packs, chosen on the questions that come with them: 0…1 in steps of 0.05, by nDCG@5, the smaller λ
 * where two are even. With twenty to fifty questions the best of the grid is the best of this sample, so even means: the
 * gain of the larger λ, question by question, is not above chance (one-sided 5 %: mean ≤ 1.645 standard errors; the
 * standard-error rule of Breiman et al., Classification and Regression Trees, 1984, § 3.4.3, on paired differences). It is computed from packs, lexicons and encoder alone,
 * so the same ones give the same λ on every machine, and anew whenever any file of them changes.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { giveTurn } from '../../shared/give-turn.js';
import { parseFlatContext } from '../evaluate/flat-context.js';
import { readPackFile } from '../format/pack-files.js';
import type { Rulepack } from '../format/rulepack.js';
import { languageOf } from '../lexicon/load-lexicons.js';
import { type GoldQuery, parseGold } from '../quality/gold-queries.js';
import { rankingScores } from '../quality/ranking-metrics.js';
import type { RulepackSet } from '../rules-expert.js';
import type { FusionWeights } from './fused-score.js';
import { type IndexedFamily, indexedFamily } from './indexed-family.js';
import type { PassageEncoder } from './passage-encoder.js';
import { plainQuestion } from './question-text.js';
import { allParts, type MatchedPassage, matchPassages, rankPassages } from './search-passages.js';

/** Without questions to tune by: within the range that public measurements find best (0.1–0.3). */
export const untuned: FusionWeights = { lambda: 0.2, scoreFloor: 4 };

/** Gives the weights of the family of a base pack. */
export type TuningSource = (
  packs: RulepackSet,
  base: Rulepack,
  encoder: PassageEncoder | null,
  signal?: AbortSignal,
) => Promise<FusionWeights>;

/** What λ was chosen by. */
export interface TuningEvidence extends FusionWeights {
  /** id of the base pack */
  readonly pack: string;
  readonly encoderId: string;
  readonly randomCosine: number;
  /** nDCG@5 at λ, of the search alone: what the evaluator's answer rests on is not put first here */
  readonly ndcg5: number;
  /** questions it was computed on; 0 = untuned */
  readonly queries: number;
  readonly grid: readonly { readonly lambda: number; readonly ndcg5: number }[];
}

interface Asked {
  readonly query: GoldQuery;
  readonly rows: readonly MatchedPassage[];
  readonly bestScore: number;
}

const steps = 20;
const floorPercentile = 0.2;

/**
 * @throws DriveMcpError CASES_INVALID where the pack's questions are broken, ENCODER_UNAVAILABLE; the reason of `signal`
 * between two questions
 */
export async function tuneFamily(
  packs: RulepackSet,
  base: Rulepack,
  encoder: PassageEncoder,
  signal?: AbortSignal,
): Promise<TuningEvidence> {
  const family = await indexedFamily(packs, base, signal);
  const head = { pack: family.baseId, encoderId: encoder.id, randomCosine: encoder.randomCosine };
  const asked: Asked[] = [];
  for (const query of questionsOf(family)) {
    if (query.relevant.length === 0) continue;
    await giveTurn(signal);
    const { text } = plainQuestion(query.q);
    const { rows, bestScore } = await matchPassages(
      packs,
      {
        text,
        language: languageOf(query.lang) ?? 'en',
        jurisdiction: query.jurisdiction,
        asOf: query.as_of,
        context: parseFlatContext(query.context),
        parts: { ...allParts, answerFirst: false },
      },
      encoder,
      null,
      signal,
    );
    asked.push({ query, rows, bestScore });
  }
  if (asked.length === 0) return { ...head, ...untuned, ndcg5: 0, queries: 0, grid: [] };
  const tops = asked.map(({ bestScore }) => bestScore).sort((a, b) => a - b);
  const scoreFloor = Math.max(
    1e-6,
    tops[Math.floor((tops.length - 1) * floorPercentile)] ?? untuned.scoreFloor,
  );
  const scored: { lambda: number; scores: number[] }[] = [];
  for (let step = 0; step <= steps; step++) {
    await giveTurn(signal);
    const lambda = step / steps;
    const scores = asked.map(({ query, rows, bestScore }) => {
      const ranked = rankPassages(rows, bestScore, { lambda, scoreFloor }, []);
      const ids = [...new Set(ranked.slice(0, 10).map(({ passage }) => passage.id))];
      return rankingScores(ids, query.relevant)?.ndcg ?? 0;
    });
    scored.push({ lambda, scores });
  }
  const grid = scored.map(({ lambda, scores }) => ({ lambda, ndcg5: Math.round(mean(scores) * 1e6) / 1e6 }));
  const chosen = smallestEven(scored.map(({ scores }) => scores));
  const { lambda = 0, ndcg5 = 0 } = grid[chosen] ?? {};
  return { ...head, lambda, scoreFloor, ndcg5, queries: asked.length, grid };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
/** One-sided 5 % of the normal distribution. */
const significance = 1.645;

/**
 * @param table scores of the same questions, one row a weight, smaller weights first
 * @returns the first row that the best row is not significantly better than
 */
export function smallestEven(table: readonly (readonly number[])[]): number {
  const best = table.reduce((most, row) => (mean(row) > mean(most) ? row : most), table[0] ?? []);
  const found = table.findIndex((row) => {
    const gains = best.map((score, i) => score - (row[i] ?? 0));
    const gain = mean(gains);
    const spread = gains.reduce((sum, one) => sum + (one - gain) ** 2, 0) / Math.max(1, gains.length - 1);
    return gain <= significance * Math.sqrt(spread / Math.max(1, gains.length)) + 1e-12;
  });
  return Math.max(0, found);
}

function questionsOf(family: IndexedFamily): GoldQuery[] {
  return family.packs.flatMap((pack) => {
    const path = 'tests/queries.jsonl';
    const file = join(pack.folder, path);
    return existsSync(file) ? parseGold(readPackFile(pack.folder, path), file) : [];
  });
}
