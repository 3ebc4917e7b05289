import type { DiagnosticLog } from './diagnostic-log.js';
import type { Scanner } from './scanner.js';

/** The ';' of a statement; where a new statement begins instead, it is taken as given, with a warning. */
export function endStatement(scanner: Scanner, log: DiagnosticLog): void {
  const end = scanner.pos;
  if (scanner.take(';')) return;
  // At the end of the file a whole last line lacks its ';', but half a line means that the file was cut off.
  const isWholeLine = scanner.isAtEnd && scanner.text.slice(end).includes('\n');
  if (!isWholeLine && !scanner.isAtStatement()) scanner.fail("expected ';'");
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
