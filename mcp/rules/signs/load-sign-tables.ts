/** Reads the sign tables of all countries: `signs.yaml` of each rulepack that has one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type SignTable, signTableSchema } from './sign-table.js';

/**
 * @param folder the folder of rulepacks
 * @returns tables by ISO 3166-1 code
 * @throws DriveMcpError RULEPACK_INVALID with file and key
 */
export function loadSignTables(folder: string): ReadonlyMap<string, SignTable> {
  const tables = new Map<string, SignTable>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = join(folder, entry.name, 'signs.yaml');
    if (!entry.isDirectory() || !existsSync(file)) continue;
    const table = read(file, signTableSchema);
    tables.set(table.country, table);
  }
  return tables;
}

function read<T>(file: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'), { maxAliasCount: 0 });
  } catch (cause) {
    throw new DriveMcpError('RULEPACK_INVALID', (cause as Error).message.split('\n')[0] ?? 'not YAML', {
      location: { file },
      cause,
    });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new DriveMcpError('RULEPACK_INVALID', issue?.message ?? 'does not fit the format', {
    location: { file, key: issue?.path.join('.') ?? '' },
  });
}
