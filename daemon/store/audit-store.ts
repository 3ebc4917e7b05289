/** What the daemon sees of the audit store. The database itself lives in a worker thread. */
import type { AuditEntry, JsonObject, StoreState } from '../core/tick.js';

/** A run as it is announced to the store; the announcement is itself a record of the chain. */
export interface RunStart {
  readonly runId: string;
  readonly productVersion: string;
  readonly preset: string;
  /** SHA-256 of the effective configuration and parameters */
  readonly configDigest: string;
  /** what it reads, for people */
  readonly source: string;
  readonly sourceDigest: string;
  readonly isSimulated: boolean;
  /** recording of the run, null where none is made; relative to the state directory */
  readonly recordingPath: string | null;
  /** Unix ms */
  readonly wallMs: number;
}

export interface RunEnd {
  readonly summary: JsonObject;
  readonly decisionHash: string;
  /** Unix ms */
  readonly wallMs: number;
}

export interface ChainHead {
  readonly epoch: number;
  readonly seq: number;
  /** hash of the last record, lower-case hex */
  readonly hash: string;
}

export interface StoreCounters {
  /** records on disk since the store was opened */
  readonly committed: number;
  readonly queued: number;
  readonly queuedBytes: number;
  /** heartbeats given up because the queue was full; a record of the chain says so once the disk is back */
  readonly droppedHeartbeats: number;
  /** records beyond even the last bound, replaced by one record with their count and digest */
  readonly foldedRecords: number;
  readonly failedCommits: number;
}

export interface AuditStore {
  readonly stateDir: string;
  /** The last hundred things an operator should know: a damaged database set aside, a full disk, a migration. */
  readonly notices: readonly string[];
  /** Hands over the notices so far and each further one as it comes. */
  tell(listener: (notice: string) => void): void;
  /** Every record until the next call belongs to this run; ticks count anew. Durable at the next flush. */
  beginRun(run: RunStart): void;
  endRun(end: RunEnd): void;
  /**
   * Queues the records of a tick and returns at once; call it for every tick, also with none, so that
   * `durableTick` goes on. `monoUs` is the tick's scheduled time, `wallMs` Unix time.
   */
  append(tick: number, monoUs: number, wallMs: number, entries: readonly AuditEntry[]): void;
  state(): StoreState;
  /** why records are not becoming durable at the moment, else null */
  readonly trouble: string | null;
  counters(): StoreCounters;
  /** Head of the durable chain, null before the first record of a device. */
  head(): ChainHead | null;
  /** True when all records of this tick and before are on disk; false after `timeoutMs` without. */
  whenDurable(tick: number, timeoutMs: number): Promise<boolean>;
  /** Commits what is queued; throws the typed error (STORE_FULL, …) where the disk refuses. */
  flush(): Promise<void>;
  /** Flushes, closes the database and gives the state directory free. Throws like flush, after closing. */
  close(): Promise<void>;
}
