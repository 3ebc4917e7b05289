/** Read-only access to the audit store, for commands and experts; works beside a running daemon. */
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import type { StoredRecord } from './chain.js';
import { isBlank } from './epoch-check.js';
import { openForReading, type ReadDatabase } from './reader-database.js';
import { requireRegularFiles } from './regular-file.js';
import { storeError } from './sqlite-error.js';
import { type EpochFile, epochFiles } from './store-files.js';

export interface AuditRun {
  readonly run_id: string;
  readonly epoch: number;
  /** first and last record of the run */
  readonly first_seq: number;
  readonly last_seq: number;
  readonly product_version: string;
  readonly preset: string;
  readonly config_digest: string;
  readonly source: string;
  readonly source_digest: string;
  readonly simulated: boolean;
  /** recording, relative to the state directory */
  readonly recording: string | null;
  readonly start_ms: number;
  /** null while it runs, and for ever where it was cut short */
  readonly end_ms: number | null;
  readonly summary: JsonObject | null;
  readonly decision_hash: string | null;
}

export interface RecordFilter {
  readonly run?: AuditRun;
  readonly epoch?: number;
  readonly kind?: string;
  readonly fromTick?: number;
  readonly toTick?: number;
  readonly fromSeq?: number;
  readonly toSeq?: number;
}

export interface AuditReader {
  readonly stateDir: string;
  /** databases, oldest epoch first; damaged ones that were set aside included */
  readonly epochs: readonly EpochFile[];
  /** oldest first */
  runs(): AuditRun[];
  /** The run with this id, or the latest. Throws RUN_UNKNOWN. */
  run(id?: string): AuditRun;
  /** Records in the order of the chain. Throws STORE_CORRUPT where a database cannot be read on. */
  records(filter?: RecordFilter): Generator<StoredRecord>;
  close(): void;
}

/** Throws FILE_MISSING where there is no store in this directory, FILE_UNREADABLE where it cannot be read. */
export function openAuditReader(stateDir: string): AuditReader {
  requireRegularFiles(stateDir);
  const epochs = epochFiles(stateDir);
  if (epochs.length === 0) {
    throw new DriveMcpError('FILE_MISSING', 'there is no audit store', {
      location: { file: stateDir },
      hint: 'drivemcp run makes one; --state names another directory',
    });
  }
  return new DirectoryReader(stateDir, epochs);
}

class DirectoryReader implements AuditReader {
  readonly #open = new Map<string, ReadDatabase>();

  constructor(
    readonly stateDir: string,
    readonly epochs: readonly EpochFile[],
  ) {}

  runs(): AuditRun[] {
    const runs: AuditRun[] = [];
    for (const file of this.epochs) {
      try {
        const { db } = this.#database(file);
        if (isBlank(db)) continue;
        const rows = db.prepare<[], RunRow>('SELECT * FROM runs ORDER BY first_seq').all();
        for (const row of rows) runs.push(asRun(row, file.epoch));
      } catch (error) {
        // A database that was set aside tells what it still can.
        if (!file.isDamaged) throw storeError(error, file.path);
      }
    }
    return runs;
  }

  run(id?: string): AuditRun {
    const runs = this.runs();
    const found = id === undefined ? runs.at(-1) : runs.findLast((run) => run.run_id === id);
    if (found !== undefined) return found;
    throw new DriveMcpError(
      'RUN_UNKNOWN',
      id === undefined ? 'no run is recorded here' : `there is no run '${id}' here`,
      { location: { file: this.stateDir } },
    );
  }

  *records(filter: RecordFilter = {}): Generator<StoredRecord> {
    const epoch = filter.run?.epoch ?? filter.epoch;
    const { sql, values } = query(filter);
    for (const file of this.epochs) {
      if (epoch !== undefined && file.epoch !== epoch) continue;
      try {
        const { db } = this.#database(file);
        if (isBlank(db)) continue;
        yield* db.prepare<unknown[], StoredRecord>(sql).iterate(...values);
      } catch (error) {
        throw storeError(error, file.path);
      }
    }
  }

  close(): void {
    for (const database of this.#open.values()) database.close();
    this.#open.clear();
  }

  #database(file: EpochFile): ReadDatabase {
    let database = this.#open.get(file.path);
    if (database === undefined) {
      database = openForReading(file.path);
      this.#open.set(file.path, database);
    }
    return database;
  }
}

type RunRow = Omit<AuditRun, 'epoch' | 'simulated' | 'summary'> & {
  simulated: number;
  summary: string | null;
};

function asRun(row: RunRow, epoch: number): AuditRun {
  return {
    ...row,
    epoch,
    simulated: row.simulated === 1,
    summary: row.summary === null ? null : (JSON.parse(row.summary) as JsonObject),
  };
}

function query(filter: RecordFilter): { sql: string; values: (string | number)[] } {
  const terms: string[] = [];
  const values: (string | number)[] = [];
  const add = (term: string, value: string | number | undefined) => {
    if (value === undefined) return;
    terms.push(term);
    values.push(value);
  };
  add('seq >= ?', filter.run?.first_seq);
  add('seq <= ?', filter.run?.last_seq);
  add('seq >= ?', filter.fromSeq);
  add('seq <= ?', filter.toSeq);
  add('kind = ?', filter.kind);
  add('tick >= ?', filter.fromTick);
  add('tick <= ?', filter.toTick);
  const where = terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`;
  return { sql: `SELECT * FROM audit${where} ORDER BY seq`, values };
}
