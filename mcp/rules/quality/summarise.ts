/** Means over questions, in all and by pack, language and tag. */
import type { JsonObject, JsonValue } from '../../../daemon/core/tick.js';
import type { EvaluatedQuery } from './evaluate-gold.js';

/** Keys of a summary; a mean over no question is null, never 0 or NaN. */
export function figures(rows: readonly EvaluatedQuery[]): JsonObject {
  const scored = rows.flatMap(({ scores }) => scores ?? []);
  const limits = rows.filter(({ isLimitRight }) => isLimitRight !== null);
  const actions = rows.filter(({ isActionRight }) => isActionRight !== null);
  return {
    queries: rows.length,
    ndcg5: mean(scored.map(({ ndcg }) => ndcg)),
    mrr5: mean(scored.map(({ mrr }) => mrr)),
    recall5: mean(scored.map(({ recall }) => recall)),
    limit_accuracy: mean(limits.map(({ isLimitRight }) => Number(isLimitRight))),
    action_accuracy: mean(actions.map(({ isActionRight }) => Number(isActionRight))),
    unsafe_errors: rows.filter(({ isUnsafe }) => isUnsafe).length,
    citations_resolve: mean(rows.map(({ citesResolve }) => Number(citesResolve))),
  };
}

/** `DEU mono`, `DEU xling` …, then every tag. */
export function byGroup(rows: readonly EvaluatedQuery[]): JsonObject {
  const groups = new Map<string, EvaluatedQuery[]>();
  const add = (name: string, row: EvaluatedQuery): void => {
    const group = groups.get(name);
    if (group) group.push(row);
    else groups.set(name, [row]);
  };
  for (const row of rows) {
    add(`${row.query.pack ?? row.query.jurisdiction} ${row.isCrossLingual ? 'xling' : 'mono'}`, row);
    add(row.isCrossLingual ? 'all xling' : 'all mono', row);
    for (const tag of row.query.tags) add(`tag ${tag}`, row);
  }
  return Object.fromEntries(
    [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, group]) => [name, figures(group)]),
  );
}

function mean(values: readonly number[]): JsonValue {
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 1e6) / 1e6;
}
