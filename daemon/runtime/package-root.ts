import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the folder that holds this package's package.json, from a checkout as from an install. */
export const packageRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

/** `packageFile('hil', 'drives', 'demo.drive')`: a file shipped with the package. */
export function packageFile(...parts: string[]): string {
  return join(packageRoot, ...parts);
}

export const packageVersion: string = (
  JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
).version;

function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (dirname(folder) === folder) throw new Error(`no package.json above ${from}`);
  }
}
