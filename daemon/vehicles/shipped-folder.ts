import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A folder that comes with this package under `daemon/vehicles`, from a checkout as from an install; null where it is missing. */
export function shippedFolder(name: string): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const shipped = join(folder, 'daemon', 'vehicles', name);
    if (existsSync(join(folder, 'package.json')) && existsSync(shipped)) return shipped;
    if (dirname(folder) === folder) return null;
  }
}
