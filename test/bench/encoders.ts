/** Encoders: how long a question takes, how long a model loads, what it costs in memory, and brute force over vectors. */
import { packageFile } from '../../daemon/runtime/package-root.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { openEncoder } from '../../mcp/rules/retrieval/open-encoder.js';
import { passagesOf } from '../../mcp/rules/retrieval/passages.js';
import { cosine } from '../../mcp/rules/retrieval/unit-vector.js';
import { noOnnxRuntime } from '../helpers/tiny-encoder.js';
import type { BenchRow } from './bench-row.js';

const questions = [
  'How fast may I drive in town when there is no sign?',
  'Mit Wohnwagen auf der Landstraße, welches Tempo ist erlaubt?',
  'Pneus neige obligatoires en montagne en décembre ?',
  'Mag mijn mistachterlicht aan bij regen?',
];
const rounds = 2000;
/** More passages than all packs have together. */
const manyPassages = 5000;

export async function encoders(): Promise<BenchRow[]> {
  const packs = loadRulepacks(packageFile('rulepacks'));
  const passages = passagesOf([...packs.values()]).map(({ title, text }) => `${title}. ${text}`);
  const names = noOnnxRuntime === false ? ['subword', 'road-words'] : ['subword'];
  const rows: BenchRow[] = [];
  for (const name of names) rows.push(...(await one(name, passages)));
  return rows;
}

async function one(name: string, passages: readonly string[]): Promise<BenchRow[]> {
  const before = residentMb();
  const began = performance.now();
  const encoder = await openEncoder(name, { stateDir: null });
  const loadMs = performance.now() - began;
  const tookMs = new Float64Array(rounds);
  for (let i = 0; i < rounds * 2; i++) {
    const start = performance.now();
    await encoder.encode([questions[i % questions.length] ?? ''], 'query');
    if (i >= rounds) tookMs[i - rounds] = performance.now() - start;
  }
  tookMs.sort();
  const startAll = performance.now();
  const vectors = await encoder.encode(passages);
  const allMs = performance.now() - startAll;
  const memoryMb = residentMb() - before;
  const many = Array.from({ length: manyPassages }, (_, i) => vectors[i % vectors.length] as Float32Array);
  const [query] = await encoder.encode([questions[0] ?? ''], 'query');
  const startSearch = performance.now();
  let best = -1;
  if (query) for (const vector of many) best = Math.max(best, cosine(query, vector));
  const searchMs = performance.now() - startSearch;
  await encoder.close();
  return [
    { name: `${name}: opened`, unit: 'ms', value: loadMs },
    { name: `${name}: one question, median`, unit: 'ms', value: tookMs[rounds / 2] ?? Number.NaN },
    {
      name: `${name}: one question, p99`,
      unit: 'ms',
      value: tookMs[Math.floor(rounds * 0.99)] ?? Number.NaN,
    },
    { name: `${name}: all ${passages.length} passages of the packs`, unit: 'ms', value: allMs },
    {
      name: `${name}: cosine with ${manyPassages} × ${encoder.dimensions}, best ${best.toFixed(2)}`,
      unit: 'ms',
      value: searchMs,
      target: 60,
    },
    { name: `${name}: memory above what was there`, unit: 'MB', value: memoryMb },
  ];
}

function residentMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
}
