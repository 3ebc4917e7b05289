// Reads TAP 14 on stdin and prints what people and CI want to see: a line a test file, the details of each
// failure, every reason for a skip with its count, and last "N passed, N failed, N skipped".
// Only leaf test points count: a subtest's own line repeats what its points said.
import { createInterface } from 'node:readline';

const failedChecks = Number(process.argv[process.argv.indexOf('--failed-checks') + 1] ?? 0) || 0;
const counts = { passed: 0, failed: failedChecks, skipped: 0 };
const skips = new Map();
let deepest = 0; // deepest test point since the last one at a shallower level
let failedBefore = failedChecks; // failures before the present file
let failing = null; // indentation of the diagnostic block that belongs to a failure
let bailed = null;
let streams = 0; // TAP documents that began, each with a version line …
let plans = 0; // … and those that came to their plan

for await (const line of createInterface({ input: process.stdin })) {
  const indent = line.length - line.trimStart().length;
  const text = line.trimStart();
  if (text.startsWith('Bail out!')) bailed = text;
  if (indent === 0 && text.startsWith('TAP version')) streams++;
  if (indent === 0 && /^1\.\.\d+/.test(text)) plans++;
  if (failing !== null) {
    if (text === '' || (indent > failing && !/^(not )?ok \d/.test(text)) || text === '...') {
      console.log(line);
      if (text === '...') failing = null;
      continue;
    }
    failing = null;
  }
  const point = /^(not )?ok \d+(?: - )?(.*)$/.exec(text);
  if (!point) continue;
  const isParent = deepest > indent || text.endsWith('{');
  deepest = indent;
  const [, not, rest] = point;
  const skip = / # SKIP ?(.*)$/i.exec(rest);
  if (!isParent || skip) {
    if (skip) {
      counts.skipped++;
      const reason = skip[1].replace(/ # time=.*/, '') || 'no reason given';
      skips.set(reason, (skips.get(reason) ?? 0) + 1);
    } else if (not && !/ # TODO/i.test(rest)) counts.failed++;
    else counts.passed++;
  } else if (not && indent === 0 && counts.failed === failedBefore) {
    // A file that died (a signal, a time-out) fails as a whole without a failing point of its own.
    counts.failed++;
  }
  if (indent === 0) failedBefore = counts.failed;
  if (not) {
    console.log(line);
    failing = indent;
  } else if (indent === 0) console.log(`ok  ${rest.replace(/ # time=/, '  ')}`);
}

for (const [reason, count] of skips) console.log(`skipped ${count}: ${reason}`);
if (bailed) console.log(bailed);
const incomplete = bailed !== null || streams === 0 || plans < streams;
if (incomplete) {
  counts.failed++;
  console.log('the test run ended before its plan: counted as a failure');
}
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
