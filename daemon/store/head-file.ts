/**
 * The head of the durable chain outside the database: SQLite drops a damaged or missing write-ahead log
 * without a word, and the database then looks whole, only older. A head that is ahead of the database says
 * that records are gone.
 *
 * Written after each commit, in place and without fsync: after a power cut it may be older than the
 * database, which proves nothing; it is never newer than what was acknowledged.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import type { ChainHead } from './audit-store.js';

/** Fixed length, so that a later head covers an earlier one and no disk space is ever needed. */
const lineBytes = 112;

export class HeadFile {
  readonly #fd: number;
  failures = 0;

  constructor(path: string) {
    this.#fd = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o640);
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
    writeSync(this.#fd, `${`${head.epoch} ${head.seq} ${head.hash}`.padEnd(lineBytes - 1)}\n`, 0, 'latin1');
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** null where the file is missing or damaged. */
export function readHead(path: string): ChainHead | null {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch {
    return null;
  }
  const match = /^([1-9][0-9]{0,8}) ([0-9]{1,15}) ([0-9a-f]{64}) *\n$/.exec(text);
  return match ? { epoch: Number(match[1]), seq: Number(match[2]), hash: match[3]! } : null;
}
