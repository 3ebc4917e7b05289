import { noteTexts } from '../sources/logs/damage-codes.js';
import type { ReadLog } from './read-log.js';
import type { Terminal } from './terminal.js';

/** What could not be read, or is odd about what was read, on stderr: how much, and the first places. */
export function sayFindings(log: ReadLog, terminal: Terminal): void {
  if (log.damaged > 0) {
    terminal.message(
      `drivemcp: ${log.damaged.toLocaleString('en-US')} damaged part${log.damaged === 1 ? '' : 's'} of the log left out`,
    );
    for (const { line, code, message } of log.firstDiagnostics
      .filter(({ code }) => !(code in noteTexts))
      .slice(0, 5)) {
      terminal.message(`  line ${line}: ${message} [${code}]`);
    }
  }
  for (const [code, times] of log.diagnosticsByCode) {
    const first = log.firstDiagnostics.find((one) => one.code === code);
    if (!(code in noteTexts) || first === undefined) continue;
    const often = times === 1 ? '' : ` (${times.toLocaleString('en-US')} times, the first here)`;
    terminal.message(`drivemcp: line ${first.line}: ${first.message}${often} [${code}]`);
  }
}
