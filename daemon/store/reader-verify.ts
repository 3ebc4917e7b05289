/** Recomputes the chain: of a state directory, or of an export. */
import type { Database } from 'better-sqlite3';
import type { ChainHead } from './audit-store.js';
import { genesisHash, type StoredRecord } from './chain.js';
import { type ChainBreak, ChainVerifier, parseExportLine } from './chain-verifier.js';
import { findLoss, isBlank, readChainRow } from './epoch-check.js';
import { readHead } from './head-file.js';
import { openForReading } from './reader-database.js';
import { RunRowCheck } from './run-row-check.js';
import { type EpochFile, epochFiles, headPath } from './store-files.js';

export interface EpochReport {
  readonly epoch: number;
  readonly file: string;
  readonly is_damaged: boolean;
  readonly records: number;
  readonly first_seq: number | null;
  /** the last record that verifies */
  readonly head: ChainHead | null;
  /** what retention has removed: verification begins behind this record */
  readonly checkpoint: { readonly seq: number; readonly hash: string } | null;
  readonly problem: (Omit<ChainBreak, 'epoch'> & { readonly seq: number }) | null;
}

export type Progress = (records: number) => void;

/** Every epoch of a state directory, oldest first; with `only` one of them. */
export function verifyStateDir(stateDir: string, onProgress: Progress, only?: number): EpochReport[] {
  const files = epochFiles(stateDir).filter((file) => only === undefined || file.epoch === only);
  const reports: EpochReport[] = [];
  for (const file of files) {
    const before = reports.at(-1);
    const previous = before !== undefined && before.epoch === file.epoch - 1 ? before.head : null;
    reports.push(verifyEpoch(stateDir, file, previous, onProgress));
  }
  return reports;
}

function verifyEpoch(
  stateDir: string,
  file: EpochFile,
  previous: ChainHead | null,
  onProgress: Progress,
): EpochReport {
  // Before the database: a writer that goes on can only make the database newer than this.
  const head = readHead(headPath(stateDir, file.epoch));
  const empty = { epoch: file.epoch, file: file.path, is_damaged: file.isDamaged, records: 0 };
  const none = { ...empty, first_seq: null, head: null, checkpoint: null };
  try {
    const database = openForReading(file.path);
    try {
      if (isBlank(database.db)) return { ...none, problem: null };
      return database.db.transaction(() => ({
        ...empty,
        ...walk(database.db, file.epoch, head, previous, onProgress),
      }))();
    } finally {
      database.close();
    }
  } catch (error) {
    return { ...none, problem: { seq: 0, reason: (error as Error).message } };
  }
}

function walk(
  db: Database,
  epoch: number,
  head: ChainHead | null,
  previous: ChainHead | null,
  onProgress: Progress,
): Omit<EpochReport, 'epoch' | 'file' | 'is_damaged'> {
  const chain = readChainRow(db);
  const isPruned = chain !== undefined && chain.base_seq > 0;
  const start = chain === undefined ? null : { epoch, seq: chain.base_seq, hash: chain.base_hash };
  const anchor = isPruned || previous === null ? start : previous;
  const verifier = new ChainVerifier(anchor);
  const runs = new RunRowCheck(db);
  let first: number | null = null;
  let problem: EpochReport['problem'] = null;
  if (epoch === 1 && !isPruned && chain !== undefined && chain.base_hash !== genesisHash) {
    problem = { seq: 0, reason: 'the first epoch does not begin with 64 zeros' };
  }
  try {
    for (const record of db.prepare<[], StoredRecord>('SELECT * FROM audit ORDER BY seq').iterate()) {
      const found = verifier.add(record);
      if (found !== null) {
        problem = { seq: found.seq, reason: found.reason };
        break;
      }
      first ??= record.seq;
      runs.add(record);
      if (verifier.count % 1000 === 0) onProgress(verifier.count);
    }
  } catch (error) {
    problem = { seq: (verifier.head?.seq ?? 0) + 1, reason: (error as Error).message };
  }
  const last = verifier.count === 0 ? null : verifier.head;
  problem ??= endProblem(last, chain, head) ?? runs.problem();
  return {
    records: verifier.count,
    first_seq: first,
    head: last ?? (isPruned ? start : null),
    checkpoint: isPruned ? { seq: chain.base_seq, hash: chain.base_hash } : null,
    problem,
  };
}

function endProblem(
  last: ChainHead | null,
  chain: ReturnType<typeof readChainRow>,
  head: ChainHead | null,
): EpochReport['problem'] {
  if (chain === undefined) return { seq: (last?.seq ?? 0) + 1, reason: 'the head of the chain is missing' };
  const lastSeq = last?.seq ?? chain.base_seq;
  if (lastSeq !== chain.seq) {
    return { seq: lastSeq + 1, reason: `the last record is ${lastSeq}, the head says ${chain.seq}` };
  }
  const loss = findLoss(chain, head);
  return loss === null ? null : { seq: chain.seq + 1, reason: loss };
}

export interface ExportReport {
  readonly records: number;
  readonly head: ChainHead | null;
  /** the export begins inside a chain: what came before its first record is taken as given */
  readonly begins_inside: boolean;
  readonly problem: (ChainBreak & { readonly line: number }) | null;
}

/** Lines of `audit export`; empty lines at the end do not count. */
export async function verifyExport(
  lines: AsyncIterable<string>,
  onProgress: Progress,
): Promise<ExportReport> {
  const verifier = new ChainVerifier();
  let line = 0;
  let problem: ExportReport['problem'] = null;
  for await (const text of lines) {
    line++;
    if (text === '') continue;
    const record = parseExportLine(text);
    const at = { epoch: verifier.head?.epoch ?? 0, seq: (verifier.head?.seq ?? 0) + 1 };
    const found = typeof record === 'string' ? { ...at, reason: record } : verifier.add(record);
    if (found !== null) {
      problem = { ...found, line };
      break;
    }
    if (verifier.count % 1000 === 0) onProgress(verifier.count);
  }
  const { count, head, beginsInside } = verifier;
  return { records: count, head: count === 0 ? null : head, begins_inside: beginsInside, problem };
}
