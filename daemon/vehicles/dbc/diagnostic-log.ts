import { type DbcCode, type DbcDiagnostic, dbcCodes } from './diagnostics.js';
import { printable } from './scanner.js';
import type { LineIndex, SourcePlace } from './source-text.js';

/** Diagnostics kept for one file; beyond that they are counted. */
export const maxDiagnostics = 1000;
const maxMessageChars = 300;

/** Collects findings of one file in the order of their place. */
export class DiagnosticLog {
  readonly #entries: DbcDiagnostic[] = [];
  #dropped = 0;
  errorCount = 0;

  constructor(readonly lines: LineIndex) {}

  at(offset: number, code: DbcCode, message: string): void {
    if (this.#isDropped(code)) this.#dropped++;
    else this.report(this.lines.place(offset), code, message);
  }

  report(place: SourcePlace, code: DbcCode, message: string): void {
    const severity = dbcCodes[code];
    if (severity === 'error') this.errorCount++;
    if (this.#isDropped(code)) {
      this.#dropped++;
      return;
    }
    this.#entries.push({
      line: place.line,
      column: place.column,
      severity,
      code,
      message: printable(message).slice(0, maxMessageChars),
    });
  }

  /** An error is never dropped for the sake of warnings: the reader itself stops after a number of errors. */
  #isDropped(code: DbcCode): boolean {
    return this.#entries.length >= maxDiagnostics && dbcCodes[code] !== 'error';
  }

  finish(): DbcDiagnostic[] {
    const sorted = this.#entries.sort((a, b) => a.line - b.line || a.column - b.column);
    if (this.#dropped > 0) {
      const last = sorted[sorted.length - 1];
      sorted.push({
        line: last?.line ?? 1,
        column: last?.column ?? 1,
        severity: dbcCodes.diagnostics_truncated,
        code: 'diagnostics_truncated',
        message: `${this.#dropped} more warnings are not listed`,
      });
    }
    return sorted;
  }
}
