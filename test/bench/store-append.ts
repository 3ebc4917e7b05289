/** Cost of the audit store on the thread of the tick, and time until a record is durable. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '../../daemon/core/tick.js';
import { openStore } from '../../daemon/store/open-store.js';
import { runStart } from '../store/store-fixture.js';
import type { BenchRow } from './bench-row.js';

/** ticks until the code is compiled; not measured */
const warmUp = 1000;
const ticks = 4000;
const urgent = 100;

/** Rows of the benchmark; `folder` on the disk that is to be measured. */
export async function storeAppend(folder = tmpdir()): Promise<BenchRow[]> {
  const stateDir = mkdtempSync(join(folder, 'drivemcp-bench-'));
  const store = await openStore({ stateDir });
  store.beginRun(runStart('bench'));
  const appendUs = new Float64Array(ticks);
  for (let tick = -warmUp; tick < ticks; tick++) {
    const entries: AuditEntry[] = [{ kind: 'decision', commit: 'group', body: decisionBody(tick) }];
    const from = performance.now();
    store.append(tick, tick * 50_000, 0, entries);
    if (tick >= 0) appendUs[tick] = (performance.now() - from) * 1000;
    if (tick % 64 === 0) await store.flush();
  }
  const durableMs = new Float64Array(urgent);
  for (let i = 0; i < urgent; i++) {
    const tick = ticks + i;
    const from = performance.now();
    store.append(tick, tick * 50_000, 0, [{ kind: 'act', commit: 'now', body: decisionBody(tick) }]);
    await store.whenDurable(tick, 10_000);
    durableMs[i] = performance.now() - from;
  }
  const groupMs = new Float64Array(8);
  for (let i = 0; i < groupMs.length; i++) {
    const tick = ticks + urgent + i;
    const from = performance.now();
    store.append(tick, tick * 50_000, 0, [{ kind: 'decision', commit: 'group', body: decisionBody(tick) }]);
    while (store.state().durableTick < tick) await new Promise((resolve) => setTimeout(resolve, 1));
    groupMs[i] = performance.now() - from;
  }
  await store.close();
  rmSync(stateDir, { recursive: true });
  return [
    { name: 'audit append on the caller, p50', unit: 'us', value: quantile(appendUs, 0.5) },
    { name: 'audit append on the caller, p99', unit: 'us', value: quantile(appendUs, 0.99), target: 50 },
    { name: 'urgent record durable, p50', unit: 'ms', value: quantile(durableMs, 0.5) },
    { name: 'urgent record durable, p99', unit: 'ms', value: quantile(durableMs, 0.99) },
    { name: 'grouped record durable, max', unit: 'ms', value: quantile(groupMs, 1), target: 250 },
  ];
}

/** About what a decision's record holds: 2 kB of numbers, reasons and words. */
function decisionBody(tick: number): AuditEntry['body'] {
  const numbers = (n: number) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`n${i}`, (tick + i) / 7]));
  return {
    v: 1,
    mode: 'NORMAL',
    arbitration: { decision: 'speak', blocked_by: ['no_rss_violation', 'margin'], confirm: 0, held: false },
    events: [{ type: 'low_friction', score: 0.7, eta: 0.5, payload: { surface: 'wet' } }],
    safety: { ...numbers(20), inputs: numbers(8) },
    world_state: { ...numbers(12), leads: [{ id: 'lead', gapM: 30.5, closingMps: 2.25, inPath: 1 }] },
    fused: { legal: { mps: 27.78, unit: 'km/h', value: 100 }, advice: numbers(4), headway: 2.4 },
    passages: [{ doc_id: 'de:stvo:p3', offset: 458, length: 251, rulepack_version: 'DEU@1.0.0' }],
    utterance: { l1: 'Slippery road: keep to 50 mph.', l2: 'Rain was observed. '.repeat(8), lang: 'en' },
  };
}

function quantile(values: Float64Array, q: number): number {
  const sorted = values.toSorted();
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}
