/** What a subcommand is: its words, options and examples as data (help is made from them) and what it does. */
import type { Terminal } from './terminal.js';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** name of the value in help, e.g. `FILE` */
  readonly value?: string;
  readonly help: string;
  /** the only values it takes */
  readonly choices?: readonly string[];
}

export interface CommandSpec {
  /** words after `drivemcp`, e.g. `['can', 'decode']` */
  readonly path: readonly string[];
  readonly summary: string;
  /** positional arguments as help shows them: `LOG`, `[FILE]`, `DBC…` */
  readonly positionals?: string;
  /** number of positional arguments allowed */
  readonly arity: readonly [min: number, max: number];
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly details?: string;
  readonly examples: readonly (readonly [command: string, says: string])[];
  run(invocation: Invocation): Promise<number>;
}

export type OptionValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface Invocation {
  readonly values: OptionValues;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  /** aborted by SIGINT or SIGTERM: finish with a summary */
  readonly signal: AbortSignal;
}

/** Options every command takes. */
export const sharedOptions = {
  config: {
    type: 'string',
    value: 'FILE',
    help: 'configuration (TOML); default: $STATE/drivemcp.toml where it exists',
  },
  state: { type: 'string', value: 'DIR', help: 'state directory: audit store, recordings, lock' },
  json: { type: 'boolean', help: 'one JSON object a line on stdout, messages on stderr' },
  help: { type: 'boolean', help: 'this text' },
} as const satisfies Record<string, OptionSpec>;

export function stringOption(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function booleanOption(values: OptionValues, name: string): boolean {
  return values[name] === true;
}

export function listOption(values: OptionValues, name: string): readonly string[] {
  const value = values[name];
  return Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
}
