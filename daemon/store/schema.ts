import type { Database } from 'better-sqlite3';
import { DriveMcpError } from '../core/errors.js';

/** "DMCP" in the database header says whose file it is. */
export const applicationId = 0x444d4350;

/**
 * Schema changes in order; `user_version` counts how many a database has seen. Released ones never change:
 * what comes later is appended.
 */
export const migrations: readonly string[] = [
  `CREATE TABLE audit(
     epoch INTEGER NOT NULL,
     seq INTEGER PRIMARY KEY,
     tick INTEGER NOT NULL,
     mono_us INTEGER NOT NULL,
     wall_ms INTEGER NOT NULL,
     kind TEXT NOT NULL,
     body TEXT NOT NULL,
     prev_hash TEXT NOT NULL,
     hash TEXT NOT NULL
   );
   -- One row: head of the chain, checkpoint of what retention has removed (base_*), and up to where the
   -- present writer's records are in (a retried commit writes nothing twice).
   CREATE TABLE chain(
     id INTEGER PRIMARY KEY CHECK (id = 1),
     epoch INTEGER NOT NULL,
     seq INTEGER NOT NULL,
     hash TEXT NOT NULL,
     base_seq INTEGER NOT NULL,
     base_hash TEXT NOT NULL,
     session TEXT NOT NULL,
     ordinal INTEGER NOT NULL
   );
   CREATE TABLE runs(
     run_id TEXT PRIMARY KEY,
     first_seq INTEGER NOT NULL,
     last_seq INTEGER NOT NULL,
     product_version TEXT NOT NULL,
     preset TEXT NOT NULL,
     config_digest TEXT NOT NULL,
     source TEXT NOT NULL,
     source_digest TEXT NOT NULL,
     simulated INTEGER NOT NULL,
     recording TEXT,
     start_ms INTEGER NOT NULL,
     end_ms INTEGER,
     summary TEXT,
     decision_hash TEXT
   );`,
];

/** Throws STORE_VERSION where a newer program wrote this database; nothing is touched then. */
export function checkVersion(db: Database, file: string, known = migrations.length): void {
  const version = db.pragma('user_version', { simple: true }) as number;
  if (version > known) {
    throw new DriveMcpError(
      'STORE_VERSION',
      `the audit database has schema ${version}, this version knows ${known}`,
      { location: { file } },
    );
  }
}

/** Brings a database to the present schema, each step in its own transaction. Returns the steps taken. */
export function migrate(db: Database, steps: readonly string[] = migrations): number {
  const from = db.pragma('user_version', { simple: true }) as number;
  for (let version = from; version < steps.length; version++) {
    db.transaction(() => {
      db.exec(steps[version]!);
      db.pragma(`user_version = ${version + 1}`);
    })();
  }
  return steps.length - from;
}
