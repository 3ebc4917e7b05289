/**
 * A process of its own that asks a decoder somebody has installed for a second opinion. Its name comes from the command
 * line: nothing of ours imports it. Bytes of answers as hexadecimal lines in, one JSON line each out.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

interface ForeignPid {
  getValueForBytes(bytes: readonly string[]): unknown;
}
interface ForeignPids {
  getPidByPidCode(pid: string): ForeignPid | null;
}

const foreign = createRequire(import.meta.url)(`${process.argv[2]}/lib/pids/index`) as ForeignPids;
process.stdout.write('{"ready":true}\n');
for await (const line of createInterface({ input: process.stdin })) {
  const bytes = line.match(/../g) ?? [];
  let value: unknown = null;
  try {
    value = foreign.getPidByPidCode(bytes[1] ?? '')?.getValueForBytes(bytes) ?? null;
  } catch {
    // its opinion is that it has none
  }
  process.stdout.write(`${JSON.stringify({ value: typeof value === 'number' ? value : null })}\n`);
}
