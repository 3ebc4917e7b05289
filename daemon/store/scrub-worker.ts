/** Worker entry: looks for damage in a whole database, once. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { findDamage } from './epoch-check.js';
import type { ScrubTask } from './scrub.js';
import { isCorruption } from './sqlite-error.js';

const { path, epoch } = workerData as ScrubTask;
parentPort?.postMessage(check());

function check(): string | null {
  const db = new Database(path, { readonly: true, fileMustExist: true });
  try {
    // One read transaction: the chain row and the records are of one moment while the writer goes on.
    return db.transaction(() => findDamage(db, epoch, null, true))();
  } catch (error) {
    if (isCorruption(error)) return (error as Error).message;
    throw error;
  } finally {
    db.close();
  }
}
