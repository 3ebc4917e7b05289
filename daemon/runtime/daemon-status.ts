/** Whether a daemon runs on a state directory, by the status it writes once a second. */
import type { JsonObject } from '../core/tick.js';
import { readStatus, statusStaleMs } from './status-file.js';

export interface DaemonStatus {
  readonly state: 'running' | 'stale' | 'ended' | 'absent' | 'damaged';
  /** for people: why it does not run, null where it does */
  readonly why: string | null;
  readonly ageMs: number | null;
  /** the process that wrote the status is there */
  readonly isAlive: boolean;
  /** as the daemon wrote it; null where there is none that can be read */
  readonly status: JsonObject | null;
}

export function readDaemonStatus(stateDir: string, nowWallMs: number): DaemonStatus {
  const read = readStatus(stateDir);
  if (read.kind === 'none') return without('absent', 'no daemon has run here');
  if (read.kind === 'damaged') return without('damaged', `its status cannot be read: ${read.reason}`);
  const { status } = read;
  const ageMs = nowWallMs - Number(status['written_wall_ms']);
  const isAlive = isProcess(Number(status['pid']));
  const about = { ageMs, isAlive, status };
  if (status['state'] !== 'running') {
    return { ...about, state: 'ended', why: `no daemon runs; the last one ${String(status['state'])}` };
  }
  if (!isAlive) {
    const why = `no daemon runs; process ${status['pid']} ended without a word (killed, or the power failed)`;
    return { ...about, state: 'ended', why };
  }
  if (!(Math.abs(ageMs) <= statusStaleMs)) {
    const why = `stale: this was written ${(ageMs / 1000).toFixed(0)} s ago; process ${status['pid']} hangs, or is another one`;
    return { ...about, state: 'stale', why };
  }
  return { ...about, state: 'running', why: null };
}

function without(state: 'absent' | 'damaged', why: string): DaemonStatus {
  return { state, why, ageMs: null, isAlive: false, status: null };
}

function isProcess(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
