/** What is looked at before a database is trusted. */
import type { Database } from 'better-sqlite3';
import type { ChainHead } from './audit-store.js';
import type { StoredRecord } from './chain.js';
import { ChainVerifier } from './chain-verifier.js';
import { applicationId } from './schema.js';

export interface ChainRow extends ChainHead {
  readonly base_seq: number;
  readonly base_hash: string;
  readonly session: string;
  readonly ordinal: number;
}

/** Rows checked at opening where the database is too large to check whole; the rest is checked beside the run. */
const headCheckRows = 1000;

/** True before the first transaction of a database. */
export function isBlank(db: Database): boolean {
  return db.prepare(`SELECT count(*) FROM sqlite_schema`).pluck().get() === 0;
}

export function readChainRow(db: Database): ChainRow | undefined {
  return db.prepare<[], ChainRow>('SELECT * FROM chain').get();
}

/**
 * What is wrong with the database, or null. `full`: SQLite's own check and the whole chain; otherwise the last
 * records and their agreement with the head. Throws what SQLite throws on a damaged file.
 */
export function findDamage(
  db: Database,
  epoch: number,
  head: ChainHead | null,
  full: boolean,
): string | null {
  if (isBlank(db)) return head === null ? 'the database is empty' : `records 1 to ${head.seq} are gone`;
  if (db.pragma('application_id', { simple: true }) !== applicationId) return 'not an audit database';
  if (full) {
    const problems = db.pragma('quick_check(1)', { simple: true });
    if (problems !== 'ok') return `SQLite finds: ${String(problems)}`;
  }
  const chain = readChainRow(db);
  if (chain === undefined) return 'the head of the chain is missing';
  if (chain.epoch !== epoch) return `the database says epoch ${chain.epoch}, its name ${epoch}`;
  return findLoss(chain, head) ?? findBreak(db, chain, full ? 0 : chain.seq - headCheckRows) ?? null;
}

/** Records that were acknowledged and are not in the database. */
export function findLoss(chain: ChainRow, head: ChainHead | null): string | null {
  if (head === null || head.epoch !== chain.epoch) return null;
  if (head.seq > chain.seq) return `records ${chain.seq + 1} to ${head.seq} are gone`;
  if (head.seq === chain.seq && head.hash !== chain.hash)
    return `record ${head.seq} is not the one acknowledged`;
  return null;
}

function findBreak(db: Database, chain: ChainRow, after: number): string | null {
  const isWhole = after <= chain.base_seq;
  const verifier = new ChainVerifier(
    isWhole ? { epoch: chain.epoch, seq: chain.base_seq, hash: chain.base_hash } : null,
  );
  const rows = db
    .prepare<[number], StoredRecord>('SELECT * FROM audit WHERE seq > ? ORDER BY seq')
    .iterate(after);
  for (const row of rows) {
    const found = verifier.add(row);
    if (found !== null) return `chain broken at record ${found.seq}: ${found.reason}`;
  }
  const last = verifier.head;
  if (last === null || last.seq !== chain.seq || last.hash !== chain.hash) {
    return `the last record is ${last?.seq ?? 'missing'}, the head says ${chain.seq}`;
  }
  return null;
}
