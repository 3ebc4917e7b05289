/**
 * All subcommands. A group's file is loaded when one of its commands runs, so that `--help` and small
 * commands start fast and a missing optional package only stops the command that needs it.
 */
import type { CommandSpec } from './command.js';

export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  load(): Promise<readonly CommandSpec[]>;
}

export const commandGroups: readonly CommandGroup[] = [
  {
    name: 'config',
    summary: 'check and print the configuration',
    load: async () => (await import('./config.js')).commands,
  },
  {
    name: 'doctor',
    summary: 'look at this machine: what is missing, what to do',
    load: async () => (await import('./doctor.js')).commands,
  },
];
