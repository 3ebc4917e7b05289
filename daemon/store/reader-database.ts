import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { requireRegular } from './regular-file.js';
import { checkVersion } from './schema.js';
import { sqliteCode, storeError } from './sqlite-error.js';

export interface ReadDatabase {
  readonly db: Database.Database;
  close(): void;
}

/**
 * Opens a database of the store for reading, beside a running writer. A reader of a write-ahead log needs a
 * file beside the database; who may not make one there reads a copy. Throws STORE_VERSION, STORE_CORRUPT, …
 */
export function openForReading(path: string): ReadDatabase {
  for (const suffix of ['', '-wal', '-shm', '-journal']) requireRegular(path + suffix);
  try {
    const db = connect(path);
    return { db, close: () => db.close() };
  } catch (error) {
    if (!/^SQLITE_(CANTOPEN|READONLY)/.test(sqliteCode(error))) throw storeError(error, path);
  }
  const folder = mkdtempSync(join(tmpdir(), 'drivemcp-read-'));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'audit.db');
    for (const suffix of ['', '-wal']) {
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    }
    const db = connect(copy);
    return {
      db,
      close: () => {
        db.close();
        discard();
      },
    };
  } catch (error) {
    discard();
    throw storeError(error, path);
  }
}

function connect(path: string): Database.Database {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 2000 });
  try {
    // The first read is what shows whether the file can be read at all.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    checkVersion(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
