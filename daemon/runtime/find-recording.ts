import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { recordingsDir } from './state-dir.js';

const suffix = '.drec';

/**
 * The recording that a user means: a file, the id of a run in the state directory, or, where nothing is
 * named, the latest run there. Ids sort by time.
 * @throws DriveMcpError RUN_UNKNOWN with the runs that there are
 */
export function findRecording(named: string | undefined, stateDir: string): string {
  const folder = recordingsDir(stateDir);
  if (named !== undefined) {
    const ofRun = join(folder, `${named}${suffix}`);
    if (!named.includes('/') && existsSync(ofRun)) return ofRun;
    if (existsSync(named)) return named;
  }
  const runs = recordedRuns(folder);
  const latest = runs.at(-1);
  if (named === undefined && latest !== undefined) return join(folder, `${latest}${suffix}`);
  const known = runs.length === 0 ? 'it holds none' : `it holds ${runs.slice(-5).join(', ')}`;
  throw new DriveMcpError(
    'RUN_UNKNOWN',
    named === undefined
      ? `no recorded run in ${stateDir}`
      : `'${named}' is neither a file nor a recorded run of ${stateDir}; ${known}`,
    { hint: 'name the state directory of the run with --state, or its recording' },
  );
}

/** Ids of the runs with a recording, oldest first. */
export function recordedRuns(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length))
      .sort();
  } catch {
    return [];
  }
}
