/**
 * Bounds against hostile files. The largest public databases have some 20,000 signals in 5 MB; with these
 * bounds the worst file costs less than 200 MB and two seconds (measured on two shared cores).
 */
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Draft } from './draft.js';
import { maxNameChars, SyntaxFault } from './scanner.js';

export const maxFileBytes = 48 * 1024 * 1024;
export const maxMessages = 32_768;
export const maxSignals = 65_536;
/** everything else that is kept: nodes, comments, attributes, value descriptions, selector ranges, … */
export const maxEntries = 300_000;
/** the reader gives up on a file after this many statements that cannot be read */
export const maxErrors = 500;

/** units and value descriptions, which are shown with every value; longer ones are cut */
export const maxShownChars = 1024;

/** A text that is shown with values, cut where it is too long for that. */
export function shownText(log: DiagnosticLog, offset: number, text: string, what: string): string {
  if (text.length <= maxShownChars) return text;
  log.at(offset, 'text_too_long', `${what} of ${text.length} characters is cut to ${maxShownChars}`);
  return text.slice(0, maxShownChars);
}

/** Tells of a word from `offset` to `end` that was cut. */
export function checkNameLength(log: DiagnosticLog, offset: number, end: number, what: string): void {
  if (end - offset <= maxNameChars) return;
  log.at(offset, 'name_too_long', `${what} of ${end - offset} characters is cut to ${maxNameChars}`);
}

/** Counts one thing that is kept, found at `offset`. */
export function countEntry(draft: Draft, offset: number): void {
  if (++draft.entryCount > maxEntries) {
    throw new SyntaxFault(
      'too_many_entries',
      offset,
      `more than ${maxEntries} nodes, comments, attributes and value descriptions`,
    );
  }
}
