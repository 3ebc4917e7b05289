import type { TickCounter } from './tick-counters.js';

/**
 * What a tick has to say about its own inputs: flags name what was dropped, stale or substituted, counts are
 * increments of named counters. One collector lives for one tick; nothing of it is kept in the state.
 */
export interface TickNotes {
  readonly flags: Set<string>;
  readonly counts: { [name in TickCounter]?: number };
}

export function createTickNotes(): TickNotes {
  return { flags: new Set(), counts: {} };
}

export function count(notes: TickNotes, name: TickCounter, by = 1): void {
  notes.counts[name] = (notes.counts[name] ?? 0) + by;
}

/** Flags something and counts it under the flag's own name. */
export function flag(notes: TickNotes, name: string): void {
  notes.flags.add(name);
}

/** Flags in order of their UTF-16 code units, which no locale changes. */
export function sortedFlags(notes: TickNotes): string[] {
  return [...notes.flags].sort(compareStrings);
}

export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
