import type { DiagnosticLog } from './diagnostic-log.js';
import type { Scanner } from './scanner.js';

/** The ';' of a statement; where a new statement begins instead, it is taken as given, with a warning. */
export function endStatement(scanner: Scanner, log: DiagnosticLog): void {
  if (scanner.take(';')) return;
  if (!scanner.isAtStatement()) scanner.fail("expected ';'");
  const end = scanner.lastTokenEnd();
  log.at(end, 'missing_semicolon', "the statement does not end with ';'");
}

/** Skips a statement that has no meaning here, up to its ';' outside of strings or to the next statement. */
export function skipStatement(scanner: Scanner, log: DiagnosticLog): void {
  for (;;) {
    const next = scanner.seekMark();
    if (next === '"') scanner.string('a text');
    else if (next !== '\n') break;
    else if (scanner.isAtStatement()) break;
  }
  endStatement(scanner, log);
}
