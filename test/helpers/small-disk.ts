import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

export interface SmallDisk {
  readonly path: string;
  /** leaves no byte free */
  fill(): void;
  free(): void;
  remount(option: 'ro' | 'rw'): void;
}

/** A file system of the given size (tmpfs), unmounted when the test ends; null after a skip where none can be mounted. */
export function smallDisk(t: Test, size: string): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'drivemcp-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', path], { stdio: 'pipe' });
  } catch {
    rmSync(path, { recursive: true });
    t.comment('skipped: a small file system can only be mounted by root');
    t.pass('skipped', { skip: 'a small file system can only be mounted by root' });
    return null;
  }
  t.teardown(() => {
    execFileSync('umount', ['-l', path]);
    rmSync(path, { recursive: true });
  });
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: () => {
      const fd = openSync(ballast, 'a');
      try {
        for (let bytes = 65_536; bytes >= 1; ) {
          try {
            writeSync(fd, Buffer.alloc(bytes));
          } catch {
            bytes = Math.floor(bytes / 4);
          }
        }
      } finally {
        closeSync(fd);
      }
    },
    free: () => rmSync(ballast),
    remount: (option) => {
      execFileSync('mount', ['-o', `remount,${option}`, path], { stdio: 'pipe' });
    },
  };
}
