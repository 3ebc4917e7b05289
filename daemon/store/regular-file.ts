/**
 * The state directory holds regular files alone. A symbolic link would lead a write to somebody else's file, a
 * FIFO or a device would hold up whoever opens it, so that neither is ever opened.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';

/** Files of the store, with those that SQLite keeps beside a database. */
const storeName =
  /^(?:audit-[0-9]+(?:\.damaged)?\.(?:db|head)|daemon\.(?:lock|pid))(?:-(?:wal|shm|journal))?$/;

/** Names in a state directory, none where it is missing. Throws FILE_UNREADABLE. */
export function stateNames(stateDir: string): string[] {
  try {
    return readdirSync(stateDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new DriveMcpError('FILE_UNREADABLE', `cannot read the state directory: ${causeText(error)}`, {
      location: { file: stateDir },
      cause: error,
    });
  }
}

/** Throws FILE_UNREADABLE where a file of the store is anything but a regular file. Opens none of them. */
export function requireRegularFiles(stateDir: string): void {
  for (const name of stateNames(stateDir)) {
    if (!storeName.test(name)) continue;
    requireRegular(join(stateDir, name));
  }
}

/** Throws FILE_UNREADABLE where there is anything but a regular file; nothing at all is fine. */
export function requireRegular(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) throw notRegular(path, stats);
}

/** Opens a file, following no link and waiting for nobody. Throws FILE_UNREADABLE where it is not regular. */
export function openRegular(path: string, flags: number, mode = 0o640): number {
  requireRegular(path);
  const fd = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  const stats = fstatSync(fd);
  if (stats.isFile()) return fd;
  closeSync(fd);
  throw notRegular(path, stats);
}

function notRegular(path: string, stats: Stats): DriveMcpError {
  const what = stats.isSymbolicLink()
    ? 'a symbolic link'
    : stats.isDirectory()
      ? 'a directory'
      : stats.isFIFO()
        ? 'a FIFO'
        : stats.isSocket()
          ? 'a socket'
          : 'a device';
  return new DriveMcpError(
    'FILE_UNREADABLE',
    `${what} stands where a regular file belongs; it is left alone`,
    {
      location: { file: path },
      hint: 'remove it, and look who may write to the state directory',
    },
  );
}

/** Which file a path led to when it was opened. */
export interface FileIdentity {
  readonly path: string;
  readonly dev: number;
  readonly ino: number;
}

export function identityOf(path: string): FileIdentity {
  const { dev, ino } = lstatSync(path);
  return { path, dev, ino };
}

/** False where the path leads to nothing, or to another file: what is written to the open one is lost. */
export function isInPlace(file: FileIdentity): boolean {
  const stats = lstatSync(file.path, { throwIfNoEntry: false });
  return stats !== undefined && stats.ino === file.ino && stats.dev === file.dev;
}
