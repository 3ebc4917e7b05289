/** nDCG, reciprocal rank and recall at five for provision ids, where a coarser id fits a finer one. */

export interface Graded {
  readonly id: string;
  /** 1…3 */
  readonly grade: number;
}

export interface RankingScores {
  readonly ndcg: number;
  readonly mrr: number;
  readonly recall: number;
}

const depth = 5;

/** `de:stvo:p3` fits `de:stvo:p3.3.2.c` and the other way round: one is the other without its last components. */
export function fits(a: string, b: string): boolean {
  return a === b || b.startsWith(`${a}.`) || a.startsWith(`${b}.`);
}

/**
 * Gains 2^grade − 1, discounts log2(rank + 1) (Järvelin and Kekäläinen, ACM TOIS 2002). A relevant provision counts once,
 * where it is first found.
 * @returns null where nothing is relevant: there is nothing to rank
 */
export function rankingScores(ranked: readonly string[], relevant: readonly Graded[]): RankingScores | null {
  if (relevant.length === 0) return null;
  const open = [...relevant].sort((a, b) => b.grade - a.grade);
  const best = open.slice(0, depth).reduce((sum, { grade }, i) => sum + gain(grade) / discount(i), 0);
  let sum = 0;
  let found = 0;
  let first = 0;
  for (const [i, id] of ranked.slice(0, depth).entries()) {
    // An exact id before one that only fits.
    const exact = open.findIndex((one) => one.id === id);
    const at = exact >= 0 ? exact : open.findIndex((one) => fits(one.id, id));
    const hit = open[at];
    if (!hit) continue;
    open.splice(at, 1);
    sum += gain(hit.grade) / discount(i);
    found++;
    if (first === 0) first = i + 1;
  }
  return {
    ndcg: sum / best,
    mrr: first === 0 ? 0 : 1 / first,
    recall: found / Math.min(depth, relevant.length),
  };
}

const gain = (grade: number): number => 2 ** grade - 1;
const discount = (index: number): number => Math.log2(index + 2);
