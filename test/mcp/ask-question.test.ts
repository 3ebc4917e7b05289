/** What a question states and asks, and how well the questions of packs and corpus are answered. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { type AskMeans, answerQuestion } from '../../mcp/rules/ask/answer-question.js';
import { massT, timeOfDay, visibilityM } from '../../mcp/rules/ask/stated-numbers.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { evaluateGold } from '../../mcp/rules/quality/evaluate-gold.js';
import { parseGold } from '../../mcp/rules/quality/gold-queries.js';
import { figures } from '../../mcp/rules/quality/summarise.js';
import { HashedSubwordEncoder } from '../../mcp/rules/retrieval/hashed-subword-encoder.js';
import { tuningCache } from '../../mcp/rules/retrieval/tuning-cache.js';
import { corpusFile, corpusMissing } from '../helpers/paths.js';

const packs = loadRulepacks(packageFile('rulepacks'));
const means: AskMeans = {
  encoder: new HashedSubwordEncoder(),
  vectors: null,
  tuning: tuningCache(null, () => {}).source,
};
const ask = (query: string, jurisdiction: string, context: unknown = {}) =>
  answerQuestion(
    packs,
    { query, jurisdiction, asOf: '2026-11-30', language: null, context, passageCount: 5 },
    means,
  );

t.test('facts are read from the question, negated ones are not, and the context wins', async (t) => {
  const stated = async (query: string, context: unknown = {}, place = 'DEU') =>
    (await ask(query, place, context)).stated;
  t.strictSame(await stated('Ich fahre einen LKW mit 7,5 t auf der Landstraße'), {
    road: 'rural',
    vehicle: 'hgv',
    mass_t: 7.5,
  });
  t.strictSame(await stated('Es regnet und das Schild zeigt 80 mit Zusatz bei Nässe'), {
    wet: true,
    sign: '274-80',
    plate: '1053-35',
  });
  t.strictSame(await stated('Es regnet und das Schild zeigt 80', { wet: false, sign: '274-60' }), {});
  t.match(await stated('Autobahn ohne Anhänger, kein Regen'), { road: 'motorway' });
  t.notOk('wet' in (await stated('Autobahn, kein Regen')));
  t.notOk('vehicle' in (await stated('Autobahn ohne Anhänger')));
  t.match(await stated('Towing a caravan on the motorway', {}, 'GBR'), {
    road: 'motorway',
    vehicle: 'car_trailer',
  });
  t.match(await stated('Ciężarówka 12 ton poza terenem zabudowanym', {}, 'POL'), {
    road: 'rural',
    vehicle: 'hgv',
    mass_t: 12,
  });
  t.match(await stated('Brouillard sur autoroute, visibilité 40 mètres', {}, 'FRA'), {
    road: 'motorway',
    visibility_m: 40,
  });
});

t.test('the number of a question without context is that of the rule', async (t) => {
  for (const [query, place, expected] of [
    ['Wie schnell mit Wohnwagen auf der Landstraße?', 'DEU', 80],
    ['Ich fahre einen LKW mit 12 Tonnen außerorts, welches Tempo?', 'DEU', 60],
    ['Vitesse sur autoroute quand il pleut ?', 'FRA', 110],
    ['How fast on a French motorway in the rain?', 'FRA', 110],
    ['Neopatentato in autostrada, limite?', 'ITA', 100],
    ['Hoe hard mag ik in de bebouwde kom?', 'NLD', 50],
    ['Ile mogę jechać autostradą?', 'POL', 140],
  ] as const) {
    const { answer } = await ask(query, place);
    t.match(answer, { limit: { value: expected } }, query);
  }
});

t.test('numbers with units, in eight languages', async (t) => {
  t.equal(massT('12-Tonner auf der Landstraße'), 12);
  t.equal(massT('truck over 7.5 tonnes'), 7.501);
  t.equal(massT('plus de 3,5 tonnes'), 3.501);
  t.equal(massT('bis 3,5 t'), 3.5);
  t.equal(massT('80 km/h'), null);
  t.equal(visibilityM('Sicht unter 50 m'), 49.999);
  t.equal(visibilityM('vielleicht 40 Meter'), 40);
  t.equal(timeOfDay('es ist 15 Uhr'), '15:00');
  t.equal(timeOfDay('at 3 pm'), '15:00');
  t.equal(timeOfDay('um 22:30 Uhr'), '22:30');
  t.equal(timeOfDay('Zusatzschild 22-6 h'), null, 'hours of a plate are no time of day');
  t.equal(timeOfDay('zwischen 22-06 Uhr'), null);
});

t.test('no pack, no number; bad input is bad input; a sign is passed on with the slower unit', async (t) => {
  const unknown = await ask('How fast on this country road?', 'HR', { road: 'rural' });
  t.match(unknown.answer, { legal_action: 'unknown_conservative', limit: null, citations: [] });
  t.strictSame(unknown.passages, []);
  const seen = await ask('Round sign with 50 and a red border', '?', { sign: '50' });
  t.match(seen.answer, {
    legal_action: 'unknown_conservative',
    limit: { value: 50, unit: 'km/h' },
    qualifier: 'conservative_unit',
  });
  await t.rejects(ask('x', 'DEU', { rode: 'rural' }), { code: 'RULES_BAD_CONTEXT' });
});

t.test('any question is answered, and every passage is found where it says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('DEU', 'GBR/WLS', 'FRA-75056', 'NLD', 'XX', ''),
      async (query, place) => {
        const { passages, answer } = await ask(query, place);
        for (const { passage, score, bm25, cos } of passages) {
          const versions = packs.get(passage.packId)?.documents.get(passage.docId) ?? [];
          const [start, end] = passage.span;
          if (!versions.some(({ body }) => body.slice(start, end) === passage.text)) return false;
          if (![score, bm25, cos].every((part) => part >= 0 && part <= 1)) return false;
        }
        return typeof answer['legal_action'] === 'string';
      },
    ),
    { numRuns: 60 },
  );
});

const measured = async (text: string, file: string) => {
  const gold = parseGold(text, file).filter(
    ({ pack }) => pack == null || packs.has(pack.replace(/-VSL$/, '')),
  );
  return figures(await evaluateGold(packs, gold, means)) as Record<string, number>;
};

t.test('questions that packs come with', async (t) => {
  const lines = [...packs.values()].flatMap(({ folder }) => {
    const file = join(folder, 'tests', 'queries.jsonl');
    return existsSync(file) ? [readFileSync(file, 'utf8')] : [];
  });
  const found = await measured(lines.join('\n'), 'tests/queries.jsonl');
  t.ok((found['limit_accuracy'] ?? 0) >= 0.97, `limit accuracy ${found['limit_accuracy']}`);
  t.equal(found['unsafe_errors'], 0);
  t.ok((found['ndcg5'] ?? 0) >= 0.9, `nDCG@5 ${found['ndcg5']}`);
  t.equal(found['citations_resolve'], 1);
});

t.test('what drivers ask in eight languages, the facts in their own words', async (t) => {
  const text = readFileSync(packageFile('test', 'fixtures', 'driver-questions.jsonl'), 'utf8');
  const rows = await evaluateGold(packs, parseGold(text, 'driver-questions.jsonl'), means);
  const wrong = rows.filter((row) => row.isLimitRight === false || row.isActionRight === false);
  t.strictSame(
    wrong.map(({ query, limit, legalAction }) => ({ asked: query.q, limit, legalAction })),
    [],
  );
  t.equal(figures(rows)['unsafe_errors'], 0);
});

const gold = corpusFile('rules', 'gold.jsonl');
t.test('questions of the corpus', { skip: gold === null ? corpusMissing : false }, async (t) => {
  const found = await measured(readFileSync(gold ?? '', 'utf8'), 'gold.jsonl');
  t.ok((found['limit_accuracy'] ?? 0) >= 0.97, `limit accuracy ${found['limit_accuracy']}`);
  t.equal(found['unsafe_errors'], 0);
  t.ok((found['ndcg5'] ?? 0) >= 0.8, `nDCG@5 ${found['ndcg5']}`);
});
