import type { CommandSpec, OptionSpec } from './command.js';
import { sharedOptions } from './command.js';
import type { CommandGroup } from './registry.js';

const safetyNote = 'Research software beside certified functions, never in their place.';

/** The first screen: what there is. */
export function overviewHelp(groups: readonly CommandGroup[], version: string): string {
  const width = Math.max(...groups.map((group) => group.name.length), 4) + 2;
  return [
    `drivemcp ${version}: in-vehicle assistant daemon for test rigs`,
    safetyNote,
    '',
    'Usage: drivemcp COMMAND [OPTIONS]',
    '',
    'Commands:',
    ...groups.map((group) => `  ${group.name.padEnd(width)}${group.summary}`),
    '',
    'drivemcp COMMAND --help tells more, with examples. drivemcp run plays the bundled drive.',
  ].join('\n');
}

/** Help of a group that has several commands. */
export function groupHelp(group: CommandGroup, specs: readonly CommandSpec[]): string {
  const width = Math.max(...specs.map((spec) => spec.path.join(' ').length)) + 2;
  return [
    `drivemcp ${group.name}: ${group.summary}`,
    '',
    ...specs.map((spec) => `  drivemcp ${spec.path.join(' ').padEnd(width)}${spec.summary}`),
    '',
    `drivemcp ${group.name} COMMAND --help tells more.`,
  ].join('\n');
}

export function commandHelp(spec: CommandSpec): string {
  const name = `drivemcp ${spec.path.join(' ')}`;
  const own = Object.entries(spec.options);
  const shared = Object.entries(sharedOptions as Record<string, OptionSpec>);
  const lines = [
    spec.summary,
    '',
    `Usage: ${name}${spec.positionals ? ` ${spec.positionals}` : ''}${own.length > 0 ? ' [OPTIONS]' : ''}`,
  ];
  if (spec.details) lines.push('', spec.details);
  if (own.length > 0) lines.push('', 'Options:', ...own.map(optionLine));
  lines.push('', 'Shared options:', ...shared.map(optionLine));
  if (spec.examples.length > 0) {
    lines.push('', 'Examples:');
    for (const [command, says] of spec.examples) lines.push(`  ${command}`, `      ${says}`);
  }
  return lines.join('\n');
}

function optionLine([name, option]: [string, OptionSpec]): string {
  const left = `  --${name}${option.type === 'string' ? ` ${option.value ?? 'VALUE'}` : ''}`;
  return `${left.padEnd(26)}${left.length >= 26 ? `\n${' '.repeat(26)}` : ''}${option.help}${option.multiple ? ' (may be repeated)' : ''}`;
}
