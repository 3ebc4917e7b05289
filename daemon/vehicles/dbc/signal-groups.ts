import type { DbcMessage, DbcMuxRange, DbcSignal } from './database.js';

/** Signals of a message that are in the payload under the same condition. */
export interface SignalGroup {
  readonly selector: DbcSignal | null;
  readonly ranges: readonly DbcMuxRange[];
  readonly signals: { readonly signal: DbcSignal; readonly ordinal: number }[];
}

/**
 * Groups the signals of a message by multiplexer condition, so that an executor tests each condition once.
 * A selector's group comes before the groups it selects; groups of one selector are adjacent. Signals whose
 * selector is missing or part of a cycle join the unconditional group: their flaw keeps them absent.
 */
export function groupByCondition(message: DbcMessage): SignalGroup[] {
  const byName = new Map<string, DbcSignal>();
  for (const signal of message.signals) byName.set(signal.name, signal);
  const always: SignalGroup = { selector: null, ranges: [], signals: [] };
  const bySelector = new Map<DbcSignal, Map<string, SignalGroup>>();
  for (const [ordinal, signal] of message.signals.entries()) {
    const selector = selectorOf(signal, byName);
    if (selector === null) {
      always.signals.push({ signal, ordinal });
      continue;
    }
    let groups = bySelector.get(selector);
    if (!groups) {
      groups = new Map();
      bySelector.set(selector, groups);
    }
    const ranges = signal.mux?.ranges ?? [];
    const key = ranges.map(({ from, to }) => `${from}-${to}`).join();
    const group = groups.get(key);
    if (group) group.signals.push({ signal, ordinal });
    else groups.set(key, { selector, ranges, signals: [{ signal, ordinal }] });
  }
  const ordered = always.signals.length > 0 ? [always] : [];
  // Grows while it is walked: groups that a selector of the last group selects.
  const pending: SignalGroup[] = [always];
  for (const group of pending) {
    for (const { signal } of group.signals) {
      for (const selected of bySelector.get(signal)?.values() ?? []) {
        ordered.push(selected);
        pending.push(selected);
      }
    }
  }
  return ordered;
}

function selectorOf(signal: DbcSignal, byName: ReadonlyMap<string, DbcSignal>): DbcSignal | null {
  if (signal.mux === null || signal.flaw === 'mux_cycle' || signal.flaw === 'mux_selector') return null;
  return signal.mux.selector === null ? null : (byName.get(signal.mux.selector) ?? null);
}
