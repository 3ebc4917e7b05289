import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { systemClock } from '../runtime/clock.js';
import { AuditDatabase, type QueuedRecord } from './audit-database.js';
import type { RunStart } from './audit-store.js';
import { type OpenedEpoch, openEpoch, replaceEpoch } from './open-epoch.js';
import { type Pruned, pruneSlice } from './retention.js';
import { isCorruption, sqliteCode, storeError } from './sqlite-error.js';
import { lockState, type StateLock } from './state-lock.js';
import type { FromWorker, PlainError, StoreWorkerData, ToWorker } from './worker-protocol.js';

/** The log is moved into the database when it is longer than this. */
const checkpointBytes = 4 * 1024 * 1024;
/** Time for what is left of the maintenance when the store is closed. */
const finishUs = 300_000;

/** Commits, checks, prunes; answers every request of the daemon's thread. */
export class StoreWriter {
  #lock: StateLock | null = null;
  #database: AuditDatabase | null = null;
  #run: RunStart | null;
  #pruned: Pruned | null = null;
  #maintenance: NodeJS.Immediate | null = null;
  #wallMs: number;
  /** files of the store were removed or replaced: nothing more is written to this directory by this process */
  #lost: DriveMcpError | null = null;

  constructor(
    readonly data: StoreWorkerData,
    readonly post: (message: FromWorker) => void,
  ) {
    this.#wallMs = data.wallMs;
    this.#run = data.run;
  }

  open(): void {
    try {
      this.#lock = lockState(this.data.stateDir);
    } catch (error) {
      this.post({ type: 'refused', error: plain(error, this.data.stateDir) });
      return;
    }
    try {
      const database = this.#ensureOpen();
      this.post({ type: 'opened', head: database.head, ordinal: database.ordinal, trouble: null });
    } catch (error) {
      const trouble = plain(error, this.data.stateDir);
      // A disk that is full or fails may recover; anything else will not by waiting.
      if (trouble.code === 'STORE_FULL' || trouble.code === 'STORE_FAILED') {
        this.post({ type: 'opened', head: null, ordinal: 0, trouble });
      } else {
        this.#shut();
        this.post({ type: 'refused', error: trouble });
      }
    }
  }

  handle(message: ToWorker): void {
    if (message.type === 'close') {
      this.#shut();
      this.post({ type: 'closed' });
      return;
    }
    this.#wallMs = message.wallMs;
    try {
      if (message.type === 'condemn') this.#condemn(message.epoch, message.reason);
      else this.#commit(message.batch);
    } catch (error) {
      const failure = plain(this.#whyLost() ?? error, this.data.stateDir);
      // After an I/O error SQLite's view of the file is doubtful: look at it anew before the next attempt.
      if (sqliteCode(error) !== 'SQLITE_FULL' && !sqliteCode(error).startsWith('SQLITE_BUSY'))
        this.#dropDatabase();
      if (message.type === 'commit') this.post({ type: 'failed', error: failure });
      else this.post({ type: 'notice', text: failure.message });
    }
  }

  #commit(batch: readonly QueuedRecord[]): void {
    let database = this.#ensureOpen();
    try {
      database.commit(batch);
    } catch (error) {
      if (!isCorruption(error)) throw error;
      database = this.#replace(database, (error as Error).message);
      database.commit(batch);
    }
    const lost = this.#whyLost();
    if (lost !== null) throw lost;
    for (const queued of batch) {
      if (queued.run !== undefined) this.#run = queued.run.event === 'start' ? queued.run.start : null;
    }
    this.post({ type: 'committed', head: database.head, ordinal: database.ordinal });
    this.#maintenance ??= setImmediate(() => this.#maintain());
  }

  /**
   * After each commit and before it is acknowledged. Beginning again in what stands there now would hide the
   * loss, and the lock on a removed file keeps no other daemon away: only a new start looks at it anew.
   */
  #whyLost(): DriveMcpError | null {
    const database = this.#database;
    if (this.#lost !== null || database === null) return this.#lost;
    const path = database.displaced() ?? (this.#lock?.isInPlace() === false ? 'daemon.lock' : null);
    if (path === null) return null;
    const { epoch, seq } = database.head;
    this.#lost = new DriveMcpError(
      'STORE_FAILED',
      `${basename(path)} was removed or replaced while in use: records up to ${epoch}/${seq} were written to the file that is gone`,
      {
        location: { file: this.data.stateDir },
        hint: 'restore the state directory, or start again: ACT stays refused until then',
      },
    );
    return this.#lost;
  }

  #condemn(epoch: number, reason: string): void {
    const database = this.#ensureOpen();
    if (database.epoch !== epoch) return;
    const next = this.#replace(database, reason);
    this.post({ type: 'head', head: next.head });
  }

  #ensureOpen(): AuditDatabase {
    if (this.#lost !== null) throw this.#lost;
    this.#database ??= this.#adopt(openEpoch(this.data.stateDir, this.#wallMs));
    return this.#database;
  }

  /** Sets the damaged database aside; the run goes on in a new epoch. */
  #replace(database: AuditDatabase, reason: string): AuditDatabase {
    const { epoch, ordinal } = database;
    this.#dropDatabase();
    const next = this.#adopt(replaceEpoch(this.data.stateDir, epoch, this.#wallMs, reason), ordinal);
    this.#database = next;
    if (this.#run !== null) next.adoptRun(this.#run);
    return next;
  }

  #adopt(opened: OpenedEpoch, ordinal = 0): AuditDatabase {
    for (const text of opened.notices) this.post({ type: 'notice', text });
    if (opened.needsScrub) this.post({ type: 'scrub', epoch: opened.epoch, path: opened.path });
    try {
      return new AuditDatabase(opened, this.data.stateDir, this.data.session, ordinal);
    } catch (error) {
      opened.db.close();
      throw error;
    }
  }

  /** Between commits: moves the log into the database, removes what retention no longer keeps. */
  #maintain(): void {
    this.#maintenance = null;
    const database = this.#database;
    // Where files are gone the next commit tells.
    if (database === null || database.displaced() !== null) return;
    try {
      if (statSync(`${database.db.name}-wal`).size > checkpointBytes) database.checkpoint('PASSIVE');
      const pruned = pruneSlice(database.db, this.data, this.#wallMs, this.#pruned !== null);
      if (pruned !== null) {
        this.#pruned = { ...pruned, fromSeq: this.#pruned?.fromSeq ?? pruned.fromSeq };
        this.#maintenance = setImmediate(() => this.#maintain());
      } else if (this.#pruned !== null) {
        const { fromSeq, throughSeq, throughHash } = this.#pruned;
        this.#pruned = null;
        database.note(
          { event: 'pruned', from_seq: fromSeq, through_seq: throughSeq, through_hash: throughHash },
          this.#wallMs,
        );
        this.post({ type: 'head', head: database.head });
      }
    } catch (error) {
      this.#maintenanceFailed(database, error as Error);
    }
  }

  /** Nothing depends on it now: a disk that stays full or fails fails the next commit, which is told. */
  #maintenanceFailed(database: AuditDatabase, error: Error): void {
    this.#pruned = null;
    if (!isCorruption(error)) {
      this.post({ type: 'notice', text: `store maintenance: ${error.message}` });
      return;
    }
    try {
      this.#condemn(database.epoch, error.message);
    } catch (second) {
      this.#dropDatabase();
      this.post({
        type: 'notice',
        text: `store maintenance: ${error.message}; ${(second as Error).message}`,
      });
    }
  }

  /** A run that ends before its maintenance has begun leaves it to nobody; but the end does not wait long. */
  #finishMaintenance(): void {
    const end = systemClock.monoUs() + finishUs;
    while (this.#maintenance !== null && systemClock.monoUs() < end) {
      clearImmediate(this.#maintenance);
      this.#maintain();
    }
    if (this.#maintenance !== null) clearImmediate(this.#maintenance);
  }

  #dropDatabase(): void {
    try {
      this.#database?.close();
    } catch {
      // A database on a failing disk may refuse to close; the next attempt opens it anew.
    }
    this.#database = null;
  }

  #shut(): void {
    this.#finishMaintenance();
    try {
      this.#database?.checkpoint('TRUNCATE');
    } catch {
      // The log holds the records; the next opening moves them.
    }
    this.#dropDatabase();
    this.#lock?.release();
    this.#lock = null;
  }
}

function plain(error: unknown, stateDir: string): PlainError {
  const known = error instanceof DriveMcpError ? error : storeError(error, stateDir);
  return { code: known.code, message: known.message, location: known.location };
}
