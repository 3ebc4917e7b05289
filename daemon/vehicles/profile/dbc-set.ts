/** The DBC files of a vehicle, as profiles name them. */
import { basename } from 'node:path';
import { DriveMcpError } from '../../core/errors.js';
import { compilePlan } from '../dbc/compile-plan.js';
import { type DbcFile as AnyDbcFile, readDbcFile as readAnyDbcFile } from '../dbc/dbc-file.js';
import type { DecodePlan } from '../dbc/decode-plan.js';

export interface DbcFile extends AnyDbcFile {
  /** name without folders, as profiles write it */
  readonly name: string;
}

/** @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE */
export function readDbcFile(path: string): DbcFile {
  return { ...readAnyDbcFile(path), name: basename(path) };
}

/**
 * One plan over several DBC files; damage and collisions between them are warnings.
 * @throws DriveMcpError DBC_INVALID where a file has no usable message
 */
export function planOf(files: readonly DbcFile[]): { plan: DecodePlan; warnings: string[] } {
  const warnings = files.flatMap(fileWarnings);
  const plan = compilePlan(files.map((file) => file.database));
  for (const { id, ext, kept, dropped } of plan.collisions.slice(0, 5)) {
    warnings.push(
      `two DBC files define id ${id}${ext ? ' (29 bit)' : ''}: ${kept} of the later file is used, not ${dropped}`,
    );
  }
  if (plan.collisions.length > 5) warnings.push(`${plan.collisions.length - 5} more ids are defined twice`);
  return { plan, warnings };
}

function fileWarnings({ path, database, diagnostics }: DbcFile): string[] {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (database.messages.length === 0) {
    const first = errors[0] ?? diagnostics[0];
    throw new DriveMcpError('DBC_INVALID', first?.message ?? 'the file defines no message', {
      location: { file: path, ...(first ? { line: first.line, column: first.column } : {}) },
    });
  }
  const shown = errors.slice(0, 3);
  const warnings = shown.map(
    (error) => `${path}:${error.line}:${error.column}: ${error.message} [${error.code}]`,
  );
  if (errors.length > shown.length) {
    warnings.push(`${path}: ${errors.length - shown.length} more errors; drivemcp dbc check lists them`);
  }
  return warnings;
}
