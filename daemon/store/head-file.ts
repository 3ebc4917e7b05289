/**
 * The head of the durable chain outside the database: SQLite drops a damaged or missing write-ahead log
 * without a word, and the database then looks whole, only older. A head that is ahead of the database says
 * that records are gone.
 *
 * Written after each commit, in place and without fsync: after a power cut it may be older than the
 * database, which proves nothing; it is never newer than what was acknowledged.
 */
import { closeSync, constants, fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import type { ChainHead } from './audit-store.js';
import { type FileIdentity, identityOf, isInPlace, openRegular } from './regular-file.js';

/** Fixed length, so that a later head covers an earlier one and no disk space is ever needed. */
const lineBytes = 112;

export class HeadFile {
  readonly #path: string;
  #fd: number;
  #identity: FileIdentity;
  failures = 0;

  constructor(path: string) {
    this.#path = path;
    this.#fd = openHead(path);
    this.#identity = identityOf(path);
  }

  /** A disk that refuses these bytes takes nothing from the commit that came before: the head stays older. */
  write(head: ChainHead): void {
    try {
      this.#write(head);
    } catch {
      this.failures++;
    }
  }

  #write(head: ChainHead): void {
    if (!isInPlace(this.#identity)) {
      // Removed or replaced under us: a head that nobody finds warns of nothing.
      const fd = openHead(this.#path);
      closeSync(this.#fd);
      this.#fd = fd;
      this.#identity = identityOf(this.#path);
    }
    writeSync(this.#fd, `${`${head.epoch} ${head.seq} ${head.hash}`.padEnd(lineBytes - 1)}\n`, 0, 'latin1');
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function openHead(path: string): number {
  const fd = openRegular(path, constants.O_RDWR | constants.O_CREAT);
  // What is longer was not written here, and would stand behind every head.
  if (fstatSync(fd).size > lineBytes) ftruncateSync(fd, lineBytes);
  return fd;
}

export interface HeadReading {
  readonly head: ChainHead | null;
  /** `empty`: no byte but zeros, as a power cut soon after the first record leaves it */
  readonly state: 'sound' | 'missing' | 'empty' | 'garbage';
}

/** Reads the head of an epoch. Throws FILE_UNREADABLE where it cannot be read, or is no regular file. */
export function readHeadFile(path: string, epoch: number): HeadReading {
  const text = headText(path);
  if (text === null) return { head: null, state: 'missing' };
  if (/^\0*$/.test(text)) return { head: null, state: 'empty' };
  const match = /^([1-9][0-9]{0,8}) ([0-9]{1,15}) ([0-9a-f]{64}) *\n$/.exec(text);
  if (match === null || Number(match[1]) !== epoch) return { head: null, state: 'garbage' };
  return { head: { epoch, seq: Number(match[2]), hash: match[3]! }, state: 'sound' };
}

/** null where the head is missing or damaged. */
export function readHead(path: string, epoch: number): ChainHead | null {
  return readHeadFile(path, epoch).head;
}

function headText(path: string): string | null {
  let fd: number;
  try {
    fd = openRegular(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(path, error);
  }
  try {
    // One byte more than a head has: a longer file is none, however long it is.
    const bytes = Buffer.alloc(lineBytes + 1);
    return bytes.toString('latin1', 0, readSync(fd, bytes, 0, bytes.length, 0));
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    closeSync(fd);
  }
}

function unreadable(path: string, error: unknown): DriveMcpError {
  if (error instanceof DriveMcpError) return error;
  return new DriveMcpError('FILE_UNREADABLE', `cannot read the head: ${causeText(error)}`, {
    location: { file: path },
    cause: error,
  });
}
