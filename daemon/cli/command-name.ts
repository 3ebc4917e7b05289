import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { packageFile } from '../runtime/package-root.js';

/** How this command can be called again as it stands: by its name where it is installed, else by its path. */
export function commandName(env: NodeJS.ProcessEnv = process.env, script = process.argv[1] ?? ''): string {
  const installed = (env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'drivemcp'))
    .find((candidate) => existsSync(candidate));
  if (installed !== undefined && realpathSync(installed) === realpathSync(script)) return 'drivemcp';
  const inCheckout = packageFile('scripts', 'drivemcp');
  if (!existsSync(inCheckout)) return `node ${shellWord(script)}`;
  const fromHere = relative(process.cwd(), inCheckout);
  return shellWord(fromHere.startsWith('..') ? inCheckout : fromHere);
}

/** A word as a POSIX shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

let called: string | undefined;

/**
 * A text for people whose commands can be typed as they stand: `drivemcp run` becomes `scripts/drivemcp run`
 * where that is how the command is called here.
 */
export function asCallable(text: string): string {
  return text.replace(mentioned, () => {
    called ??= commandName();
    return called;
  });
}

/** The name where a command or an option follows it; not in paths (`scripts/drivemcp`) and not as a prefix (`drivemcp:`). */
const mentioned =
  /(?<![\w./-])drivemcp(?= (?:COMMAND|--help|--version|help|run|replay|explain|ask|status|can|dbc|audit|profile|config|core|doctor|hil|obd|health|dtc|rules|rulepack|mcp|tools|models|act|feedback|preferences|memory)\b)/g;
