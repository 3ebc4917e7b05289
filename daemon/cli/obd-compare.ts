/** Holds values against `obd-parser`, where somebody has installed it: for the five PIDs that it decodes rightly. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { DriveMcpError } from '../core/errors.js';
import { packageFile } from '../runtime/package-root.js';
import type { DiagnosticMessage } from '../vehicles/diagnostics/diagnostic-message.js';

/** Coolant, engine speed, vehicle speed, air flow, throttle. Others of its values are wrong (load: raw / 2.5). */
const comparedPids: readonly number[] = [0x05, 0x0c, 0x0d, 0x10, 0x11];
/** Both round once or twice in another order. */
const relativeTolerance = 1e-12;
/** answers that wait for its opinion; beyond, they are left out and counted */
const waitingMaxCount = 1000;

export interface ComparisonResult {
  readonly compared: number;
  readonly equal: number;
  readonly different: readonly {
    readonly raw: string;
    readonly ours: number;
    readonly theirs: number | null;
  }[];
  readonly left_out: number;
}

export interface Comparison {
  give(message: DiagnosticMessage): void;
  end(): Promise<ComparisonResult>;
}

/** @throws DriveMcpError FILE_MISSING where the package is not installed */
export async function openComparison(packageName: string): Promise<Comparison> {
  const script = packageFile('dist', 'daemon', 'cli', 'obd-compare-child.js');
  const child = spawn(process.execPath, [script, packageName], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {}); // it has ended; what it did not answer is left out
  const waiting: { readonly raw: string; readonly ours: number }[] = [];
  const different: { raw: string; ours: number; theirs: number | null }[] = [];
  let compared = 0;
  let leftOut = 0;
  const lines = createInterface({ input: child.stdout });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const isThere = await new Promise<boolean>((resolve) => {
    lines.once('line', () => resolve(true));
    void ended.then(() => resolve(false));
  });
  if (!isThere) {
    throw new DriveMcpError('FILE_MISSING', `${packageName} is not installed here`, {
      hint: `npm install --no-save ${packageName} (GPL-3.0; it stays in a process of its own and is no part of this program)`,
    });
  }
  lines.on('line', (line) => {
    const asked = waiting.shift();
    if (asked === undefined) return;
    const { value: theirs } = JSON.parse(line) as { value: number | null };
    compared++;
    const isEqual =
      theirs !== null && Math.abs(theirs - asked.ours) <= relativeTolerance * Math.abs(asked.ours);
    if (!isEqual) different.push({ ...asked, theirs });
  });
  return {
    give: ({ service, pid, values, raw }) => {
      const ours = Object.values(values ?? {})[0]?.value;
      if (service !== 1 || pid === undefined || !comparedPids.includes(pid) || typeof ours !== 'number')
        return;
      if (waiting.length >= waitingMaxCount) {
        leftOut++;
        return;
      }
      const hex = Buffer.from(raw).toString('hex').toUpperCase();
      waiting.push({ raw: hex, ours });
      child.stdin.write(`${hex}\n`);
    },
    end: async () => {
      child.stdin.end();
      await ended;
      return { compared, equal: compared - different.length, different, left_out: leftOut + waiting.length };
    },
  };
}
