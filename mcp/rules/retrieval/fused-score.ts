/**
 * S(q, d) = (1 − λ)·b + λ·c with b and c in [0, 1].
 *
 * b = s / max(s_max, s_floor): BM25 has no upper bound, so it is divided by the best score of the question, but never by
 * less than what a question of the pack's own tests reaches (s_floor): one weak hit stays weak. No hit is 0.
 * c = max(0, (cos − c₀) / (1 − c₀)): c₀ is the mean cosine of unrelated texts, so that "nothing fits" is near 0.
 * A convex sum needs few labels and beats rank fusion (Bruch, Gai, Ingber: An Analysis of Fusion Functions for Hybrid
 * Retrieval, ACM TOIS 2023).
 */

export interface FusionWeights {
  /** weight of the dense half, 0…1 */
  readonly lambda: number;
  /** > 0 */
  readonly scoreFloor: number;
}

/** @param bestScore largest BM25 score of the question */
export function lexicalPart(score: number, bestScore: number, scoreFloor: number): number {
  const scale = Math.max(bestScore, scoreFloor);
  return scale > 0 && score > 0 ? Math.min(1, score / scale) : 0;
}

export function densePart(cosine: number, randomCosine: number): number {
  if (!(randomCosine < 1)) return 0;
  return Math.min(1, Math.max(0, (cosine - randomCosine) / (1 - randomCosine)));
}

export function fused(lexical: number, dense: number, lambda: number): number {
  return (1 - lambda) * lexical + lambda * dense;
}

/** Breaks near ties only: a statute before a table of signs before guidance. */
export const tierBonus: Readonly<Record<string, number>> = { statute: 0.05, sign_table: 0.03 };
