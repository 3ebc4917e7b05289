/** DBC files given with --dbc: read, judged and compiled for the commands that decode. */
import { DriveMcpError } from '../core/errors.js';
import { compilePlan } from '../vehicles/dbc/compile-plan.js';
import { type DbcFile, readDbcFile } from '../vehicles/dbc/dbc-file.js';
import type { DecodePlan } from '../vehicles/dbc/decode-plan.js';
import { listOption, type OptionSpec, type OptionValues } from './command.js';
import type { Terminal } from './terminal.js';

export const dbcOption: OptionSpec = {
  type: 'string',
  multiple: true,
  value: 'FILE',
  help: 'DBC file; of messages with the same id in several files the last counts',
};

/**
 * Compiles the files of --dbc. Damage that leaves messages is said on stderr; a file without a usable
 * message is refused.
 */
export function openDbcSet(values: OptionValues, terminal: Terminal): DecodePlan {
  const paths = listOption(values, 'dbc');
  if (paths.length === 0) throw new DriveMcpError('DBC_NONE', 'no DBC file was given');
  const files = paths.map(readDbcFile);
  for (const file of files) {
    const first = file.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    const errors = file.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
    if (first && file.database.messages.length === 0) {
      throw new DriveMcpError('DBC_INVALID', first.message, {
        location: { file: file.path, line: first.line, column: first.column },
        context: { finding: first.code },
      });
    }
    if (first) {
      const more = errors === 1 ? '' : ` (and ${errors - 1} more; drivemcp dbc check lists them)`;
      terminal.message(
        `drivemcp: ${file.path}:${first.line}:${first.column}: ${first.message} [${first.code}]${more}`,
      );
    }
  }
  return compile(files, terminal);
}

function compile(files: readonly DbcFile[], terminal: Terminal): DecodePlan {
  const plan = compilePlan(files.map((file) => file.database));
  for (const { id, kept, dropped } of plan.collisions.slice(0, 5)) {
    terminal.message(
      `drivemcp: id ${id} is in two DBC files: ${kept} of the later one is used, not ${dropped}`,
    );
  }
  if (plan.collisions.length > 5) {
    terminal.message(`drivemcp: ${plan.collisions.length - 5} more ids are in two DBC files`);
  }
  return plan;
}
