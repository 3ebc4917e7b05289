/** One measured figure. */
export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  /** what it should reach; for times, sizes and garbage a maximum, for rates and ratios a minimum */
  readonly target?: number;
}

/** Units in which more is better; in all others less is. */
const rising = /\/s$|^x$|^×|times|ratio|frames|lines/;

/** Whether the figure reaches its target; null where it has none. */
export function reaches(row: BenchRow): boolean | null {
  if (row.target === undefined) return null;
  return rising.test(row.unit) ? row.value >= row.target : row.value <= row.target;
}
