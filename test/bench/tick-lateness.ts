/**
 * How late ticks are while a worker thread of the same process churns garbage, with real-time priority on the tick's
 * thread and without. A process each, because a priority and a heap stay.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadHost } from '../../native/index.js';
import type { BenchRow } from './bench-row.js';

interface Lateness {
  readonly isRealtime: boolean;
  readonly ticks: number;
  readonly missed: number;
  readonly lateUs: readonly number[];
}

export async function tickLateness(): Promise<BenchRow[]> {
  if (loadHost().module === null) return [];
  const rows: BenchRow[] = [];
  for (const priority of [0, 10]) {
    const { isRealtime, ticks, missed, lateUs } = await measure(priority);
    if (priority > 0 && !isRealtime) continue; // not permitted here: nothing to compare
    const sorted = [...lateUs].sort((a, b) => a - b);
    const at = (share: number) =>
      (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) / 1000;
    const how = priority > 0 ? 'real-time priority' : 'ordinary priority';
    rows.push(
      { name: `tick lateness beside a garbage-churning worker, ${how}, median`, unit: 'ms', value: at(0.5) },
      { name: `… p99 of ${ticks} ticks`, unit: 'ms', value: at(0.99) },
      { name: '… worst', unit: 'ms', value: at(1) },
      { name: '… ticks missed', unit: 'ticks', value: missed },
    );
  }
  return rows;
}

async function measure(priority: number): Promise<Lateness> {
  const script = fileURLToPath(new URL('./churned-ticks.js', import.meta.url));
  const child = spawn(process.execPath, [script, String(priority)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return JSON.parse(text) as Lateness;
}
