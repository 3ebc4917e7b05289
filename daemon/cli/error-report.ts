import { DriveMcpError, formatLocation } from '../core/errors.js';
import { printable } from '../runtime/printable.js';
import { asCallable } from './command-name.js';
import type { Terminal } from './terminal.js';
import { unexpectedError } from './unexpected-error.js';

/** Says what went wrong, where, and what to do; returns the exit code. Bugs keep their stack. */
export function reportError(error: unknown, terminal: Terminal): number {
  if (error instanceof DriveMcpError) {
    const where = formatLocation(error.location);
    const said = `drivemcp: ${where === '' ? '' : `${where}: `}${error.message} [${error.code}]\n  hint: ${error.hint}`;
    // Messages quote names from files; those must not steer the terminal.
    for (const line of said.split('\n')) terminal.message(printable(line));
    if (terminal.json) {
      terminal.errorObject({
        error: {
          code: error.code,
          message: asCallable(error.message),
          ...error.location,
          hint: asCallable(error.hint),
          ...error.context,
        },
      });
    }
    return error.exitCode;
  }
  const { text, exitCode } = unexpectedError(error);
  terminal.message(text);
  return exitCode;
}
