/** What a machine must have for the daemon, checked without changing anything on it. */

import { constants } from 'node:fs';
import { access, readdir, readFile, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';
import { causeText } from '../core/cause-text.js';
import type { Clock } from '../ports.js';
import { Lateness } from './lateness.js';

export type CheckStatus = 'OK' | 'WARN' | 'FAIL';

export interface CheckResult {
  readonly check: string;
  readonly status: CheckStatus;
  /** what was found */
  readonly found: string;
  /** what to do about it; empty where nothing is */
  readonly advice: string;
}

/** Lowest version with everything the code uses; see `engines` in package.json. */
const nodeMinimum = [20, 19] as const;

/** ARPHRD_CAN of linux/if_arp.h. */
const arphrdCan = '280';

const megabyte = 1024 * 1024;

function result(check: string, status: CheckStatus, found: string, advice = ''): CheckResult {
  return { check, status, found, advice: status === 'OK' ? '' : advice };
}

export function checkNode(version: string = process.versions.node): CheckResult {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > nodeMinimum[0] || (major === nodeMinimum[0] && minor >= nodeMinimum[1]);
  return result(
    'node',
    isEnough ? 'OK' : 'FAIL',
    version,
    `install Node ${nodeMinimum.join('.')} or newer (Debian 13 and Raspberry Pi OS have it)`,
  );
}

export function checkPlatform(platform: string = process.platform, arch: string = process.arch): CheckResult {
  const isKnown = platform === 'linux' && (arch === 'x64' || arch === 'arm64');
  return result(
    'platform',
    isKnown ? 'OK' : 'FAIL',
    `${platform} ${arch}`,
    'use 64-bit Linux on x64 or arm64',
  );
}

/** Whether the kernel has CAN, and which interfaces there are. Logs and pipes work without. */
export async function checkKernelCan(): Promise<CheckResult> {
  const interfaces: string[] = [];
  for (const name of await readdir('/sys/class/net').catch(() => [])) {
    const type = await readFile(join('/sys/class/net', name, 'type'), 'utf8').catch(() => '');
    if (type.trim() === arphrdCan) interfaces.push(name);
  }
  if (interfaces.length > 0) return result('kernel CAN', 'OK', `interfaces ${interfaces.join(', ')}`);
  const protocols = await readFile('/proc/net/protocols', 'utf8').catch(() => '');
  const hasCan = /^CAN\b/m.test(protocols);
  return result(
    'kernel CAN',
    'WARN',
    hasCan ? 'available, but no CAN interface is set up' : 'not available',
    hasCan
      ? 'logs and pipes work; for a bus: ip link set can0 up type can bitrate 500000 listen-only on'
      : 'logs and pipes work; for a bus: a kernel with CAN (modprobe can can_raw)',
  );
}

/** Writable itself, or, where it is not there yet, the nearest folder above it. */
export async function checkStateDir(stateDir: string): Promise<CheckResult> {
  for (let folder = stateDir; ; folder = dirname(folder)) {
    try {
      await access(folder, constants.W_OK | constants.X_OK);
      return result('state directory', 'OK', folder === stateDir ? stateDir : `${stateDir} (will be made)`);
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isMissing && dirname(folder) !== folder) continue;
      return result(
        'state directory',
        'FAIL',
        `${stateDir}: ${causeText(error)}`,
        'give a writable directory with --state',
      );
    }
  }
}

export async function checkDiskSpace(stateDir: string, neededMb: number): Promise<CheckResult> {
  for (let folder = stateDir; ; folder = dirname(folder)) {
    try {
      const { bavail, bsize } = await statfs(folder);
      const freeMb = Math.floor((bavail * bsize) / megabyte);
      const status = freeMb < 64 ? 'FAIL' : freeMb < neededMb ? 'WARN' : 'OK';
      return result(
        'disk space',
        status,
        `${freeMb} MB free`,
        `the audit store may grow to ${neededMb} MB: free space, or lower store.max_size_mb`,
      );
    } catch {
      if (dirname(folder) === folder) return result('disk space', 'WARN', 'unknown', 'check it with df');
    }
  }
}

export function checkMemory(freeBytes: number = freemem()): CheckResult {
  const freeMb = Math.floor(freeBytes / megabyte);
  return result('memory', freeMb < 150 ? 'WARN' : 'OK', `${freeMb} MB free`, 'the daemon needs up to 120 MB');
}

export async function checkSqlite(): Promise<CheckResult> {
  try {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(':memory:');
    const version = String(database.prepare('select sqlite_version()').pluck().get());
    database.close();
    return result('sqlite', 'OK', version);
  } catch (error) {
    return result(
      'sqlite',
      'FAIL',
      (error as Error).message.split('\n', 1)[0] ?? '',
      'install the packages anew with this Node version: npm ci',
    );
  }
}

/** How late this machine is for 25 deadlines of 10 ms; a busy machine shows here. */
export async function checkTimer(clock: Clock): Promise<CheckResult> {
  const lateness = new Lateness();
  const startUs = clock.monoUs();
  for (let i = 1; i <= 25; i++) {
    const dueUs = startUs + i * 10_000;
    await clock.sleepUntilUs(dueUs);
    lateness.record(clock.monoUs() - dueUs);
  }
  const { p50, max } = lateness.summary();
  return result(
    'timer',
    max > 10_000 ? 'WARN' : 'OK',
    `late by ${(p50 / 1000).toFixed(1)} ms at the median, ${(max / 1000).toFixed(1)} ms at most`,
    'live ticks will be late under this load; recorded drives do not care',
  );
}

/** A wall clock before the package was made cannot be right; validity dates of rules hang on it. */
export function checkWallClock(clock: Clock, packageMadeMs: number): CheckResult {
  const now = clock.wallMs();
  const isPlausible = now >= packageMadeMs - 86_400_000;
  return result(
    'wall clock',
    isPlausible ? 'OK' : 'WARN',
    new Date(now).toISOString(),
    'set the clock (timedatectl): validity dates of traffic rules are checked against it',
  );
}
