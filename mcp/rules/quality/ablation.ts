/** What each part of the search is worth: everything again with one part left out. */
import type { JsonObject } from '../../../daemon/core/tick.js';
import type { AskMeans } from '../ask/answer-question.js';
import { allParts, type SearchParts } from '../retrieval/search-passages.js';
import type { RulepackSet } from '../rules-expert.js';
import { evaluateGold } from './evaluate-gold.js';
import type { GoldQuery } from './gold-queries.js';
import { figures } from './summarise.js';

const variants: Readonly<Record<string, Partial<SearchParts>>> = {
  'without stemming': { stems: false },
  'without thesaurus': { thesaurus: false },
  'without dense': { dense: false },
  'without context terms': { contextTerms: false },
  'without answer first': { answerFirst: false },
  'search alone': { answerFirst: false, contextTerms: false },
  'search alone, without stemming': { answerFirst: false, contextTerms: false, stems: false },
  'search alone, without thesaurus': { answerFirst: false, contextTerms: false, thesaurus: false },
  'search alone, without dense': { answerFirst: false, contextTerms: false, dense: false },
  'plain BM25': { answerFirst: false, contextTerms: false, thesaurus: false, dense: false, stems: false },
};

/** Limits and actions do not change with the search, so only its figures are given. */
export async function ablation(
  packs: RulepackSet,
  gold: readonly GoldQuery[],
  means: AskMeans,
  signal?: AbortSignal,
): Promise<JsonObject> {
  const table: Record<string, JsonObject> = {};
  for (const [name, parts] of Object.entries(variants)) {
    const rows = await evaluateGold(packs, gold, { ...means, parts: { ...allParts, ...parts } }, signal);
    const { ndcg5 = null, mrr5 = null, recall5 = null } = figures(rows);
    table[name] = { ndcg5, mrr5, recall5 };
  }
  return table;
}
