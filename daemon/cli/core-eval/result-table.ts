/** Results of one kind as an aligned table for people; `--json` has every member in full. */
const columnsOfKind: Readonly<Record<string, readonly string[]>> = {
  arbiter: [
    'id',
    'preset',
    'mu_used',
    'dmin',
    'ttc',
    'h_used',
    'r',
    'score',
    'decision',
    'blocked_by',
    'flags',
  ],
};

export function resultTable(kind: string, results: readonly Record<string, unknown>[]): string[] {
  const names = columnsOfKind[kind] ?? [...new Set(results.flatMap((result) => Object.keys(result)))];
  const rows = results.map((result) => names.map((name) => cell(result[name])));
  const isNumeric = names.map((name) =>
    results.every((result) => result[name] === null || typeof result[name] === 'number'),
  );
  const widths = names.map((name, i) =>
    rows.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), name.length),
  );
  const format = (row: readonly string[]): string =>
    row
      .map((text, i) => (isNumeric[i] ? text.padStart(widths[i] ?? 0) : text.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [format(names), ...rows.map(format)];
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-';
  if (typeof value === 'number') return String(Number(value.toPrecision(6)));
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(',');
  if (typeof value === 'object') return Object.values(value).map(cell).join('/');
  return String(value);
}
