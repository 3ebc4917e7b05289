/** Figures of `rules eval` against values computed by hand. */
import t, { type Test } from 'tap';
import { isSameLimit, isUnsafe, limitOf } from '../../mcp/rules/quality/judge-limit.js';
import { fits, rankingScores } from '../../mcp/rules/quality/ranking-metrics.js';

const near = (t: Test, got: number | undefined, expected: number, name: string): void => {
  t.ok(got !== undefined && Math.abs(got - expected) < 1e-9, `${name}: ${got} is ${expected}`);
};

t.test('nDCG, reciprocal rank and recall at five', async (t) => {
  const relevant = [
    { id: 'de:stvo:p3.1', grade: 3 },
    { id: 'de:stvo:p17.3', grade: 1 },
  ];
  // Ideal: 7/1 + 1/log2(3). Ranked second and third: 7/log2(3) + 1/log2(4).
  const best = 7 + 1 / Math.log2(3);
  const second = rankingScores(['de:stvo:p9', 'de:stvo:p3.1', 'de:stvo:p17.3'], relevant);
  near(t, second?.ndcg, (7 / Math.log2(3) + 0.5) / best, 'nDCG');
  near(t, second?.mrr, 0.5, 'MRR');
  near(t, second?.recall, 1, 'recall');
  const all = rankingScores(['de:stvo:p3.1', 'de:stvo:p17.3'], relevant);
  near(t, all?.ndcg, 1, 'ideal order');
  t.strictSame(rankingScores(['x', 'y'], relevant), { ndcg: 0, mrr: 0, recall: 0 });
  t.strictSame(rankingScores([], relevant), { ndcg: 0, mrr: 0, recall: 0 });
  const sixth = rankingScores(['a', 'b', 'c', 'd', 'e', 'de:stvo:p3.1'], relevant);
  t.strictSame(sixth, { ndcg: 0, mrr: 0, recall: 0 }, 'the sixth is too late');
  t.equal(rankingScores(['a'], []), null, 'nothing relevant, nothing to rank');
});

t.test('a coarser id fits a finer one, counts once, and no id fits by its first letters', async (t) => {
  t.ok(fits('de:stvo:p3', 'de:stvo:p3.3.2.c'));
  t.ok(fits('de:stvo:p3.3.2.c', 'de:stvo:p3'));
  t.notOk(fits('de:stvo:p3', 'de:stvo:p30'));
  t.notOk(fits('de:stvo:p3.1', 'de:stvo:p3.2'));
  const relevant = [{ id: 'de:stvo:p3', grade: 3 }];
  const twice = rankingScores(['de:stvo:p3.1', 'de:stvo:p3.2'], relevant);
  t.strictSame(twice, { ndcg: 1, mrr: 1, recall: 1 });
});

t.test('a limit is right by value, unit and kind; unsafe is whatever is faster', async (t) => {
  const expected = { value: 50, unit: 'km/h', kind: 'mandatory' } as const;
  const limit = (value: number, unit: 'km/h' | 'mph', kind: 'mandatory' | 'advisory' = 'mandatory') => ({
    value,
    unit,
    kind,
  });
  t.ok(isSameLimit(limit(50, 'km/h'), expected));
  t.notOk(isSameLimit(limit(50, 'mph'), expected));
  t.notOk(isSameLimit(limit(50, 'km/h', 'advisory'), expected));
  t.notOk(isSameLimit(null, expected));
  t.ok(isSameLimit(null, null));
  t.notOk(isSameLimit(limit(50, 'km/h'), null));
  t.ok(isUnsafe(limit(50, 'mph'), expected), '80.5 km/h');
  t.notOk(isUnsafe(limit(31, 'mph'), expected), '49.9 km/h');
  t.ok(isUnsafe(limit(32, 'mph'), expected), '51.5 km/h');
  t.ok(isUnsafe(limit(130, 'km/h', 'advisory'), expected), 'advice above the limit');
  t.notOk(isUnsafe(null, expected));
  t.strictSame(
    limitOf({ limit: null, advisory: { value: 130, unit: 'km/h' } }),
    limit(130, 'km/h', 'advisory'),
  );
  t.strictSame(limitOf({ limit: { value: 80, unit: 'km/h' }, advisory: null, qualifier: 'if_wet' }), {
    ...limit(80, 'km/h'),
    qualifier: 'if_wet',
  });
  t.equal(limitOf({ limit: null, advisory: null }), null);
});
