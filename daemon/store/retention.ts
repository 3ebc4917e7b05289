/**
 * Bounded size on disk: the oldest runs go first, whole ones as long as there are any. What goes leaves a
 * checkpoint (number and hash of the last record removed), from which the rest of the chain still verifies.
 */
import type { Database } from 'better-sqlite3';
import { readChainRow } from './epoch-check.js';

export interface RetentionLimits {
  readonly maxBytes: number;
  /** 0 = no limit. Off by default: with a wrong clock a limit by age would remove everything. */
  readonly maxAgeMs: number;
}

export interface Pruned {
  readonly fromSeq: number;
  readonly throughSeq: number;
  readonly throughHash: string;
}

/** Records removed in one transaction, so that a commit never waits long. */
const sliceRows = 256;
/** Of the limit; pruning stops there, so that it does not start again with the next commit. */
const lowWater = 0.9;

/** Bytes in use, free pages not counted. */
export function usedBytes(db: Database): number {
  const pages = db.pragma('page_count', { simple: true }) as number;
  const free = db.pragma('freelist_count', { simple: true }) as number;
  return (pages - free) * (db.pragma('page_size', { simple: true }) as number);
}

/**
 * Removes one slice of the oldest records where a limit asks for it; null where nothing is to be removed.
 * `isPruning`: a slice has just been removed, go on down to the low-water mark.
 */
export function pruneSlice(
  db: Database,
  limits: RetentionLimits,
  wallMs: number,
  isPruning: boolean,
): Pruned | null {
  const chain = readChainRow(db);
  if (chain === undefined || chain.seq === chain.base_seq) return null;
  const tooLarge = usedBytes(db) > limits.maxBytes * (isPruning ? lowWater : 1);
  const last = tooLarge ? chain.seq - 1 : lastSeqOlderThan(db, limits, wallMs, chain.seq - 1);
  const through = Math.min(last, chain.base_seq + sliceRows);
  if (through <= chain.base_seq) return null;
  const hash = db.prepare<[number], string>('SELECT hash FROM audit WHERE seq = ?').pluck().get(through);
  if (hash === undefined) return null;
  db.transaction(() => {
    db.prepare('DELETE FROM audit WHERE seq <= ?').run(through);
    db.prepare('DELETE FROM runs WHERE last_seq <= ?').run(through);
    db.prepare('UPDATE chain SET base_seq = ?, base_hash = ?').run(through, hash);
  }).immediate();
  db.pragma('incremental_vacuum(256)');
  return { fromSeq: chain.base_seq + 1, throughSeq: through, throughHash: hash };
}

/** Only runs that have ended are too old as a whole. */
function lastSeqOlderThan(db: Database, limits: RetentionLimits, wallMs: number, atMost: number): number {
  if (limits.maxAgeMs <= 0) return 0;
  const last = db
    .prepare<[number], number | null>('SELECT max(last_seq) FROM runs WHERE end_ms < ?')
    .pluck()
    .get(wallMs - limits.maxAgeMs);
  return Math.min(last ?? 0, atMost);
}
