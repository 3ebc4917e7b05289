/**
 * All benchmarks, one after the other in one process: JSON lines, first the machine, then a figure a line. On a
 * terminal a table instead. Figures are for people and for comparison within one run; no test asserts on them.
 */
import { cpus, loadavg, release, totalmem } from 'node:os';
import { type BenchRow, reaches } from './bench-row.js';

const benches: readonly (readonly [name: string, load: () => Promise<() => Promise<BenchRow[]>>])[] = [
  ['log parsing', async () => (await import('./log-parsing.js')).benchLogParsing],
  ['dbc', async () => (await import('./dbc-decode.js')).benchDbcDecode],
  ['obd decode', async () => (await import('./obd-decode.js')).benchObdDecode],
  ['core step', async () => (await import('./core-step.js')).benchCoreStep],
  ['audit store', async () => (await import('./store-append.js')).storeAppend],
  ['rules', async () => (await import('./rules-evaluate.js')).rulesEvaluate],
  ['rules ask', async () => (await import('./rules-ask.js')).rulesAsk],
  ['mcp', async () => (await import('./mcp-start.js')).mcpStart],
  ['encoders', async () => (await import('./encoders.js')).encoders],
  ['tick', async () => (await import('./tick-lateness.js')).tickLateness],
  ['experts', async () => (await import('./experts.js')).benchExperts],
  ['simulator', async () => (await import('./sim-drive.js')).simDrive],
  ['whole daemon', async () => (await import('./replay-speed.js')).replaySpeed],
];

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const isTable = process.stdout.isTTY === true && !process.argv.includes('--json');
const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  node: process.version,
  load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
};
if (isTable)
  process.stdout.write(
    `${Object.entries(machine)
      .map(([key, value]) => `${key} ${value}`)
      .join(', ')}\n`,
  );
else process.stdout.write(`${JSON.stringify({ machine })}\n`);

for (const [bench, load] of benches) {
  if (wanted.length > 0 && !wanted.some((word) => bench.includes(word))) continue;
  const run = await load();
  for (const row of await run()) {
    const isReached = reaches(row);
    if (!isTable) {
      process.stdout.write(
        `${JSON.stringify({ bench, ...row, ...(isReached === null ? {} : { reached: isReached }) })}\n`,
      );
      continue;
    }
    const value = row.value >= 100 ? row.value.toFixed(0) : row.value.toPrecision(3);
    const target = row.target === undefined ? '' : `target ${row.target}${isReached ? '' : '  MISSED'}`;
    process.stdout.write(
      `${bench.padEnd(14)} ${row.name.padEnd(62)} ${value.padStart(10)} ${row.unit.padEnd(12)} ${target}\n`,
    );
  }
}
