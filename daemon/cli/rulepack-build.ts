/** `rulepack build`: checks a pack and writes ATTRIBUTION.md and pack.lock. */
import { relative, resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { booleanOption, type CommandSpec, type Invocation } from './command.js';
import { otherPacks, packAmongOthers, today } from './pack-world.js';
import { count } from './table.js';

export const buildCommand: CommandSpec = {
  path: ['rulepack', 'build'],
  summary: 'check a pack, write ATTRIBUTION.md and pack.lock',
  positionals: 'DIR',
  arity: [1, 1],
  options: {
    'fix-spans': {
      type: 'boolean',
      help: 'first set every span to a line of its text, in the order in which the front matter names them',
    },
  },
  details:
    'pack.lock holds the SHA-256 of every file, sorted, and no times: the same files give the same lock on any machine.\n' +
    'Nothing is written where lint finds an error, except spans that were asked for.',
  examples: [['drivemcp rulepack build mytown --fix-spans', 'after the texts were edited']],
  run: build,
};

async function build(invocation: Invocation): Promise<number> {
  const { fixSpans, writeBuilt } = await import('../../mcp/rules/authoring/build-pack.js');
  const { lintPack } = await import('../../mcp/rules/authoring/lint-pack.js');
  const { values, positionals, terminal } = invocation;
  const folder = resolve(positionals[0] ?? '.');
  const moved = booleanOption(values, 'fix-spans') ? fixSpans(folder) : new Map<string, readonly string[]>();
  if (!terminal.json)
    for (const [path, names] of moved) terminal.message(`${path}: spans ${names.join(', ')} set anew`);
  const errors = lintPack(folder, await otherPacks(invocation), today()).filter(
    ({ severity }) => severity === 'error',
  );
  const [first] = errors;
  if (first) {
    const others = errors.length > 1 ? ` (and ${errors.length - 1} more: drivemcp rulepack lint)` : '';
    throw new DriveMcpError('RULEPACK_INVALID', `${first.message}${others}`, { location: first.location });
  }
  const hash = writeBuilt((await packAmongOthers(invocation, folder)).pack);
  // With the attribution that has just been written.
  const { pack } = await packAmongOthers(invocation, folder);
  const result = {
    id: pack.manifest.id,
    version: pack.version,
    tree_sha256: hash,
    rules: pack.rules.length,
    documents: pack.documents.size,
    spans_moved: Object.fromEntries(moved),
  };
  if (terminal.json) terminal.object(result);
  else
    terminal.line(
      `${result.version}: ${count(result.rules, 'rule')}, ${count(result.documents, 'document')}, pack.lock in ${relative('.', folder) || '.'}`,
    );
  return 0;
}
