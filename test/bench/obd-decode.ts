import { Readable } from 'node:stream';
import { messageJson } from '../../daemon/cli/obd-lines.js';
import { UnitSummary } from '../../daemon/cli/obd-summary.js';
import { openLog } from '../../daemon/sources/logs/open-log.js';
import { DiagnosticListener } from '../../daemon/vehicles/diagnostics/diagnostic-listener.js';
import type { BenchRow } from './bench-row.js';

const rounds = 5;
const generatedFrames = 60_000;

/**
 * `obd decode --json` from text to text, on a made log in which every frame is diagnostics: requests to all and
 * single-frame answers of two units. Processor seconds of the whole process, the best of a few rounds.
 */
export async function benchObdDecode(): Promise<BenchRow[]> {
  const content = Buffer.from(diagnosticLog());
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    const frames = await decodeAll(content);
    const used = process.cpuUsage(before);
    best = Math.max(best, frames / ((used.user + used.system) / 1e6));
  }
  return [
    {
      name: 'obd decode: candump to JSON, all frames diagnostic, generated',
      unit: 'frames/s',
      value: Math.round(best),
      target: 300_000,
    },
  ];
}

async function decodeAll(content: Buffer): Promise<number> {
  const summary = new UnitSummary();
  let chars = 0;
  const listener = new DiagnosticListener([], (message) => {
    summary.add(message);
    chars += messageJson(message).length;
  });
  const log = await openLog('-', { stdin: Readable.from([content]) });
  for (let batch = await log.next(); batch !== null; batch = await log.next()) listener.consume(batch);
  listener.finish();
  await log.close();
  if (chars === 0) throw new Error('nothing was decoded');
  return log.frames;
}

function diagnosticLog(): string {
  const lines: string[] = [];
  for (let i = 0; i < generatedFrames; i++) {
    const word = ((i * 7919) & 0xffff).toString(16).padStart(4, '0');
    const frame = [`7DF#02010C0000000000`, `7E8#04410C${word}000000`, `7E9#04410C${word}000000`][i % 3];
    lines.push(`(${(1.7e9 + i * 0.0005).toFixed(6)}) can0 ${frame}\n`);
  }
  return lines.join('');
}
