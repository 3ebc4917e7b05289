import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { DriveMcpError } from '../../core/errors.js';
import { maxFileBytes } from './limits.js';
import { type ParsedDbc, parseDbc } from './parse-dbc.js';

export interface DbcFile extends ParsedDbc {
  readonly path: string;
  /** of the bytes of the file; of what was read where the file is larger than any DBC may be */
  readonly sha256: string;
}

/**
 * Reads a DBC file, whatever is in it. No more is read than the reader takes, so that a device or an endless
 * pipe ends in a diagnostic and not in a full memory.
 *
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE
 */
export function readDbcFile(path: string): DbcFile {
  const bytes = readBytes(path);
  return { path, sha256: createHash('sha256').update(bytes).digest('hex'), ...parseDbc(bytes, path) };
}

function readBytes(path: string): Uint8Array {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    const chunks: Buffer[] = [];
    let total = 0;
    while (total <= maxFileBytes) {
      const chunk = Buffer.allocUnsafe(1 << 18);
      const count = readSync(fd, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      total += count;
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, total);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    throw new DriveMcpError(
      isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      isMissing ? 'there is no such DBC file' : `the DBC file cannot be read: ${(cause as Error).message}`,
      { location: { file: path }, cause },
    );
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
