import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../../daemon/runtime/package-root.js';

/** The built command. */
export const drivemcpScript = packageFile('dist', 'daemon', 'cli', 'drivemcp.js');

/** A file under test/fixtures. */
export function fixture(...parts: string[]): string {
  return packageFile('test', 'fixtures', ...parts);
}

const corpusRoot = process.env['DRIVEMCP_CORPUS'];

/** A file of the external test corpus, or null where the corpus is not there: then skip, saying so. */
export function corpusFile(...parts: string[]): string | null {
  if (corpusRoot === undefined || corpusRoot === '') return null;
  const path = join(corpusRoot, ...parts);
  if (!existsSync(path)) return null;
  // The test script fails a run that had the corpus and never read it.
  const marks = process.env['DRIVEMCP_TEST_MARKS'];
  if (marks !== undefined) appendFileSync(join(marks, 'corpus'), `${parts.join('/')}\n`);
  return path;
}

/** Reason printed with every skip for want of the corpus. */
export const corpusMissing = 'no test corpus: set DRIVEMCP_CORPUS to its folder';

/** A compiled script under test, to be run as a child process. */
export function fixtureScript(...parts: string[]): string {
  return packageFile('dist', 'test', ...parts);
}
