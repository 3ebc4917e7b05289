import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { DriveMcpError } from '../../core/errors.js';

/**
 * A text file that only ever holds whole lines: what a full disk cuts off in the middle of a line is taken back.
 */
export class WholeLineFile {
  readonly #fd: number;
  #bytes = 0;
  #lines = 0;

  /** @throws DriveMcpError USAGE where the file is there already, FILE_UNWRITABLE where it cannot be made */
  constructor(readonly path: string) {
    try {
      this.#fd = openSync(path, 'wx', 0o640);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') {
        throw new DriveMcpError('USAGE', 'the file is there already', {
          location: { file: path },
          cause,
          hint: 'recordings are never written over: give another name',
        });
      }
      throw unwritable(path, cause);
    }
  }

  /** lines that are in the file */
  get lines(): number {
    return this.#lines;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** @param text whole lines. @throws DriveMcpError FILE_UNWRITABLE; the file then ends with the last line that fits */
  write(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch (cause) {
      const end = bytes.lastIndexOf(10, written - 1) + 1;
      this.#count(bytes.subarray(0, written === 0 ? 0 : end));
      ftruncateSync(this.#fd, this.#bytes);
      throw unwritable(this.path, cause);
    }
    this.#count(bytes);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #count(bytes: Buffer): void {
    this.#bytes += bytes.length;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) this.#lines++;
  }
}

function unwritable(path: string, cause: unknown): DriveMcpError {
  return new DriveMcpError('FILE_UNWRITABLE', `cannot write: ${(cause as Error).message}`, {
    location: { file: path },
    cause,
  });
}
