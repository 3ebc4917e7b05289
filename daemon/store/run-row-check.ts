import type { Database } from 'better-sqlite3';
import type { StoredRecord } from './chain.js';

type Columns = Readonly<Record<string, unknown>>;

const startColumns = [
  'product_version',
  'preset',
  'config_digest',
  'source',
  'source_digest',
  'recording',
] as const;

interface Told {
  readonly seq: number;
  readonly body: Columns;
}

/** The table of runs is no part of the chain, but the chain says the same: a row that differs was changed. */
export class RunRowCheck {
  readonly #starts = new Map<string, Told>();
  readonly #ends = new Map<string, Told>();

  constructor(readonly db: Database) {}

  add(record: StoredRecord): void {
    if (record.kind !== 'run') return;
    const body = parsed(record.body);
    const told = { seq: record.seq, body };
    (body['event'] === 'start' ? this.#starts : this.#ends).set(String(body['run_id']), told);
  }

  problem(): { seq: number; reason: string } | null {
    const rows = this.db.prepare<[], Columns>('SELECT * FROM runs').all();
    const byId = new Map(rows.map((row) => [String(row['run_id']), row]));
    return (
      this.#compare(this.#starts, byId, startColumns) ?? this.#compare(this.#ends, byId, ['decision_hash'])
    );
  }

  #compare(told: Map<string, Told>, rows: Map<string, Columns>, columns: readonly string[]) {
    for (const [runId, { seq, body }] of told) {
      const row = rows.get(runId);
      const differing = columns.find((column) => body[column] !== row?.[column]);
      if (row === undefined) return { seq, reason: `run ${runId} is missing from the table of runs` };
      if (differing !== undefined)
        return { seq, reason: `the table of runs has another ${differing} for ${runId}` };
    }
    return null;
  }
}

/** A chain that somebody forged may hold any text; no run is found under it then. */
function parsed(body: string): Columns {
  try {
    return JSON.parse(body) as Columns;
  } catch {
    return {};
  }
}
