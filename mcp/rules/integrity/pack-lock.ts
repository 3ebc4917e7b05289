/**
 * `pack.lock`: one line `sha256  path` for every file, in the order of their paths, so that equal packs have equal
 * locks on every machine (no time, no owner, no mode). The hash of the lock is the hash of the pack; its first six
 * bytes stand in the version, and the signature is over the lock.
 */
import { createHash } from 'node:crypto';
import type { PackFiles } from './pack-files.js';

export const lockFile = 'pack.lock';
export const signatureFile = 'pack.sig';

export function lockText(files: PackFiles): string {
  let text = '';
  for (const [path, bytes] of files) {
    if (path !== lockFile && path !== signatureFile) text += `${sha256(bytes)}  ${path}\n`;
  }
  return text;
}

/** SHA-256 of the lock as hexadecimal digits. */
export function treeHash(files: PackFiles): string {
  return sha256(lockText(files));
}

export interface LockDifference {
  readonly path: string;
  readonly difference: 'changed' | 'missing' | 'not locked';
}

/** What the files differ in from their `pack.lock`; null where there is none. */
export function lockDifferences(files: PackFiles): LockDifference[] | null {
  const written = files.get(lockFile)?.toString('utf8');
  if (written === undefined) return null;
  const locked = readLock(written);
  const actual = readLock(lockText(files));
  const found: LockDifference[] = [];
  for (const [path, hash] of actual) {
    const before = locked.get(path);
    if (before !== hash) found.push({ path, difference: before === undefined ? 'not locked' : 'changed' });
  }
  for (const path of locked.keys()) if (!actual.has(path)) found.push({ path, difference: 'missing' });
  // Same entries, but other order or other bytes around them: not what a build writes.
  if (found.length === 0 && written !== lockText(files))
    found.push({ path: lockFile, difference: 'changed' });
  return found;
}

function readLock(text: string): Map<string, string> {
  const entries = new Map<string, string>();
  for (const line of text.split('\n')) {
    const at = line.indexOf('  ');
    if (at > 0) entries.set(line.slice(at + 2), line.slice(0, at));
  }
  return entries;
}

function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
