/**
 * Files of the audit store in a state directory. Each epoch has its own database, so that the number of the
 * epoch is known even where the database cannot be read:
 *
 *     audit-1.db  audit-1.db-wal  audit-1.db-shm  audit-1.head      epoch 1
 *     audit-1.damaged.db …                                          epoch 1, set aside
 */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { stateNames } from './regular-file.js';

export interface EpochFile {
  readonly epoch: number;
  readonly path: string;
  readonly isDamaged: boolean;
}

export function epochPath(stateDir: string, epoch: number, isDamaged = false): string {
  return join(stateDir, `audit-${epoch}${isDamaged ? '.damaged' : ''}.db`);
}

export function headPath(stateDir: string, epoch: number): string {
  return join(stateDir, `audit-${epoch}.head`);
}

/** Databases of a state directory, oldest epoch first; empty where the directory is missing. */
export function epochFiles(stateDir: string): EpochFile[] {
  const files: EpochFile[] = [];
  for (const name of stateNames(stateDir)) {
    const match = /^audit-([1-9][0-9]{0,8})(\.damaged)?\.db$/.exec(name);
    if (match) {
      files.push({ epoch: Number(match[1]), path: join(stateDir, name), isDamaged: match[2] !== undefined });
    }
  }
  return files.sort((a, b) => a.epoch - b.epoch || Number(b.isDamaged) - Number(a.isDamaged));
}

/** Number of the last epoch that has left any trace: a database or a head. 0 = none. */
export function lastEpoch(stateDir: string): number {
  let last = 0;
  for (const name of stateNames(stateDir)) {
    const match = /^audit-([1-9][0-9]{0,8})(?:\.damaged)?\.(?:db|head)$/.exec(name);
    if (match) last = Math.max(last, Number(match[1]));
  }
  return last;
}

/** Sets a database aside under its new name, write-ahead log included. Returns the new path. */
export function setAside(stateDir: string, epoch: number): string {
  const from = epochPath(stateDir, epoch);
  const to = epochPath(stateDir, epoch, true);
  // The log first: a database without its log would still open, and look whole.
  for (const suffix of ['-wal', '-shm', '']) {
    if (existsSync(from + suffix)) renameSync(from + suffix, to + suffix);
  }
  return to;
}
