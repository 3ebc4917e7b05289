/**
 * Writes a planned import. Everything is written beside the pack first and moved in file by file: a crash leaves files of
 * before and files of after, each whole, and the same command again brings the pack to its end.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { pathProblem, refused } from '../integrity/pack-files.js';

/**
 * @param writes path inside the pack → text; null = the file goes
 * @throws DriveMcpError FILE_UNWRITABLE, RULEPACK_INVALID
 */
export function writeImport(folder: string, writes: ReadonlyMap<string, string | null>): void {
  for (const path of writes.keys()) {
    const problem = pathProblem(path);
    if (problem !== null) throw refused(folder, path, problem);
  }
  let staging: string | null = null;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    staging = join(dirname(folder), `.${basename(folder)}.import-${randomBytes(6).toString('hex')}`);
    mkdirSync(staging);
    const files = [...writes].filter((entry): entry is [string, string] => entry[1] !== null);
    for (const [path, text] of files) {
      mkdirSync(dirname(join(staging, path)), { recursive: true });
      writeFileSync(join(staging, path), text, { flag: 'wx' });
    }
    if (!existsSync(folder) || readdirSync(folder).length === 0) {
      rmSync(folder, { recursive: true, force: true });
      renameSync(staging, folder);
      return;
    }
    for (const [path] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      renameSync(join(staging, path), join(folder, path));
    }
    // Last: until then an old text stands in two places at worst, never in none.
    for (const [path, text] of writes) if (text === null) rmSync(join(folder, path), { force: true });
  } catch (cause) {
    if (cause instanceof DriveMcpError) throw cause;
    throw new DriveMcpError('FILE_UNWRITABLE', `the pack cannot be written: ${causeText(cause)}`, {
      location: { file: folder },
      cause,
    });
  } finally {
    if (staging !== null) rmSync(staging, { recursive: true, force: true });
  }
}
