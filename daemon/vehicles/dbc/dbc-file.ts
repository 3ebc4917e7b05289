import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { causeText } from '../../core/cause-text.js';
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
    // One byte more than is known to be there shows the end; a pipe or device says 0 and grows the buffer.
    const sizeBytes = Math.min(fstatSync(fd).size, maxFileBytes) + 1;
    let bytes = Buffer.allocUnsafe(Math.max(sizeBytes, 1 << 16));
    let total = 0;
    while (total <= maxFileBytes) {
      if (total === bytes.length) bytes = Buffer.concat([bytes], Math.min(total * 2, maxFileBytes + 1));
      const count = readSync(fd, bytes, total, bytes.length - total, null);
      if (count === 0) break;
      total += count;
    }
    return bytes.subarray(0, total);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    throw new DriveMcpError(
      isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      isMissing ? 'there is no such DBC file' : `the DBC file cannot be read: ${causeText(cause)}`,
      { location: { file: path }, cause },
    );
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
