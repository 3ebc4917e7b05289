/** `rulepack init`: the beginning of a pack for one's own town. */
import { resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { packageFile } from '../runtime/package-root.js';
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { asCallable } from './command-name.js';
import { otherPacks, today } from './pack-world.js';

export const initCommand: CommandSpec = {
  path: ['rulepack', 'init'],
  summary: 'begin a pack for your own town',
  positionals: 'DIR',
  arity: [1, 1],
  options: {
    id: {
      type: 'string',
      value: 'ID',
      help: 'the id of the pack of the country, a hyphen, your town: DEU-MYTOWN',
    },
    title: { type: 'string', value: 'TEXT', help: 'the order that holds there; default "Order of the town"' },
    limit: {
      type: 'string',
      value: 'N',
      help: 'limit on urban roads in the unit of the country; default 30',
    },
  },
  details:
    'What it writes lints, tests and installs as it is: one document in your own words, one rule that cites it, two tests.\n' +
    'Change the text first, then the rule: a rule whose cited text lacks its number does not build.',
  examples: [
    [
      'drivemcp rulepack init mytown --id DEU-MYTOWN --limit 30',
      'pack.yaml, docs, rules and tests in mytown/',
    ],
  ],
  run: init,
};

async function init(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const { initPack } = await import('../../mcp/rules/authoring/init-pack.js');
  const { packId } = await import('../../mcp/rules/format/manifest-schema.js');
  const id = stringOption(values, 'id') ?? '';
  const packs = await otherPacks(invocation);
  const base = [...packs.values()]
    .filter(({ manifest }) => id.startsWith(`${manifest.id}-`) && manifest.kind !== 'companion')
    .sort((a, b) => b.manifest.id.length - a.manifest.id.length)[0];
  if (!packId.safeParse(id).success || !base || packs.has(id)) {
    throw new DriveMcpError(
      'USAGE',
      packs.has(id) ? `there is a pack ${id} already` : `'${id}' is not the id of a new pack`,
      {
        hint: `--id BASE-TOWN in capitals and digits; bases: ${[...packs.keys()].join(', ')}`,
      },
    );
  }
  const limit = Number(stringOption(values, 'limit') ?? 30);
  if (!Number.isInteger(limit) || limit < 20 || limit > 130) {
    throw new DriveMcpError('USAGE', '--limit is a whole number from 20 to 130');
  }
  const folder = resolve(positionals[0] ?? '');
  const title = stringOption(values, 'title') ?? 'Order of the town';
  const written = initPack(folder, { id, base, title, limit, today: today() });
  if (terminal.json) terminal.object({ id, folder, files: written });
  else {
    for (const file of written) terminal.line(`${positionals[0]}/${file}`);
    terminal.line();
    terminal.line(asCallable(`next: edit docs/order.md, then drivemcp rulepack lint ${positionals[0]}`));
    terminal.line(
      `for an editor: # yaml-language-server: $schema=${packageFile('rulepacks', 'schema', 'pack.json')}`,
    );
  }
  return 0;
}
