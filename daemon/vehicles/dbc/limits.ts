/**
 * Bounds against hostile files. The largest public databases have some 20,000 signals in 5 MB; with these
 * bounds the worst file costs less than 200 MB and two seconds (measured on two shared cores).
 */
import type { Draft } from './draft.js';
import { SyntaxFault } from './scanner.js';

export const maxFileBytes = 48 * 1024 * 1024;
export const maxMessages = 32_768;
export const maxSignals = 65_536;
/** everything else that is kept: nodes, comments, attributes, value descriptions, selector ranges, … */
export const maxEntries = 300_000;
/** the reader gives up on a file after this many statements that cannot be read */
export const maxErrors = 500;

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
