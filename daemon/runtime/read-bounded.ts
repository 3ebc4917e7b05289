import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError, type ErrorCode } from '../core/errors.js';

export interface ReadBound {
  readonly maxBytes: number;
  /** what the file is called in messages; default: its path */
  readonly name?: string;
  /** code where there is more than `maxBytes` */
  readonly tooLarge: ErrorCode;
  /** what the file should have been: 'a configuration' */
  readonly what: string;
}

/**
 * The bytes of a whole file, never more of it than `maxBytes` in memory. What is no regular file has no
 * end that could be known before (a device, a pipe) and is refused; file descriptor 0 may be anything.
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, `tooLarge`
 */
export function readBounded(file: string | 0, bound: ReadBound): Buffer {
  const location = { file: bound.name ?? String(file) };
  let fd = 0;
  try {
    // Opening a pipe that nobody fills would wait for ever without O_NONBLOCK; on regular files it does nothing.
    if (file !== 0) fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    if (file !== 0 && !fstatSync(fd).isFile()) {
      throw new DriveMcpError('FILE_UNREADABLE', 'is no regular file', {
        location,
        hint: `give ${bound.what} in a plain file`,
      });
    }
    const bytes = readUpTo(fd, bound.maxBytes + 1);
    if (bytes.length <= bound.maxBytes) return bytes;
  } catch (error) {
    if (error instanceof DriveMcpError) throw error;
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new DriveMcpError(
      isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      isMissing ? 'there is no such file' : `cannot be read: ${causeText(error)}`,
      { location, cause: error },
    );
  } finally {
    if (fd !== 0) closeSync(fd);
  }
  throw new DriveMcpError(
    bound.tooLarge,
    `more than ${bound.maxBytes} bytes are too many for ${bound.what}`,
    {
      location,
      hint: `at most ${bound.maxBytes} bytes; check that the right file was given`,
    },
  );
}

function readUpTo(fd: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size < maxBytes) {
    const chunk = Buffer.allocUnsafe(Math.min(1 << 16, maxBytes - size));
    let count: number;
    try {
      count = readSync(fd, chunk, 0, chunk.length, null);
    } catch (error) {
      // Standard input may be a pipe that does not block.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(idle, 0, 0, 5);
      continue;
    }
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    size += count;
  }
  return Buffer.concat(chunks);
}

const idle = new Int32Array(new SharedArrayBuffer(4));
