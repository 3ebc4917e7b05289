import { accessSync, closeSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import type { ChainHead } from './audit-store.js';
import { genesisHash, link } from './chain.js';
import { findDamage, isBlank, readChainRow } from './epoch-check.js';
import { type HeadReading, readHead, readHeadFile } from './head-file.js';
import { canonicalBody } from './record-body.js';
import { openRegular, requireRegularFiles } from './regular-file.js';
import { applicationId, checkVersion, migrate } from './schema.js';
import { isCorruption, sqliteCode } from './sqlite-error.js';
import { epochFiles, epochPath, headPath, lastEpoch, setAside } from './store-files.js';

export interface OpenedEpoch {
  readonly db: Database.Database;
  readonly epoch: number;
  readonly path: string;
  readonly notices: string[];
  /** too large to be checked whole before the first tick: check it beside the run */
  readonly needsScrub: boolean;
}

/** Up to this size a database is checked whole at opening (about 100 ms). */
const fullCheckBytes = 8 * 1024 * 1024;

/**
 * Opens the database of the present epoch. One that is damaged is set aside and a new epoch begins, linked to
 * the last readable hash: what begins a new epoch is this and nothing else. Throws STORE_VERSION, and what
 * SQLite throws for disks that are full or fail.
 */
export function openEpoch(stateDir: string, wallMs: number): OpenedEpoch {
  requireRegularFiles(stateDir);
  const epoch = lastEpoch(stateDir);
  const current = epochFiles(stateDir).find((file) => file.epoch === epoch && !file.isDamaged);
  if (epoch === 0) return startEpoch(stateDir, 1, wallMs, null);
  if (current === undefined) {
    return startEpoch(stateDir, epoch + 1, wallMs, `the database of epoch ${epoch} is gone or set aside`);
  }
  let db: Database.Database | null = null;
  let damage: string;
  try {
    const needsScrub = statSync(current.path).size > fullCheckBytes;
    db = connect(current.path);
    const reading = readHeadFile(headPath(stateDir, epoch), epoch);
    const { head } = reading;
    if (isBlank(db) && (head === null || head.seq === 0)) {
      initialise(db, stateDir, epoch, wallMs, null);
      return { db, epoch, path: current.path, notices: [], needsScrub: false };
    }
    checkVersion(db, current.path);
    const found = findDamage(db, epoch, head, !needsScrub);
    if (found === null) {
      const steps = migrate(db);
      const notices =
        steps > 0 ? [`the audit database was brought to the present schema (${steps} steps)`] : [];
      const note = headNotice(reading, headPath(stateDir, epoch), readChainRow(db)?.seq ?? 0);
      if (note !== null) notices.push(note);
      return { db, epoch, path: current.path, notices, needsScrub };
    }
    damage = found;
  } catch (error) {
    if (!isCorruption(error) && !isRefusedThoughWritable(error, current.path)) {
      closeQuietly(db);
      throw error;
    }
    damage = (error as Error).message;
  }
  closeQuietly(db);
  return replaceEpoch(stateDir, epoch, wallMs, damage);
}

/** A head is written before the first record, so that one that is not there was lost. */
function headNotice({ state }: HeadReading, path: string, seq: number): string | null {
  if (state === 'sound' || seq <= 1) return null;
  const what = { missing: 'is missing', empty: 'is empty', garbage: 'was damaged or changed' }[state];
  return `${path} ${what}: records lost from the end of this epoch cannot be noticed; written anew at record ${seq}`;
}

/** Sets a damaged database aside and begins the next epoch. The database must be closed. */
export function replaceEpoch(stateDir: string, epoch: number, wallMs: number, damage: string): OpenedEpoch {
  setAside(stateDir, epoch);
  return startEpoch(stateDir, epoch + 1, wallMs, damage);
}

function startEpoch(stateDir: string, epoch: number, wallMs: number, damage: string | null): OpenedEpoch {
  const path = epochPath(stateDir, epoch);
  const db = connect(path);
  const notices: string[] = [];
  if (damage !== null) {
    const before = epochPath(stateDir, epoch - 1, true);
    const where = existsSync(before) ? `set aside as ${before}` : 'not found';
    notices.push(`audit database of epoch ${epoch - 1}: ${damage}; ${where}, epoch ${epoch} begins`);
  }
  try {
    initialise(db, stateDir, epoch, wallMs, damage);
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
  return { db, epoch, path, notices, needsScrub: false };
}

/** Schema, chain row and, after another epoch, the note that says why: one transaction. */
function initialise(
  db: Database.Database,
  stateDir: string,
  epoch: number,
  wallMs: number,
  damage: string | null,
) {
  const before = epoch === 1 ? null : lastHashOf(stateDir, epoch - 1);
  const baseHash = before?.hash ?? genesisHash;
  db.transaction(() => {
    db.pragma(`application_id = ${applicationId}`);
    migrate(db);
    db.prepare(`INSERT INTO chain VALUES (1, ?, 0, ?, 0, ?, '', 0)`).run(epoch, baseHash, baseHash);
    if (epoch === 1) return;
    const body: JsonObject = {
      event: 'epoch_started',
      linked: before !== null,
      previous_epoch: epoch - 1,
      previous_seq: before?.seq ?? null,
      reason: damage ?? 'the epoch before was set aside',
    };
    const note = link({
      epoch,
      seq: 1,
      tick: -1,
      mono_us: 0,
      wall_ms: wallMs,
      kind: 'store',
      body: canonicalBody(body),
      prev_hash: baseHash,
    });
    db.prepare(
      `INSERT INTO audit VALUES (@epoch, @seq, @tick, @mono_us, @wall_ms, @kind, @body, @prev_hash, @hash)`,
    ).run(note);
    db.prepare('UPDATE chain SET seq = 1, hash = ?').run(note.hash);
  }).immediate();
}

/** Last hash of an epoch that was set aside: from its chain where that can be read, else from its head file. */
function lastHashOf(stateDir: string, epoch: number): ChainHead | null {
  let db: Database.Database | null = null;
  try {
    db = new Database(epochPath(stateDir, epoch, true), { readonly: true, fileMustExist: true });
    const last = db
      .prepare<[], ChainHead>('SELECT epoch, seq, hash FROM audit ORDER BY seq DESC LIMIT 1')
      .get();
    const head = last ?? readChainRow(db) ?? null;
    if (head !== null && /^[0-9a-f]{64}$/.test(head.hash)) return head;
  } catch {
    // Not readable: that is why it was set aside.
  } finally {
    closeQuietly(db);
  }
  return readHead(headPath(stateDir, epoch), epoch);
}

/** WAL with synchronous=FULL: a commit that was acknowledged survives a power cut. */
function connect(path: string): Database.Database {
  // SQLite gives its log the mode of the database.
  closeSync(openRegular(path, constants.O_RDWR | constants.O_CREAT));
  const db = new Database(path, { timeout: 250 });
  try {
    db.pragma('auto_vacuum = INCREMENTAL');
    const mode = db.pragma('journal_mode = WAL', { simple: true });
    if (mode !== 'wal') {
      throw new DriveMcpError(
        'STORE_FAILED',
        `the file system cannot keep a write-ahead log (mode ${String(mode)})`,
        {
          location: { file: path },
        },
      );
    }
    db.pragma('synchronous = FULL');
    db.pragma('wal_autocheckpoint = 0');
    db.pragma('journal_size_limit = 16777216');
    // Appending touches few pages; a megabyte of them is plenty.
    db.pragma('cache_size = -1024');
    return db;
  } catch (error) {
    closeQuietly(db);
    throw error;
  }
}

/** SQLite refuses to write to a file whose header claims a later format: the header is damaged then. */
function isRefusedThoughWritable(error: unknown, path: string): boolean {
  if (!/^SQLITE_(READONLY|CANTOPEN)/.test(sqliteCode(error))) return false;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function closeQuietly(db: Database.Database | null): void {
  try {
    db?.close();
  } catch {
    // A damaged database may refuse even this; its file is set aside all the same.
  }
}
