/**
 * One daemon a state directory: an SQLite write lock (a kernel record lock) on `daemon.lock`, which the kernel
 * gives back whatever way the process ends. `daemon.pid` beside it is for people: a message can name the
 * holder; nothing is decided by it.
 */
import { closeSync, constants, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { identityOf, isInPlace, openRegular, requireRegularFiles } from './regular-file.js';
import { sqliteCode } from './sqlite-error.js';

export interface StateLock {
  /** False where the lock's file was removed or replaced: another daemon could take it. */
  isInPlace(): boolean;
  release(): void;
}

/** Throws STATE_LOCKED, STATE_UNWRITABLE, or FILE_UNREADABLE where a file of the store is not a regular one. */
export function lockState(stateDir: string): StateLock {
  const path = join(stateDir, 'daemon.lock');
  const pidPath = join(stateDir, 'daemon.pid');
  requireRegularFiles(stateDir);
  let db: Database.Database | null = null;
  try {
    closeSync(openRegular(path, constants.O_WRONLY | constants.O_CREAT));
    db = new Database(path, { timeout: 0 });
    // A lock needs no bytes, so that a full disk does not look like a disk that may not be written.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    db?.close();
    if (sqliteCode(error).startsWith('SQLITE_BUSY')) {
      throw new DriveMcpError('STATE_LOCKED', `${holder(pidPath)} uses this state directory`, {
        location: { file: stateDir },
        cause: error,
      });
    }
    throw new DriveMcpError('STATE_UNWRITABLE', `cannot write there: ${causeText(error)}`, {
      location: { file: stateDir },
      cause: error,
    });
  }
  const held = db;
  const identity = identityOf(path);
  try {
    const fd = openRegular(pidPath, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
    try {
      writeSync(fd, `${process.pid}\n`);
    } finally {
      closeSync(fd);
    }
  } catch {
    // A full disk: the lock holds all the same, only the message to a second daemon is less helpful.
  }
  return {
    isInPlace: () => isInPlace(identity),
    release: () => {
      try {
        rmSync(pidPath, { force: true });
      } catch {
        // A read-only disk: the stale number misleads nobody, the lock decides.
      }
      held.close();
    },
  };
}

function holder(pidPath: string): string {
  try {
    const pid = readFileSync(pidPath, 'utf8').trim();
    return /^[0-9]+$/.test(pid) ? `another drivemcp (process ${pid})` : 'another drivemcp';
  } catch {
    return 'another drivemcp';
  }
}
