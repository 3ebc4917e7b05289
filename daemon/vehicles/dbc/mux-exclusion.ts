import type { DbcSignal } from './database.js';

/** Multiplexing nested deeper than this is not followed when overlap is judged. */
const maxNesting = 8;

/** What exclusion depends on. */
export type Multiplexed = Pick<DbcSignal, 'name' | 'mux' | 'flaw'>;

/** True where the two can never be in the same payload: some common selector excludes one or the other. */
export function areExclusive(
  a: Multiplexed,
  b: Multiplexed,
  byName: ReadonlyMap<string, Multiplexed>,
  budget: { left: number },
): boolean {
  let x: Multiplexed | undefined = a;
  for (let i = 0; i < maxNesting && x?.mux != null; i++, x = parent(x, byName)) {
    let y: Multiplexed | undefined = b;
    for (let k = 0; k < maxNesting && y?.mux != null; k++, y = parent(y, byName)) {
      if (x.mux.selector !== y.mux.selector) continue;
      budget.left -= x.mux.ranges.length * y.mux.ranges.length;
      if (budget.left <= 0) return true;
      const other = y.mux.ranges;
      if (!x.mux.ranges.some((r) => other.some((s) => r.from <= s.to && s.from <= r.to))) return true;
    }
  }
  return false;
}

function parent(signal: Multiplexed, byName: ReadonlyMap<string, Multiplexed>): Multiplexed | undefined {
  const selector = signal.mux?.selector;
  return selector == null || signal.flaw !== null ? undefined : byName.get(selector);
}
