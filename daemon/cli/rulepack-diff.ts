/** `rulepack diff`: what changes for a driver between two versions of a pack. */
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { printLimitChanges } from './limit-changes.js';
import { packAmongOthers } from './pack-world.js';
import { count } from './table.js';

export const diffCommand: CommandSpec = {
  path: ['rulepack', 'diff'],
  summary: 'what changes for a driver between two versions of a pack',
  positionals: 'OLD NEW',
  arity: [2, 2],
  options: {
    'as-of': {
      type: 'string',
      value: 'DATE',
      help: "the day that is asked about; default each pack's law_as_of",
    },
  },
  details:
    'Limits are compared over roads, vehicles and conditions; rules and documents by id. Exit code 0, also where they differ.',
  examples: [
    [
      'drivemcp rulepack diff rulepacks/DEU mydraft',
      'a matrix of changed limits, changed rules and documents',
    ],
  ],
  run: diff,
};

async function diff(invocation: Invocation): Promise<number> {
  const { diffPacks } = await import('../../mcp/rules/authoring/diff-packs.js');
  const { positionals, terminal, values } = invocation;
  const sides = [];
  for (const folder of positionals) {
    const { pack, packs } = await packAmongOthers(invocation, folder);
    sides.push({ pack, packs, asOf: stringOption(values, 'as-of') ?? pack.manifest.law_as_of });
  }
  const [before, after] = sides;
  if (!before || !after) return 2;
  const { limits, compared, rules, documents } = diffPacks(before, after);
  if (terminal.json) {
    for (const change of limits) terminal.object({ limit: change });
    for (const change of rules) terminal.object({ rule: change });
    for (const change of documents) terminal.object({ document: change });
    terminal.object({
      summary: { compared, limits: limits.length, rules: rules.length, documents: documents.length },
    });
    return 0;
  }
  printLimitChanges(limits, [before.pack.version, after.pack.version], terminal);
  for (const { id, change } of rules) terminal.line(`rule ${change}: ${id}`);
  for (const { id, change } of documents) terminal.line(`document ${change}: ${id}`);
  terminal.line(
    `${count(limits.length, 'changed limit')} of ${compared}, ${count(rules.length, 'changed rule')}, ${count(documents.length, 'changed document')}`,
  );
  return 0;
}
