/** The texts of a pack folder, read with care: no links, nothing outside, nothing huge, UTF-8 only. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maxFileBytes, refuse } from './located-yaml.js';

const maxFiles = 4_000;

/** Paths relative to the folder, with `/`, sorted by code unit. @throws DriveMcpError RULEPACK_INVALID */
export function packFiles(folder: string): string[] {
  const found: string[] = [];
  const visit = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) found.push(path);
      else throw refuse(join(folder, path), 'a pack holds files and folders only, no links or devices');
      if (found.length > maxFiles) throw refuse(folder, `more than ${maxFiles} files`);
    }
  };
  visit('');
  return found.sort();
}

/** @throws DriveMcpError RULEPACK_INVALID: too large, no regular file, not UTF-8 */
export function readPackFile(folder: string, path: string): string {
  const file = join(folder, path);
  const { size } = lstatSync(file);
  if (size > maxFileBytes) throw refuse(file, `larger than ${maxFileBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    throw refuse(file, 'not UTF-8 text', undefined, undefined, cause);
  }
}
