/** `rulepack lint`: everything that is wrong with a pack, with file, line and key. */
import { resolve } from 'node:path';
import { formatLocation } from '../core/errors.js';
import type { CommandSpec, Invocation } from './command.js';
import { otherPacks, today } from './pack-world.js';
import { count } from './table.js';

export const lintCommand: CommandSpec = {
  path: ['rulepack', 'lint'],
  summary: 'everything that is wrong with a pack, with file, line and key',
  positionals: 'DIR…',
  arity: [1, 100],
  options: {},
  details:
    'Errors keep a pack from being built; warnings are for the reviewer. Exit code 1 where there is an error.\n' +
    'A rule whose cited text lacks the number that it asserts is an error.',
  examples: [['drivemcp rulepack lint mytown', 'a pack somebody works on']],
  run: lint,
};

async function lint(invocation: Invocation): Promise<number> {
  const { lintPack } = await import('../../mcp/rules/authoring/lint-pack.js');
  const { positionals, terminal } = invocation;
  const others = await otherPacks(invocation);
  let errors = 0;
  let warnings = 0;
  for (const folder of positionals) {
    for (const { severity, location, message } of lintPack(resolve(folder), others, today())) {
      if (severity === 'error') errors++;
      else warnings++;
      if (terminal.json) terminal.object({ severity, ...location, message });
      else {
        const word = terminal.style(severity.padEnd(7), severity === 'error' ? 'red' : 'yellow');
        const file = location.file?.replace(`${resolve(folder)}/`, `${folder.replace(/\/$/, '')}/`);
        terminal.line(`${word}  ${formatLocation({ ...location, ...(file ? { file } : {}) })}: ${message}`);
      }
    }
  }
  if (terminal.json) terminal.object({ summary: { errors, warnings } });
  else terminal.line(`${count(errors, 'error')}, ${count(warnings, 'warning')}`);
  return errors > 0 ? 1 : 0;
}
