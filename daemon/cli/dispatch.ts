import { parseArgs } from 'node:util';
import { DriveMcpError } from '../core/errors.js';
import { packageVersion } from '../runtime/package-root.js';
import { type CommandSpec, type OptionSpec, type OptionValues, sharedOptions } from './command.js';
import { reportError } from './error-report.js';
import { commandHelp, groupHelp, overviewHelp } from './help.js';
import { type CommandGroup, commandGroups } from './registry.js';
import { Terminal } from './terminal.js';

/**
 * Runs one command line (without `node` and the script) and returns its exit code. Every error becomes a
 * located message with code and hint on stderr; with --json also an `{"error":…}` object there.
 */
export async function dispatch(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const wantsJson = argv.includes('--json');
  const terminal = new Terminal({ json: wantsJson });
  try {
    return await runCommand(argv, terminal, signal);
  } catch (error) {
    terminal.flush();
    return reportError(error, terminal);
  } finally {
    terminal.flush();
    terminal.clearProgress();
  }
}

async function runCommand(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const [first, second] = argv;
  if (first === '--version' || first === 'version') {
    if (terminal.json) terminal.object({ version: packageVersion });
    else terminal.line(packageVersion);
    return 0;
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    terminal.line(overviewHelp(commandGroups, packageVersion));
    return 0;
  }
  const group = commandGroups.find((candidate) => candidate.name === first);
  if (!group)
    throw new DriveMcpError('USAGE', `there is no command '${first}'${suggestion(first, commandGroups)}`, {
      hint: 'drivemcp --help lists the commands',
    });
  const specs = await group.load();
  const single = specs.length === 1 && specs[0]?.path.length === 1 ? specs[0] : undefined;
  if (single) return runSpec(single, argv.slice(1), terminal, signal);
  if (second === undefined || second === '--help' || second === '-h') {
    terminal.line(groupHelp(group, specs));
    return second === undefined ? 2 : 0;
  }
  const spec = specs.find((candidate) => candidate.path[1] === second);
  if (!spec) {
    throw new DriveMcpError('USAGE', `there is no command '${first} ${second}'`, {
      hint: `known: ${specs.map((candidate) => candidate.path.join(' ')).join(', ')}`,
    });
  }
  return runSpec(spec, argv.slice(2), terminal, signal);
}

async function runSpec(
  spec: CommandSpec,
  argv: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    terminal.line(commandHelp(spec));
    return 0;
  }
  const { values, positionals } = parse(spec, argv);
  const [min, max] = spec.arity;
  if (positionals.length < min || positionals.length > max) {
    const expected = spec.positionals ?? 'no arguments';
    throw new DriveMcpError(
      'USAGE',
      `drivemcp ${spec.path.join(' ')} takes ${expected}, got ${positionals.length} argument${positionals.length === 1 ? '' : 's'}`,
    );
  }
  return spec.run({ values, positionals, terminal, signal });
}

function parse(spec: CommandSpec, argv: readonly string[]): { values: OptionValues; positionals: string[] } {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {};
  const all: Record<string, OptionSpec> = { ...sharedOptions, ...spec.options };
  for (const [name, option] of Object.entries(all)) {
    options[name] = { type: option.type, multiple: option.multiple === true };
  }
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    return { values: parsed.values as OptionValues, positionals: parsed.positionals };
  } catch (error) {
    throw new DriveMcpError('USAGE', `drivemcp ${spec.path.join(' ')}: ${(error as Error).message}`);
  }
}

function suggestion(word: string, groups: readonly CommandGroup[]): string {
  const near = groups.find((group) => group.name.startsWith(word.slice(0, 2)));
  return near ? `; did you mean '${near.name}'?` : '';
}
