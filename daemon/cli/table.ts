/** Aligned columns and counted nouns for people. */

/** Rows as lines: cells padded to the widest of their column; the last column is not padded. */
export function columns(
  rows: readonly (readonly string[])[],
  align: readonly ('left' | 'right')[],
): string[] {
  const widths = align.map((_, c) => rows.reduce((most, row) => Math.max(most, row[c]?.length ?? 0), 0));
  return rows.map((row) =>
    row
      .map((cell, c) => {
        if (align[c] === 'right') return cell.padStart(widths[c]!);
        return c === row.length - 1 ? cell : cell.padEnd(widths[c]!);
      })
      .join('  '),
  );
}

/** `1 signal`, `2,150 signals` */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
