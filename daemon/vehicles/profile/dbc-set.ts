import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DriveMcpError } from '../../core/errors.js';
import { compilePlan } from '../dbc/compile-plan.js';
import type { DbcDatabase } from '../dbc/database.js';
import type { DecodePlan } from '../dbc/decode-plan.js';
import { parseDbc } from '../dbc/parse-dbc.js';

/** A DBC file as given, read and hashed. */
export interface DbcFile {
  readonly path: string;
  /** name without folders, as profiles write it */
  readonly name: string;
  readonly sha256: string;
  readonly database: DbcDatabase;
  /** what a person should know: damage that cost something */
  readonly warnings: readonly string[];
}

/**
 * Reads one DBC file.
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, DBC_INVALID where no message can be used
 */
export function readDbcFile(path: string): DbcFile {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new DriveMcpError(
      code === 'ENOENT' || code === 'ENOTDIR' ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      `cannot read the DBC file: ${(cause as Error).message}`,
      { location: { file: path }, cause },
    );
  }
  const { database, diagnostics } = parseDbc(bytes, path);
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (database.messages.length === 0) {
    const first = errors[0] ?? diagnostics[0];
    throw new DriveMcpError('DBC_INVALID', first?.message ?? 'the file defines no message', {
      location: { file: path, ...(first ? { line: first.line, column: first.column } : {}) },
    });
  }
  const warnings = errors
    .slice(0, 3)
    .map((error) => `${path}:${error.line}:${error.column}: ${error.message} [${error.code}]`);
  if (errors.length > 3)
    warnings.push(`${path}: ${errors.length - 3} more errors; drivemcp dbc check lists them`);
  return {
    path,
    name: basename(path),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    database,
    warnings,
  };
}

/** One plan over several files; collisions between them are warnings. */
export function planOf(files: readonly DbcFile[]): { plan: DecodePlan; warnings: string[] } {
  const plan = compilePlan(files.map((file) => file.database));
  const warnings = files.flatMap((file) => file.warnings);
  for (const { id, ext, kept, dropped } of plan.collisions.slice(0, 5)) {
    warnings.push(
      `two DBC files define id ${id}${ext ? ' (29 bit)' : ''}: ${kept} of the later file is used, not ${dropped}`,
    );
  }
  if (plan.collisions.length > 5) warnings.push(`${plan.collisions.length - 5} more ids are defined twice`);
  return { plan, warnings };
}
