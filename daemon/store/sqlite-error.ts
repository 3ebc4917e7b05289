import { DriveMcpError } from '../core/errors.js';

/** SQLite's result code (`SQLITE_FULL`, `SQLITE_IOERR_WRITE`, …), or '' for other errors. */
export function sqliteCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

export function isCorruption(error: unknown): boolean {
  const code = sqliteCode(error);
  return (
    code.startsWith('SQLITE_CORRUPT') ||
    code === 'SQLITE_NOTADB' ||
    code === 'SQLITE_FORMAT' ||
    // The schema format number of the header (byte 44 to 47) beyond 4, which no SQLite writes: told as a plain error.
    (code === 'SQLITE_ERROR' && /unsupported file format/.test((error as Error).message)) ||
    (error instanceof DriveMcpError && error.code === 'STORE_CORRUPT')
  );
}

/** The project's error for one of SQLite's or the file system's. */
export function storeError(error: unknown, file: string): DriveMcpError {
  if (error instanceof DriveMcpError) return error;
  const code = sqliteCode(error) || String((error as NodeJS.ErrnoException | null)?.code ?? '');
  const options = { location: { file }, cause: error };
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    return new DriveMcpError('STORE_FULL', `the audit store cannot grow: ${message}`, options);
  }
  if (isCorruption(error)) return new DriveMcpError('STORE_CORRUPT', message, options);
  return new DriveMcpError('STORE_FAILED', `the audit store cannot write: ${message} (${code})`, options);
}
