/** How long a question in words takes: building the index, one question over all packs, and a corpus of 5,000 passages. */
import { packageFile } from '../../daemon/runtime/package-root.js';
import { type AskMeans, answerQuestion } from '../../mcp/rules/ask/answer-question.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { densePart, fused, lexicalPart } from '../../mcp/rules/retrieval/fused-score.js';
import { HashedSubwordEncoder } from '../../mcp/rules/retrieval/hashed-subword-encoder.js';
import { indexedFamily } from '../../mcp/rules/retrieval/indexed-family.js';
import { buildPassageIndex } from '../../mcp/rules/retrieval/passage-index.js';
import { termsOf } from '../../mcp/rules/retrieval/tokenise.js';
import { tuningCache } from '../../mcp/rules/retrieval/tuning-cache.js';
import type { BenchRow } from './bench-row.js';

const rounds = 600;
const manyPassages = 5_000;
const questions = [
  'Wie schnell darf ich mit Wohnwagen auf der Landstraße fahren?',
  'Who goes first at an unmarked crossroads?',
  'Quelle distance pour doubler un cycliste ?',
  'Hoe hard mag ik op de snelweg als het regent?',
  'Posso usare il cellulare al semaforo?',
  '¿Son obligatorios los neumáticos de invierno?',
  'Korytarz życia na autostradzie',
  'Musím svítit i ve dne?',
];

export async function rulesAsk(): Promise<BenchRow[]> {
  const packs = loadRulepacks(packageFile('rulepacks'));
  const encoder = new HashedSubwordEncoder();
  const bases = [...packs.values()].filter(({ manifest }) => manifest.kind === 'base');
  const began = performance.now();
  const families = await Promise.all(bases.map((base) => indexedFamily(packs, base)));
  await Promise.all(families.map((family) => family.vectors(encoder, null)));
  const buildMs = performance.now() - began;
  const count = families.reduce((sum, { index }) => sum + index.passages.length, 0);
  const means: AskMeans = { encoder, vectors: null, tuning: tuningCache(null, () => {}).source };
  const ask = (i: number) =>
    answerQuestion(
      packs,
      {
        query: questions[i % questions.length] ?? '',
        jurisdiction: bases[i % bases.length]?.manifest.id ?? '',
        asOf: '2026-11-30',
        language: null,
        context: { road: 'motorway' },
        passageCount: 5,
      },
      means,
    );
  for (let i = 0; i < rounds / 4; i++) await ask(i); // tunes every country once and warms the compiler
  const tookMs = new Float64Array(rounds);
  for (let i = 0; i < rounds; i++) {
    const start = performance.now();
    await ask(i);
    tookMs[i] = performance.now() - start;
  }
  tookMs.sort();
  return [
    {
      name: `index of all packs: ${count} passages, lexicons read too`,
      unit: 'ms',
      value: buildMs,
      target: 5_000,
    },
    {
      name: 'one question, language told by its words, median',
      unit: 'ms',
      value: tookMs[rounds / 2] ?? Number.NaN,
    },
    {
      name: 'one question, p99',
      unit: 'ms',
      value: tookMs[Math.floor(rounds * 0.99)] ?? Number.NaN,
      target: 20,
    },
    {
      name: `one question over ${manyPassages} passages, p99`,
      unit: 'ms',
      value: await overMany(),
      target: 60,
    },
  ];
}

/** Every passage of the packs again and again up to 5,000, scored lexically and densely by the index itself. */
async function overMany(): Promise<number> {
  const packs = loadRulepacks(packageFile('rulepacks'));
  const encoder = new HashedSubwordEncoder();
  const bases = [...packs.values()].filter(({ manifest }) => manifest.kind === 'base');
  const families = await Promise.all(bases.map((base) => indexedFamily(packs, base)));
  const own = families.flatMap(({ index: { passages } }) => passages);
  const passages = Array.from({ length: manyPassages }, (_, i) => own[i % own.length]).flatMap(
    (one) => one ?? [],
  );
  const index = await buildPassageIndex(passages);
  const vectors = await encoder.encode(passages.map(({ text }) => text));
  const filter = { packIds: [...packs.keys()], asOf: '2026-11-30', language: null };
  const took: number[] = [];
  for (let i = 0; i < 100; i++) {
    const text = questions[i % questions.length] ?? '';
    const start = performance.now();
    const scores = index.scores(termsOf(text, 'de'), filter);
    const best = Math.max(0, ...scores.values());
    const [query] = await encoder.encode([text]);
    const ranked = index.allowed(filter).map((number) => {
      const vector = vectors[number];
      let cosine = 0;
      for (let k = 0; k < encoder.dimensions; k++) cosine += (query?.[k] ?? 0) * (vector?.[k] ?? 0);
      const dense = densePart(cosine, encoder.randomCosine);
      return fused(lexicalPart(scores.get(number) ?? 0, best, 4), dense, 0.2);
    });
    ranked.sort((a, b) => b - a);
    took.push(performance.now() - start);
  }
  index.close();
  return took.sort((a, b) => a - b)[98] ?? Number.NaN;
}
