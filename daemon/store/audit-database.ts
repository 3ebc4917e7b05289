import type { Database, Statement } from 'better-sqlite3';
import type { JsonObject } from '../core/tick.js';
import type { ChainHead, RunEnd, RunStart } from './audit-store.js';
import { link, type StoredRecord } from './chain.js';
import { readChainRow } from './epoch-check.js';
import { HeadFile } from './head-file.js';
import type { OpenedEpoch } from './open-epoch.js';
import { canonicalBody } from './record-body.js';
import { type FileIdentity, identityOf, isInPlace } from './regular-file.js';
import { headPath } from './store-files.js';

/** A record on its way to the database; the store numbers and links it. */
export interface QueuedRecord {
  /**
   * counts the records of one writer, so that a retried commit writes nothing twice; null for the store's own
   * notes, which are written when they are made
   */
  readonly ordinal: number | null;
  /** run it belongs to, null outside of one */
  readonly runId: string | null;
  readonly tick: number;
  readonly monoUs: number;
  readonly wallMs: number;
  readonly kind: string;
  /** canonical JSON */
  readonly body: string;
  /** start or end of a run, whose row is kept beside the chain */
  readonly run?:
    | { readonly event: 'start'; readonly start: RunStart }
    | { readonly event: 'end'; readonly end: RunEnd };
}

/** The open database of an epoch, and the only writer to it. */
export class AuditDatabase {
  readonly db: Database;
  readonly epoch: number;
  readonly #headFile: HeadFile;
  readonly #files: readonly FileIdentity[];
  readonly #insert: Statement<[StoredRecord]>;
  readonly #moveHead: Statement;
  readonly #moveRun: Statement;
  #head: ChainHead;
  #ordinal: number;

  constructor(
    opened: OpenedEpoch,
    stateDir: string,
    readonly session: string,
    /** what a former epoch has already made durable of this session */
    ordinal = 0,
  ) {
    this.db = opened.db;
    this.epoch = opened.epoch;
    this.#headFile = new HeadFile(headPath(stateDir, opened.epoch));
    this.#insert = this.db.prepare(
      'INSERT INTO audit VALUES (@epoch, @seq, @tick, @mono_us, @wall_ms, @kind, @body, @prev_hash, @hash)',
    );
    this.#moveHead = this.db.prepare('UPDATE chain SET seq = ?, hash = ?, session = ?, ordinal = ?');
    this.#moveRun = this.db.prepare('UPDATE runs SET last_seq = ? WHERE run_id = ?');
    const chain = readChainRow(this.db)!;
    this.#head = { epoch: chain.epoch, seq: chain.seq, hash: chain.hash };
    this.#ordinal = chain.session === session ? chain.ordinal : ordinal;
    this.#headFile.write(this.#head);
    this.#files = [identityOf(opened.path), identityOf(`${opened.path}-wal`)];
  }

  /**
   * The first file of database and write-ahead log that was removed or replaced since it was opened, or null. A
   * commit to such a file succeeds, and what it wrote is gone with it.
   */
  displaced(): string | null {
    return this.#files.find((file) => !isInPlace(file))?.path ?? null;
  }

  get head(): ChainHead {
    return this.#head;
  }

  /** ordinal of the last record of this session that is durable */
  get ordinal(): number {
    return this.#ordinal;
  }

  /**
   * Writes the records as one transaction, durable when this returns. Those that a former attempt has written
   * are left out. Throws what SQLite throws; nothing of the batch is written then.
   */
  commit(batch: readonly QueuedRecord[]): void {
    const runEnds = new Map<string, number>();
    let head = this.#head;
    let ordinal = this.#ordinal;
    this.db
      .transaction(() => {
        for (const queued of batch) {
          if (queued.ordinal !== null && queued.ordinal <= ordinal) continue;
          const record = link({
            epoch: this.epoch,
            seq: head.seq + 1,
            tick: queued.tick,
            mono_us: queued.monoUs,
            wall_ms: queued.wallMs,
            kind: queued.kind,
            body: queued.body,
            prev_hash: head.hash,
          });
          this.#insert.run(record);
          head = { epoch: this.epoch, seq: record.seq, hash: record.hash };
          ordinal = queued.ordinal ?? ordinal;
          if (queued.runId === null) continue;
          runEnds.set(queued.runId, record.seq);
          if (queued.run?.event === 'start') this.#startRun(queued.run.start, record.seq);
          if (queued.run?.event === 'end') this.#endRun(queued.runId, queued.run.end);
        }
        this.#moveHead.run(head.seq, head.hash, this.session, ordinal);
        for (const [runId, seq] of runEnds) this.#moveRun.run(seq, runId);
      })
      .immediate();
    this.#head = head;
    this.#ordinal = ordinal;
    this.#headFile.write(head);
  }

  /** A record of the store's own about itself. */
  note(event: JsonObject, wallMs: number): void {
    const body = canonicalBody(event);
    this.commit([{ ordinal: null, runId: null, tick: -1, monoUs: 0, wallMs, kind: 'store', body }]);
  }

  /** A run that goes on in a new epoch: its row begins again there. */
  adoptRun(start: RunStart): void {
    this.#startRun(start, this.#head.seq);
  }

  /** Moves the write-ahead log into the database without waiting for readers. */
  checkpoint(mode: 'PASSIVE' | 'TRUNCATE'): void {
    this.db.pragma(`wal_checkpoint(${mode})`);
  }

  close(): void {
    try {
      this.db.close();
    } finally {
      this.#headFile.close();
    }
  }

  #endRun(runId: string, end: RunEnd): void {
    this.db
      .prepare('UPDATE runs SET end_ms = ?, summary = ?, decision_hash = ? WHERE run_id = ?')
      .run(end.wallMs, JSON.stringify(end.summary), end.decisionHash, runId);
  }

  #startRun(start: RunStart, seq: number): void {
    this.db
      .prepare(
        `INSERT OR REPLACE INTO runs(run_id, first_seq, last_seq, product_version, preset, config_digest, source,
           source_digest, simulated, recording, start_ms)
         VALUES (@runId, @seq, @seq, @productVersion, @preset, @configDigest, @source,
           @sourceDigest, @simulated, @recordingPath, @wallMs)`,
      )
      .run({ ...start, seq, simulated: start.isSimulated ? 1 : 0 });
  }
}
