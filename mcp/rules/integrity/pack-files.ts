/** The files of a pack as bytes, read with bounds: what is signed, locked and installed is exactly this. */
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';

/** Path inside the pack, `/` between its parts, in the order of their code units → bytes. */
export type PackFiles = ReadonlyMap<string, Buffer>;

/** A whole country is about a hundred small texts; what goes far beyond that is no rulepack. */
export const packBounds = {
  fileMaxCount: 5000,
  fileMaxBytes: 1024 * 1024,
  packMaxBytes: 16 * 1024 * 1024,
  pathMaxLength: 200,
  depthMax: 5,
} as const;

/** No hidden names, no `..`, nothing that a shell, a file system or a terminal reads in its own way. */
const segment = /^[A-Za-z0-9_][A-Za-z0-9._@-]*$/;

/** Why a path cannot be that of a file in a pack, or null. */
export function pathProblem(path: string): string | null {
  if (path.length > packBounds.pathMaxLength) return `is longer than ${packBounds.pathMaxLength} characters`;
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  const parts = path.split('/');
  if (parts.includes('..')) return 'leads out of the pack';
  if (parts.length > packBounds.depthMax) return `lies deeper than ${packBounds.depthMax} folders`;
  return parts.every((part) => segment.test(part))
    ? null
    : 'has a name other than letters, digits and . _ @ - (and no leading dot)';
}

/** Collects files one by one and refuses the first that goes beyond a bound. */
export class PackFileCollector {
  readonly #files = new Map<string, Buffer>();
  readonly #folded = new Set<string>();
  readonly #origin: string;
  #bytes = 0;

  /** @param origin folder or archive, for error messages */
  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Before its bytes are read. @throws DriveMcpError RULEPACK_INVALID */
  admit(path: string, bytes: number): void {
    const problem = pathProblem(path);
    if (problem !== null) throw refused(this.#origin, path, problem);
    // On a file system that folds case the second would overwrite the first.
    if (this.#folded.has(path.toLowerCase())) throw refused(this.#origin, path, 'stands twice');
    if (bytes > packBounds.fileMaxBytes) {
      throw refused(this.#origin, path, `is larger than ${packBounds.fileMaxBytes / 1024} KiB`);
    }
    this.#bytes += bytes;
    if (this.#bytes > packBounds.packMaxBytes) {
      throw refused(
        this.#origin,
        path,
        `the pack is larger than ${packBounds.packMaxBytes / 1024 / 1024} MiB`,
      );
    }
    if (this.#folded.size >= packBounds.fileMaxCount) {
      throw refused(this.#origin, path, `the pack has more than ${packBounds.fileMaxCount} files`);
    }
    this.#folded.add(path.toLowerCase());
  }

  add(path: string, bytes: Buffer): void {
    this.#files.set(path, bytes);
  }

  files(): PackFiles {
    return new Map([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/**
 * Reads a folder: regular files only, no links followed.
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, RULEPACK_INVALID
 */
export function readPackFolder(folder: string): PackFiles {
  const collector = new PackFileCollector(folder);
  const walk = (below: string): void => {
    for (const name of readdirSync(join(folder, below)).sort()) {
      const path = below === '' ? name : `${below}/${name}`;
      const status = lstatSync(join(folder, path));
      if (status.isDirectory()) {
        const problem = pathProblem(path);
        if (problem !== null) throw refused(folder, path, problem);
        walk(path);
      } else if (status.isFile()) {
        collector.admit(path, status.size);
        collector.add(path, readFileSync(join(folder, path)));
      } else {
        throw refused(folder, path, status.isSymbolicLink() ? 'is a link' : 'is neither a file nor a folder');
      }
    }
  };
  try {
    walk('');
  } catch (cause) {
    if (cause instanceof DriveMcpError) throw cause;
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new DriveMcpError(
      isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      isMissing ? 'there is no such rulepack' : 'the rulepack cannot be read',
      { location: { file: folder }, cause },
    );
  }
  return collector.files();
}

export function refused(origin: string, path: string, problem: string): DriveMcpError {
  return new DriveMcpError('RULEPACK_INVALID', problem, { location: { file: `${origin}: ${path}` } });
}
