import { causeText } from '../core/cause-text.js';
import { DriveMcpError } from '../core/errors.js';
import { packageVersion } from '../runtime/package-root.js';
import type { CommandSpec } from './command.js';
import { asCallable } from './command-name.js';
import { reportError } from './error-report.js';
import { commandHelp, groupHelp, overviewHelp } from './help.js';
import { nearestWord } from './nearest-word.js';
import { parseOptions } from './parse-options.js';
import { type CommandGroup, commandGroups } from './registry.js';
import { Terminal } from './terminal.js';

/**
 * Runs one command line (without `node` and the script) and returns its exit code. Every error becomes a
 * located message with code and hint on stderr; with --json also an `{"error":…}` object there.
 */
export async function dispatch(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const wantsJson = argv.includes('--json');
  const output = new AbortController();
  const terminal = new Terminal({ json: wantsJson, onOutputLost: () => output.abort('output') });
  const stop = AbortSignal.any([signal, output.signal]);
  try {
    const code = await runCommand(argv, terminal, stop);
    const wasWhole = terminal.lostOutput === null;
    terminal.flush();
    return reportLostOutput(terminal, wasWhole ? code : 0);
  } catch (thrown) {
    terminal.flush();
    // Work that looks at the signal throws its reason.
    const isStopped = stop.aborted && thrown === stop.reason;
    const error = isStopped ? new DriveMcpError('STOPPED_EARLY', 'stopped before it was done') : thrown;
    const isCut = error instanceof DriveMcpError && error.code === 'STOPPED_EARLY';
    if (isCut && terminal.lostOutput !== null) return reportLostOutput(terminal, 0);
    return reportError(error, terminal);
  } finally {
    terminal.clearProgress();
  }
}

/** A reader that has gone (EPIPE) wants no more: that is how any filter in a pipeline ends, and no failure. */
function reportLostOutput(terminal: Terminal, code: number): number {
  const { lostOutput } = terminal;
  if (lostOutput === null || lostOutput.code === 'EPIPE') return code;
  return reportError(
    new DriveMcpError('OUTPUT_FAILED', `standard output cannot be written: ${causeText(lostOutput)}`, {
      cause: lostOutput,
    }),
    terminal,
  );
}

async function runCommand(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const [first, second] = argv;
  if (first === '--version' || first === 'version') {
    if (terminal.json) terminal.object({ version: packageVersion });
    else terminal.line(packageVersion);
    return 0;
  }
  if (first === undefined) {
    terminal.line(asCallable(overviewHelp(commandGroups, packageVersion)));
    return 0;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    const words = argv.slice(1).filter((word) => !word.startsWith('-'));
    terminal.line(asCallable(await helpAbout(words)));
    return 0;
  }
  if (first === '--json') {
    terminal.message(asCallable(overviewHelp(commandGroups, packageVersion)));
    return 2;
  }
  const group = groupNamed(first);
  const specs = await group.load();
  const single = singleOf(specs);
  if (single) return runSpec(single, argv.slice(1), terminal, signal);
  if (second === '--help' || second === '-h') {
    terminal.line(asCallable(groupHelp(group, specs)));
    return 0;
  }
  if (second === undefined || second === '--json') {
    terminal.message(asCallable(groupHelp(group, specs)));
    return 2;
  }
  return runSpec(specNamed(group, specs, second), argv.slice(2), terminal, signal);
}

/** What `help`, `help run` and `help can decode` print. */
async function helpAbout([first, second]: readonly string[]): Promise<string> {
  if (first === undefined) return overviewHelp(commandGroups, packageVersion);
  const group = groupNamed(first);
  const specs = await group.load();
  const single = singleOf(specs);
  if (single) return commandHelp(single);
  return second === undefined ? groupHelp(group, specs) : commandHelp(specNamed(group, specs, second));
}

/** The command of a group that is one command itself, such as `run`. */
function singleOf(specs: readonly CommandSpec[]): CommandSpec | undefined {
  return specs.length === 1 && specs[0]?.path.length === 1 ? specs[0] : undefined;
}

function groupNamed(word: string): CommandGroup {
  const group = commandGroups.find((candidate) => candidate.name === word);
  if (group) return group;
  if (word.startsWith('-')) {
    throw new DriveMcpError('USAGE', `the command comes before its options, got '${word}'`, {
      hint: 'drivemcp --help lists the commands',
    });
  }
  const near = nearestWord(
    word,
    commandGroups.map((candidate) => candidate.name),
  );
  throw new DriveMcpError('USAGE', `there is no command '${word}'${meant(near)}`, {
    hint: 'drivemcp --help lists the commands',
  });
}

function specNamed(group: CommandGroup, specs: readonly CommandSpec[], word: string): CommandSpec {
  const spec = specs.find((candidate) => candidate.path[1] === word);
  if (spec) return spec;
  const hint = `known: ${specs.map((candidate) => candidate.path.join(' ')).join(', ')}`;
  if (word.startsWith('-')) {
    throw new DriveMcpError('USAGE', `${group.name} needs its command before '${word}'`, { hint });
  }
  const near = nearestWord(
    word,
    specs.map((candidate) => candidate.path[1] ?? ''),
  );
  throw new DriveMcpError('USAGE', `there is no command '${group.name} ${word}'${meant(near)}`, { hint });
}

function meant(near: string | undefined): string {
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

async function runSpec(
  spec: CommandSpec,
  argv: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    terminal.line(asCallable(commandHelp(spec)));
    return 0;
  }
  const { values, positionals } = parseOptions(spec, argv);
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
