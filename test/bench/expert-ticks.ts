/**
 * A process that ticks at 20 Hz and asks its experts every second tick: `expert-ticks.js calm|trouble`. In trouble one
 * hangs, one answers with ten megabytes, one dies at once. Prints how late each tick was.
 */

import { toolNames } from '../../daemon/core/router/expert-calls.js';
import { timerfdClock } from '../../daemon/runtime/tick-clock.js';
import { type HostModule, loadHost } from '../../native/index.js';
import { callOf, clientsOf, poolOf, processExperts, questions } from './expert-rig.js';

const periodUs = 50_000;
const seconds = Number(process.env['DRIVEMCP_BENCH_SECONDS'] ?? 20);
const isTrouble = process.argv[2] === 'trouble';
const host = loadHost().module as HostModule;
const experts = processExperts(
  isTrouble
    ? { rules: 'hang', weather: 'flood', can: 'crash-loop' }
    : { rules: 'calm', weather: 'calm', can: 'calm' },
);
const pool = poolOf(clientsOf(experts));
await experts.ready(30_000);
const clock = timerfdClock(host, periodUs);
const startUs = clock.monoUs() + periodUs;
const lateUs: number[] = [];
let missed = 0;
for (let tick = 0; tick < (seconds * 1e6) / periodUs; tick++) {
  await clock.sleepUntilUs(startUs + tick * periodUs);
  const late = clock.monoUs() - startUs - tick * periodUs;
  const skipped = Math.floor(Math.max(0, late) / periodUs);
  missed += skipped;
  tick += skipped;
  lateUs.push(Math.round(Math.max(0, late)));
  const tUs = tick * periodUs;
  pool.takeAnswers(tUs);
  if (tick % 2 === 1) continue;
  for (const tool of toolNames) {
    const id = `${tick}-${tool}`;
    const request = { id, tool, call: callOf(tool), key: id, args: questions[tool], reason: [] };
    pool.submit({ ...request, deadlineUs: tool === 'rules' ? 300_000 : 100_000 }, tUs);
  }
}
clock.close();
const counted = pool.counters();
await pool.close();
await experts.close();
process.stdout.write(JSON.stringify({ ticks: lateUs.length, missed, lateUs, counted }), () =>
  process.exit(0),
);
