import { DriveMcpError } from '../core/errors.js';
import { type DbcFile, readDbcFile } from '../vehicles/dbc/dbc-file.js';
import { type DbcDiagnostic, type DbcSeverity, hasErrors } from '../vehicles/dbc/diagnostics.js';
import type { CommandSpec } from './command.js';
import { matchCommand } from './dbc-match.js';
import { reportError } from './error-report.js';
import { columns, count } from './table.js';
import type { Terminal } from './terminal.js';

export const commands: readonly CommandSpec[] = [
  {
    path: ['dbc', 'check'],
    summary: 'reads DBC files and lists every finding with line and column',
    positionals: 'FILE…',
    arity: [1, Number.POSITIVE_INFINITY],
    options: {},
    details:
      'Errors are parts that decoding would need and that cannot be read; warnings are broken rules where the\nreader had to choose. Reading goes on at the next line that begins with a keyword.\n\nExit codes: 0 no errors; 1 errors, but there are messages; 78 nothing usable; 69 a file is missing.',
    examples: [
      ['drivemcp dbc check car.dbc', 'findings as a table'],
      ['drivemcp dbc check --json *.dbc', 'one object a file'],
    ],
    async run({ positionals, terminal }) {
      let worst = 0;
      for (const path of positionals) {
        worst = worse(worst, checkFile(path, terminal));
      }
      return worst;
    },
  },
  matchCommand,
];

/** 69 says that a file was not even looked at, 78 that one is useless, 1 that one is damaged. */
function worse(a: number, b: number): number {
  const rank = [0, 1, 78, 69];
  return rank.indexOf(a) >= rank.indexOf(b) ? a : b;
}

function checkFile(path: string, terminal: Terminal): number {
  let file: DbcFile;
  try {
    file = readDbcFile(path);
  } catch (error) {
    if (error instanceof DriveMcpError) return reportError(error, terminal);
    throw error;
  }
  const { database, diagnostics } = file;
  const isOk = !hasErrors(diagnostics);
  const signals = database.messages.reduce((sum, message) => sum + message.signals.length, 0);
  if (terminal.json) {
    terminal.object({
      file: path,
      ok: isOk,
      messages: database.messages.length,
      signals,
      sha256: file.sha256,
      diagnostics: diagnostics.map(({ line, column, severity, code, message }) => ({
        line,
        column,
        severity,
        code,
        message,
      })),
    });
  } else {
    const verdict = isOk ? terminal.style('ok', 'green') : terminal.style('not ok', 'red');
    const found = summary(diagnostics);
    terminal.line(
      `${path}: ${verdict}, ${count(database.messages.length, 'message')}, ${count(signals, 'signal')}${found}`,
    );
    const rows = diagnostics.map((d) => [`${d.line}:${d.column}`, d.severity, d.code, d.message]);
    for (const [i, line] of columns(
      rows,
      ['right', 'left', 'left', 'left'],
      terminal.tableWidth - 2,
    ).entries()) {
      terminal.line(`  ${terminal.style(line, colours[diagnostics[i]!.severity])}`);
    }
  }
  return isOk ? 0 : database.messages.length > 0 ? 1 : 78;
}

const colours = { error: 'red', warning: 'yellow', info: 'dim' } as const;

function summary(diagnostics: readonly DbcDiagnostic[]): string {
  const words: [DbcSeverity, string][] = [
    ['error', 'error'],
    ['warning', 'warning'],
    ['info', 'note'],
  ];
  return words
    .map(([severity, word]) => [diagnostics.filter((d) => d.severity === severity).length, word] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `, ${count(number, word)}`)
    .join('');
}
