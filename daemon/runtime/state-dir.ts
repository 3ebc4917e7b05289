/** Where a daemon keeps what must survive it: audit store, recordings, lock. */
import { mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';

/**
 * The state directory: `--state`, else $DRIVEMCP_STATE, else $STATE_DIRECTORY (set by systemd for a unit with
 * `StateDirectory=`; the first of a colon-separated list), else $XDG_STATE_HOME/drivemcp, else
 * ~/.local/state/drivemcp. A relative $XDG_STATE_HOME is ignored, as the XDG base directory specification asks.
 */
export function resolveStateDir(option: string | undefined, env: NodeJS.ProcessEnv = process.env): string {
  if (option !== undefined && option !== '') return resolve(option);
  const named = env['DRIVEMCP_STATE'];
  if (named) return resolve(named);
  const bySystemd = env['STATE_DIRECTORY']?.split(':')[0];
  if (bySystemd) return resolve(bySystemd);
  const xdg = env['XDG_STATE_HOME'];
  if (xdg && isAbsolute(xdg)) return join(xdg, 'drivemcp');
  return join(env['HOME'] || homedir(), '.local', 'state', 'drivemcp');
}

/** Recordings of a state directory; the recording of a run is `<run id>.drec` in it. */
export function recordingsDir(stateDir: string): string {
  return join(stateDir, 'recordings');
}

/** Makes the state directory and its folders. Throws STATE_UNWRITABLE where that cannot be. */
export function createStateDir(stateDir: string): void {
  try {
    makeFolder(recordingsDir(stateDir));
  } catch (error) {
    throw new DriveMcpError('STATE_UNWRITABLE', `cannot make the state directory: ${causeText(error)}`, {
      location: { file: stateDir },
      cause: error,
    });
  }
}

/**
 * Not `mkdirSync` with `recursive`: where the kernel answers ENOENT for a folder whose parent exists (/proc),
 * that of Node 20 tries for ever.
 */
function makeFolder(path: string): void {
  const isMade = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isMade()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o750 });
  } catch (error) {
    // Somebody else may have made it in between.
    if (!isMade()) throw error;
  }
}
