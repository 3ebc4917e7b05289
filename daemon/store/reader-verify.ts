/** Recomputes the chain: of a state directory, or of an export. */
import type { Database } from 'better-sqlite3';
import type { DriveMcpError } from '../core/errors.js';
import type { ChainHead } from './audit-store.js';
import { genesisHash, type StoredRecord } from './chain.js';
import { type ChainBreak, ChainVerifier, parseExportLine } from './chain-verifier.js';
import { findLoss, isBlank, readChainRow } from './epoch-check.js';
import { type HeadReading, readHeadFile } from './head-file.js';
import { openForReading, type ReadDatabase } from './reader-database.js';
import { requireRegularFiles } from './regular-file.js';
import { RunRowCheck } from './run-row-check.js';
import { sqliteCode } from './sqlite-error.js';
import { type EpochFile, epochFiles, epochPath, headPath, lastEpoch } from './store-files.js';

export interface EpochReport {
  readonly epoch: number;
  readonly file: string;
  /** true: the store found it damaged and began a new one */
  readonly set_aside: boolean;
  /** there is no database of this epoch, though one was written */
  readonly is_missing: boolean;
  /** what stands of the head kept beside the database */
  readonly head_file: HeadReading['state'];
  readonly records: number;
  readonly first_seq: number | null;
  /** the last record that verifies */
  readonly head: ChainHead | null;
  /** what retention has removed: verification begins behind this record */
  readonly checkpoint: { readonly seq: number; readonly hash: string } | null;
  readonly problem: (Omit<ChainBreak, 'epoch'> & { readonly seq: number }) | null;
}

/** Called every thousand records: shows progress, lets signals in, stops by throwing. */
export type Progress = (records: number) => Promise<void>;

/** What the next epoch may be linked to: the last record that verifies, that can be read, that was acknowledged. */
type Ends = readonly (ChainHead | null | undefined)[];

/**
 * Every epoch of a state directory, oldest first, those whose database is gone included; with `only` one of
 * them. Throws FILE_UNREADABLE where the directory or a file in it cannot be read.
 */
export async function verifyStateDir(
  stateDir: string,
  onProgress: Progress,
  only?: number,
): Promise<EpochReport[]> {
  requireRegularFiles(stateDir);
  const reports: EpochReport[] = [];
  let ends: { epoch: number; of: Ends } = { epoch: 0, of: [] };
  const tellMissing = (before: number) => {
    if (ends.epoch + 1 >= before) return;
    const report = missingEpochs(stateDir, ends.epoch + 1, before - 1);
    if (only === undefined || (only >= report.epoch && only < before)) reports.push(report);
    ends = { epoch: before - 1, of: [readHeadFile(headPath(stateDir, before - 1), before - 1).head] };
  };
  for (const file of epochFiles(stateDir)) {
    tellMissing(file.epoch);
    if (only !== undefined && file.epoch !== only) {
      ends = { epoch: file.epoch, of: [] };
      continue;
    }
    // Before the database: a writer that goes on can only make the database newer than this.
    const noted = readHeadFile(headPath(stateDir, file.epoch), file.epoch);
    const before = ends.epoch === file.epoch - 1 ? ends.of : [];
    const { report, last } = await verifyEpoch(file, noted, before, onProgress);
    reports.push(report);
    ends = { epoch: file.epoch, of: [report.head, last, noted.head] };
  }
  tellMissing(lastEpoch(stateDir) + 1);
  return reports;
}

/** Epochs `from` … `to` have left heads or successors, and no database: one report, however many they are. */
function missingEpochs(stateDir: string, from: number, to: number): EpochReport {
  const { head, state } = readHeadFile(headPath(stateDir, from), from);
  const which = from === to ? `epoch ${from} is` : `epochs ${from} to ${to} are`;
  const upTo = head === null ? '' : `; its head says that ${head.seq} records were written`;
  return {
    epoch: from,
    file: epochPath(stateDir, from),
    set_aside: false,
    is_missing: true,
    head_file: state,
    records: 0,
    first_seq: null,
    head: null,
    checkpoint: null,
    problem: { seq: 1, reason: `${which} missing${upTo}` },
  };
}

interface Verified {
  readonly report: EpochReport;
  /** the last record that can be read, whether it verifies or not */
  readonly last: ChainHead | null;
}

async function verifyEpoch(
  file: EpochFile,
  reading: HeadReading,
  before: Ends,
  onProgress: Progress,
): Promise<Verified> {
  const noted = reading.head;
  const fixed = {
    epoch: file.epoch,
    file: file.path,
    set_aside: file.isDamaged,
    is_missing: false,
    head_file: reading.state,
  };
  const none = { ...fixed, records: 0, first_seq: null, head: null, checkpoint: null };
  let database: ReadDatabase;
  try {
    database = openForReading(file.path);
  } catch (error) {
    const { code } = error as DriveMcpError;
    if (code === 'STORE_VERSION' || code === 'FILE_UNREADABLE') throw error;
    return { report: { ...none, problem: { seq: 0, reason: (error as Error).message } }, last: null };
  }
  const { db, close } = database;
  try {
    if (isBlank(db)) return { report: { ...none, problem: blankProblem(noted) }, last: null };
    // One read transaction: everything is of one moment while a writer goes on.
    db.exec('BEGIN');
    const walked = await walk(db, file.epoch, noted, before, onProgress);
    const problem = walked.problem ?? (reading.state === 'garbage' ? garbageHead : null);
    return { report: { ...fixed, ...walked, problem }, last: lastRecord(db) };
  } catch (error) {
    if (sqliteCode(error) === '') throw error;
    return { report: { ...none, problem: { seq: 0, reason: (error as Error).message } }, last: null };
  } finally {
    close();
  }
}

const garbageHead = { seq: 0, reason: 'the head kept beside the database was damaged or changed' };

function blankProblem(noted: ChainHead | null): EpochReport['problem'] {
  if (noted === null || noted.seq === 0) return null;
  return { seq: 1, reason: `records 1 to ${noted.seq} are gone` };
}

function lastRecord(db: Database): ChainHead | null {
  try {
    const sql = 'SELECT epoch, seq, hash FROM audit ORDER BY seq DESC LIMIT 1';
    return db.prepare<[], ChainHead>(sql).get() ?? null;
  } catch {
    return null;
  }
}

async function walk(
  db: Database,
  epoch: number,
  head: ChainHead | null,
  before: Ends,
  onProgress: Progress,
): Promise<Pick<EpochReport, 'records' | 'first_seq' | 'head' | 'checkpoint' | 'problem'>> {
  const chain = readChainRow(db);
  const isPruned = chain !== undefined && chain.base_seq > 0;
  const start = chain === undefined ? null : { epoch, seq: chain.base_seq, hash: chain.base_hash };
  const previous =
    before.find((end) => end?.hash === start?.hash) ?? before.find((end) => end != null) ?? null;
  const verifier = new ChainVerifier(isPruned || previous === null ? start : previous);
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
      if (verifier.count % 1000 === 0) await onProgress(verifier.count);
    }
  } catch (error) {
    if (sqliteCode(error) === '') throw error;
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

/** Lines of `audit export`; an empty line is no record and breaks it. */
export async function verifyExport(
  lines: AsyncIterable<string>,
  onProgress: Progress,
): Promise<ExportReport> {
  const verifier = new ChainVerifier();
  let line = 0;
  let problem: ExportReport['problem'] = null;
  for await (const text of lines) {
    line++;
    const record = parseExportLine(text);
    const at = { epoch: verifier.head?.epoch ?? 0, seq: (verifier.head?.seq ?? 0) + 1 };
    const found = typeof record === 'string' ? { ...at, reason: record } : verifier.add(record);
    if (found !== null) {
      problem = { ...found, line };
      break;
    }
    if (verifier.count % 1000 === 0) await onProgress(verifier.count);
  }
  const { count, head, beginsInside } = verifier;
  return { records: count, head: count === 0 ? null : head, begins_inside: beginsInside, problem };
}
