/**
 * What is said of an error that nothing foresaw, and the exit code. One that the system gave (EMFILE, ENOSPC,
 * EIO …) is no bug: a line with its code. All others keep their stack, which a report needs.
 */
export function unexpectedError(error: unknown): { readonly text: string; readonly exitCode: number } {
  if (!(error instanceof Error)) {
    return { text: `drivemcp: unexpected error, please report it: ${String(error)}`, exitCode: 1 };
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (typeof code === 'string' && syscall !== undefined) {
    return { text: `drivemcp: the system refused: ${error.message} [${code}]`, exitCode: 69 };
  }
  return {
    text: `drivemcp: unexpected error, please report it: ${error.stack ?? error.message}`,
    exitCode: 1,
  };
}
