import { columns } from './table.js';
import type { Terminal } from './terminal.js';

interface LimitChange {
  readonly road: string;
  readonly vehicle: string;
  readonly condition: string;
  readonly before: string;
  readonly after: string;
}

/** A line a changed limit, under the heads of the two sides; nothing where nothing changed. */
export function printLimitChanges(
  limits: readonly LimitChange[],
  heads: readonly string[],
  terminal: Terminal,
): void {
  if (limits.length === 0) return;
  const rows = limits.map(({ road, vehicle, condition, before, after }) => [
    road,
    vehicle,
    condition,
    before,
    after,
  ]);
  const align = ['left', 'left', 'left', 'right', 'right'] as const;
  const lines = columns([['road', 'vehicle', 'condition', ...heads], ...rows], align, terminal.tableWidth);
  for (const line of lines) terminal.line(line);
  terminal.line();
}
