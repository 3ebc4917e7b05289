/** A process that ticks at 20 Hz for some seconds beside a worker that makes garbage, and prints how late each tick was. */
import { Worker } from 'node:worker_threads';
import { timerfdClock } from '../../daemon/runtime/tick-clock.js';
import { type HostModule, loadHost } from '../../native/index.js';

const periodUs = 50_000;
const seconds = Number(process.env['DRIVEMCP_BENCH_SECONDS'] ?? 10);
const host = loadHost().module as HostModule;
const priority = Number(process.argv[2] ?? 0);

// Objects of all ages, so that the collector has young and old ones to move.
const churn = new Worker(
  `const kept = []; for (;;) { kept.push(Array.from({ length: 500 }, (_, i) => ({ i, text: 'x'.repeat(i % 50) }))); if (kept.length > 400) kept.splice(0, 300); }`,
  { eval: true },
);
await new Promise((resolve) => churn.once('online', resolve));
if (priority > 0) host.realtimeThread(priority);
const clock = timerfdClock(host, periodUs);
const startUs = clock.monoUs() + periodUs;
const lateUs: number[] = [];
let missed = 0;
const total = (seconds * 1e6) / periodUs;
for (let tick = 0; tick < total; tick++) {
  await clock.sleepUntilUs(startUs + tick * periodUs);
  const late = clock.monoUs() - startUs - tick * periodUs;
  const skipped = Math.floor(Math.max(0, late) / periodUs);
  missed += skipped;
  tick += skipped;
  lateUs.push(Math.round(Math.max(0, late)));
}
clock.close();
process.stdout.write(
  JSON.stringify({ isRealtime: host.isRealtime(), ticks: lateUs.length, missed, lateUs }),
  () => process.exit(0),
);
