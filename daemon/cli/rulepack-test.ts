/** `rulepack test` and `rulepack mutate`: does a pack answer as its tests say, and would they notice a wrong number. */
import { booleanOption, type CommandSpec, type Invocation } from './command.js';
import { packAmongOthers } from './pack-world.js';
import { columns, count } from './table.js';

export const testCommand: CommandSpec = {
  path: ['rulepack', 'test'],
  summary: 'run the tests of a pack',
  positionals: 'DIR…',
  arity: [1, 100],
  options: { all: { type: 'boolean', help: 'list the green ones too' } },
  details:
    'tests/limits.yaml and conduct.yaml: situations with their answers; cites.yaml: what the cited texts must contain;\n' +
    'queries.jsonl: checked for form. The evaluator is the one that answers in a car. Exit code 1 where one is red.',
  examples: [['drivemcp rulepack test mytown', 'a table of what is red, then the count']],
  run: test,
};

export const mutateCommand: CommandSpec = {
  path: ['rulepack', 'mutate'],
  summary: 'change every number of a pack by 10: a test must notice',
  positionals: 'DIR…',
  arity: [1, 100],
  options: {},
  details: 'Nothing is written: the changed rules live in memory. Exit code 1 where a change goes unnoticed.',
  examples: [['drivemcp rulepack mutate mytown', 'numbers that no test holds']],
  run: mutate,
};

async function test(invocation: Invocation): Promise<number> {
  const { readPackTests, runPackTests } = await import('../../mcp/rules/authoring/pack-tests.js');
  const { values, positionals, terminal } = invocation;
  const rows: string[][] = [];
  const totals: { pack: string; green: number; red: number; queries: number }[] = [];
  for (const folder of positionals) {
    const { pack, packs } = await packAmongOthers(invocation, folder);
    const tests = readPackTests(pack);
    const results = runPackTests(pack, packs, tests);
    const red = results.filter(({ isGreen }) => !isGreen).length;
    totals.push({ pack: pack.manifest.id, green: results.length - red, red, queries: tests.queryCount });
    for (const { isGreen, file, number, rule, situation, expected, got } of results) {
      if (isGreen && !booleanOption(values, 'all')) continue;
      const result = isGreen ? 'green' : 'red';
      if (terminal.json)
        terminal.object({ pack: pack.manifest.id, file, number, rule, result, situation, expected, got });
      rows.push([result, `${file} ${number}`, rule, situation, expected, got]);
    }
  }
  if (terminal.json) for (const total of totals) terminal.object({ summary: total });
  else {
    if (rows.length > 0) {
      const heads = ['', 'test', 'rule', 'situation', 'expected', 'got'];
      for (const line of columns(
        [heads, ...rows],
        heads.map(() => 'left' as const),
        terminal.tableWidth,
      ))
        terminal.line(line);
    }
    for (const { pack, green, red, queries } of totals) {
      terminal.line(
        `${pack}: ${green} green, ${red} red${queries > 0 ? `; ${count(queries, 'question')} well formed` : ''}`,
      );
    }
  }
  return totals.some(({ red }) => red > 0) ? 1 : 0;
}

async function mutate(invocation: Invocation): Promise<number> {
  const { mutatePack } = await import('../../mcp/rules/authoring/mutate-pack.js');
  const { readPackTests } = await import('../../mcp/rules/authoring/pack-tests.js');
  const { positionals, terminal } = invocation;
  let survivorCount = 0;
  for (const folder of positionals) {
    const { pack, packs } = await packAmongOthers(invocation, folder);
    const { mutants, survivors } = mutatePack(pack, packs, readPackTests(pack));
    survivorCount += survivors.length;
    for (const survivor of survivors) {
      if (terminal.json) terminal.object({ pack: pack.manifest.id, ...survivor });
      else terminal.line(`unnoticed  ${survivor.rule}: ${survivor.key} ${survivor.from} -> ${survivor.to}`);
    }
    const summary = { pack: pack.manifest.id, mutants, unnoticed: survivors.length };
    if (terminal.json) terminal.object({ summary });
    else terminal.line(`${summary.pack}: ${count(mutants, 'changed number')}, ${survivors.length} unnoticed`);
  }
  return survivorCount > 0 ? 1 : 0;
}
