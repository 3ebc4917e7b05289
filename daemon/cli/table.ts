/** Aligned columns and counted nouns for people. */

/** Text columns are not made narrower than this. */
const narrowest = 8;

/**
 * Rows as lines: cells padded to the widest of their column; the last column is not padded. Where lines would
 * be longer than `width`, the longest text cells are cut with an ellipsis; numbers (right-aligned) stay whole.
 */
export function columns(
  rows: readonly (readonly string[])[],
  align: readonly ('left' | 'right')[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const widths = align.map((_, c) => rows.reduce((most, row) => Math.max(most, row[c]?.length ?? 0), 0));
  let excess = widths.reduce((sum, each) => sum + each, 2 * (widths.length - 1)) - width;
  while (excess > 0) {
    const wide = widths.reduce(
      (best, each, c) => (align[c] === 'left' && each > (widths[best] ?? narrowest) ? c : best),
      -1,
    );
    if (wide < 0) break;
    widths[wide]!--;
    excess--;
  }
  return rows.map((row) =>
    row
      .map((whole, c) => {
        const cell = whole.length > widths[c]! ? `${whole.slice(0, widths[c]! - 1)}…` : whole;
        if (align[c] === 'right') return cell.padStart(widths[c]!);
        return c === row.length - 1 ? cell : cell.padEnd(widths[c]!);
      })
      .join('  '),
  );
}

/** A line as lines of at most `width` characters, broken between words; the further ones hang by `indent` spaces. */
export function wrapped(line: string, width: number, indent: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const hang = lines.length === 0 ? 0 : indent;
    const at = rest.lastIndexOf(' ', width);
    // A word longer than the line is cut: better than a line that the terminal breaks anywhere.
    const end = at > hang + narrowest ? at : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = ' '.repeat(indent) + rest.slice(end).trimStart();
    if (width <= indent + narrowest) break;
  }
  return [...lines, rest];
}

/** A number for a table, to six significant digits; the exact ones are in --json. */
export function compact(value: number | null): string {
  if (value === null) return '-';
  const short = String(Number(value.toPrecision(6)));
  return short.length > 10 ? Number(value.toPrecision(6)).toExponential() : short;
}

/** `1 signal`, `2,150 signals` */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
