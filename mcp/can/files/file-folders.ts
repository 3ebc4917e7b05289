/**
 * The files that tools may read: those in configured folders, and nothing that a link in them leads to elsewhere.
 *
 * A path is resolved first and opened after; what was opened is then asked where it lies, so that a link that was changed
 * in between is noticed. Whoever reads on gets the open file, never the path.
 */
import { constants, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';

/** An open regular file. Whoever asked for it closes it. */
export interface OpenedFile {
  /** as the caller named it */
  readonly name: string;
  /** opens the same file once more, whatever has become of its name */
  readonly path: string;
  readonly sizeBytes: number;
  /** differs as soon as the file is another one or was written to */
  readonly identity: string;
  readonly handle: FileHandle;
  close(): Promise<void>;
}

export class FileFolders {
  /** real paths */
  readonly #folders: readonly string[];

  /** @throws DriveMcpError FILE_MISSING where one of them is no folder */
  constructor(folders: readonly string[]) {
    this.#folders = folders.map(realFolder);
  }

  /**
   * @param name a path inside one of the folders, relative to it or absolute
   * @throws DriveMcpError TOOL_FILE_OUTSIDE, TOOL_FILE_TOO_LARGE, FILE_MISSING, FILE_UNREADABLE
   */
  async open(name: string, maxBytes: number): Promise<OpenedFile> {
    const location = { file: name };
    const path = await this.#locate(name);
    let handle: FileHandle | undefined;
    try {
      // Opening a pipe would wait for its writer, opening a device may do something: only what is a file is opened.
      if (!(await stat(path)).isFile()) throw notRegular(name);
      handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
      const status = await handle.stat({ bigint: true });
      if (!status.isFile()) throw notRegular(name);
      const opened = `/proc/self/fd/${handle.fd}`;
      if (!this.#holds(await readlink(opened))) throw outside(name);
      if (status.size > BigInt(maxBytes)) {
        throw new DriveMcpError(
          'TOOL_FILE_TOO_LARGE',
          `it has ${status.size} bytes, at most ${maxBytes} are read`,
          { location },
        );
      }
      const { dev, ino, size, mtimeNs } = status;
      const kept = handle;
      return {
        name,
        path: opened,
        sizeBytes: Number(size),
        identity: `${dev}:${ino}:${size}:${mtimeNs}`,
        handle: kept,
        close: () => kept.close(),
      };
    } catch (error) {
      await handle?.close();
      if (error instanceof DriveMcpError) throw error;
      throw unreadable(name, error);
    }
  }

  async #locate(name: string): Promise<string> {
    if (this.#folders.length === 0) {
      throw new DriveMcpError('TOOL_FILE_OUTSIDE', 'no folder is configured, so that no file can be read', {
        location: { file: name },
        hint: 'start the server with a folder whose files it may read',
      });
    }
    let missing: unknown = null;
    for (const folder of this.#folders) {
      const wanted = isAbsolute(name) ? resolve(name) : join(folder, name);
      // Nothing outside is looked at, not even to say that it is not there.
      if (!this.#holds(wanted)) continue;
      try {
        const real = await realpath(wanted);
        if (this.#holds(real)) return real;
        throw outside(name);
      } catch (error) {
        if (error instanceof DriveMcpError) throw error;
        missing = error;
      }
    }
    throw missing === null ? outside(name) : unreadable(name, missing);
  }

  #holds(path: string): boolean {
    return this.#folders.some((folder) => {
      const inside = relative(folder, path);
      return inside !== '' && inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
    });
  }
}

function realFolder(folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (cause) {
    throw new DriveMcpError('FILE_MISSING', `there is no such folder: ${causeText(cause)}`, {
      location: { file: folder },
      cause,
    });
  }
  throw new DriveMcpError('FILE_MISSING', 'this is no folder', { location: { file: folder } });
}

function outside(name: string): DriveMcpError {
  return new DriveMcpError('TOOL_FILE_OUTSIDE', 'this file is in no folder that may be read', {
    location: { file: name },
  });
}

function notRegular(name: string): DriveMcpError {
  return new DriveMcpError('FILE_UNREADABLE', 'is no regular file', {
    location: { file: name },
    hint: 'give a plain file; folders, pipes and devices are not read',
  });
}

function unreadable(name: string, cause: unknown): DriveMcpError {
  const { code } = cause as NodeJS.ErrnoException;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return new DriveMcpError(
    isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
    isMissing ? 'there is no such file' : `it cannot be read (${code ?? causeText(cause)})`,
    { location: { file: name }, cause },
  );
}
