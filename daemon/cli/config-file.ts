import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { resolveStateDir } from '../runtime/state-dir.js';
import { type OptionValues, stringOption } from './command.js';

/** The configuration file of a command: `--config`, else drivemcp.toml in the state directory, else none. */
export function configFile(
  values: OptionValues,
  stateDir: string = resolveStateDir(stringOption(values, 'state')),
): string | null {
  const named = stringOption(values, 'config');
  if (named !== undefined) return named;
  const own = join(stateDir, 'drivemcp.toml');
  return existsSync(own) ? own : null;
}
