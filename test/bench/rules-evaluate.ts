/** How long the law of a place takes: reading all packs, and one question of a tick. */
import { packageFile } from '../../daemon/runtime/package-root.js';
import { evaluateLimit } from '../../mcp/rules/evaluate/evaluate-limit.js';
import { parseFlatContext } from '../../mcp/rules/evaluate/flat-context.js';
import { loadRulepacks } from '../../mcp/rules/format/load-pack.js';
import { rulesOf } from '../../mcp/rules/rules-expert.js';
import type { BenchRow } from './bench-row.js';

const rounds = 20_000;
const situations = [
  { road: 'motorway', vehicle: 'car', wet: true, sign: '274-80', plate: '1053-35' },
  { road: 'rural', vehicle: 'hgv', mass_t: 18 },
  { road: 'motorway', gantry: '100|80|redx', lane_from_verge: 2 },
  { road: 'urban', lit: true, sign: '30' },
].map(parseFlatContext);

export async function rulesEvaluate(): Promise<BenchRow[]> {
  const began = performance.now();
  const packs = loadRulepacks(packageFile('rulepacks'));
  const loadMs = performance.now() - began;
  const places = ['DEU', 'GBR/SCT', 'GBR', 'FRA'].flatMap(
    (place) => rulesOf(packs, place, '2026-11-30') ?? [],
  );
  const tookUs = new Float64Array(rounds);
  for (let i = 0; i < rounds * 2; i++) {
    const rules = places[i % places.length];
    const situation = situations[(i >> 2) % situations.length];
    if (!rules || !situation) break;
    const start = process.hrtime.bigint();
    evaluateLimit(rules, situation);
    // The first half warms the compiler.
    if (i >= rounds) tookUs[i - rounds] = Number(process.hrtime.bigint() - start) / 1000;
  }
  tookUs.sort();
  return [
    { name: `all ${packs.size} rulepacks read and checked, cold process`, unit: 'ms', value: loadMs },
    { name: 'one limit evaluated, median', unit: 'µs', value: tookUs[rounds / 2] ?? Number.NaN },
    {
      name: 'one limit evaluated, p99',
      unit: 'µs',
      value: tookUs[Math.floor(rounds * 0.99)] ?? Number.NaN,
      target: 50,
    },
  ];
}
