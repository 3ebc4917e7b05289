/**
 * Columns of PCAN trace files. Version 2 names them in its header (`$COLUMNS`), version 1 has one fixed row
 * of columns for each minor version. Letters as in the version 2 header: N number, O time offset (ms), T type,
 * B bus, I identifier, d direction, R reserved, L data length code, l data length, D data.
 */
export interface TrcLayout {
  readonly version: string;
  readonly columns: string;
  /** a data line of this version, for files that have lost their header */
  readonly line: RegExp;
}

const number1 = String.raw`^\s*\d+\)\s+`;
const type1 = String.raw`(Rx|Tx|Warng|Error)\s`;
const type2 = String.raw`(DT|FD|FB|FE|BI|RR|ST|ER|EC|EV)\s`;

/** The most particular first. */
export const trcLayouts: readonly TrcLayout[] = [
  {
    version: '1.3',
    columns: 'NOBTIRLD',
    line: new RegExp(String.raw`${number1}\d+(\.\d+)?\s+\d+\s+${type1}\s*[0-9A-F]{4,8}\s+-`, 'i'),
  },
  {
    version: '1.2',
    columns: 'NOBTILD',
    line: new RegExp(String.raw`${number1}\d+(\.\d+)?\s+\d+\s+${type1}`, 'i'),
  },
  { version: '1.1', columns: 'NOTILD', line: new RegExp(String.raw`${number1}\d+(\.\d+)?\s+${type1}`, 'i') },
  { version: '1.0', columns: 'NOILD', line: new RegExp(String.raw`${number1}\d+\s+[0-9A-F]{4,8}\s+\d`, 'i') },
  {
    version: '2.1',
    columns: 'NOTBIdRLD',
    line: new RegExp(String.raw`^\s*\d+\s+\d+\.\d+\s+${type2}\s*\d+\s+(-|[0-9A-F]{4,8})\s+(Rx|Tx)`, 'i'),
  },
  { version: '2.0', columns: 'NOTIdlD', line: new RegExp(String.raw`^\s*\d+\s+\d+\.\d+\s+${type2}`, 'i') },
];

/** The columns by the header lines that name them, else by what the data lines look like. */
export function trcColumns(lines: readonly string[]): string {
  for (const line of lines) {
    const named = columnsOfHeader(line);
    if (named !== null && line.startsWith(';$COLUMNS=')) return named;
  }
  for (const line of lines) {
    const named = columnsOfHeader(line);
    if (named !== null) return named;
  }
  for (const line of lines)
    for (const layout of trcLayouts) if (layout.line.test(line)) return layout.columns;
  return 'NOILD';
}

/** The columns that a header line announces, null for all other lines. */
export function columnsOfHeader(line: string): string | null {
  const columns = /^;\$COLUMNS=([A-Za-z](,[A-Za-z])*)\s*$/.exec(line)?.[1]?.replaceAll(',', '');
  if (columns !== undefined) return /O.*T.*I.*[lL].*D$/.test(columns) ? columns : null;
  const version = /^;\$FILEVERSION=(\d\.\d)\s*$/.exec(line)?.[1];
  return trcLayouts.find((layout) => layout.version === version)?.columns ?? null;
}
