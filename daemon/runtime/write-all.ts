import { writeSync } from 'node:fs';

/**
 * Writes the whole text. Synchronous on purpose: the order of lines and what was said before an exit are
 * certain. A pipe that is full answers EAGAIN (non-blocking stdio) and is waited for.
 * @returns what kept the text from being written (EPIPE: its reader has gone; ENOSPC, EIO …), or null
 */
export function writeAll(fd: number, text: string): NodeJS.ErrnoException | null {
  const bytes = Buffer.from(text, 'utf8');
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(fd, bytes, offset);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return error as NodeJS.ErrnoException;
      Atomics.wait(idle, 0, 0, 2);
    }
  }
  return null;
}

const idle = new Int32Array(new SharedArrayBuffer(4));
