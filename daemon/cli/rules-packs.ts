/** `rules install`, `remove`, `packs`, `doctor`: which packs of traffic rules answer on this machine. */
import { resolve } from 'node:path';
import { packageFile } from '../runtime/package-root.js';
import { createStateDir, resolveStateDir } from '../runtime/state-dir.js';
import { booleanOption, type CommandSpec, type Invocation, stringOption } from './command.js';
import { otherPacks, packSet, today } from './pack-world.js';
import { columns, count } from './table.js';

export const installCommand: CommandSpec = {
  path: ['rules', 'install'],
  summary: 'install a pack: verified, whole or not at all, never silently older',
  positionals: 'PACK',
  arity: [1, 1],
  options: {
    'trusted-keys': {
      type: 'string',
      value: 'FILE',
      help: 'public keys, one a line; default $STATE/trusted-keys',
    },
    'allow-unsigned': {
      type: 'boolean',
      help: 'take a pack that no trusted key signed; its answers are degraded',
    },
    'allow-downgrade': { type: 'boolean', help: 'take an older version than the one in place' },
  },
  details:
    'PACK is a folder, a tar or a tar.gz. It goes to $STATE/rulepacks and before a built-in pack of its id. A running daemon\n' +
    'loads it beside its ticks, swaps between two of them and puts the old and the new version on record.',
  examples: [
    ['drivemcp rules install mytown', 'signed by a key in $STATE/trusted-keys'],
    ['drivemcp rules install mytown.tar.gz --allow-unsigned', 'to try it out'],
  ],
  run: install,
};

export const removeCommand: CommandSpec = {
  path: ['rules', 'remove'],
  summary: 'take an installed pack away',
  positionals: 'ID',
  arity: [1, 1],
  options: {},
  examples: [['drivemcp rules remove DEU-MYTOWN', 'a built-in pack of this id is used again']],
  run: remove,
};

export const packsCommand: CommandSpec = {
  path: ['rules', 'packs'],
  summary: 'the packs that answer here: version, signature, dates, certainty',
  arity: [0, 0],
  options: { markdown: { type: 'boolean', help: 'whose law, and how sure, as a Markdown table' } },
  details:
    'A B C: rules read in the official text, in a secondary source, not read. Law as of: the last amendment taken in.\n' +
    'Text: documents in the official words, and in our own (at most 0.8 sure).',
  examples: [
    ['drivemcp rules packs', 'a table'],
    ['drivemcp rules packs --markdown', 'the table of jurisdictions in the README'],
  ],
  run: packs,
};

export const doctorCommand: CommandSpec = {
  path: ['rules', 'doctor'],
  summary: 'what is wrong among the packs: missing bases, expired, unsigned, two for one place',
  arity: [0, 0],
  options: {},
  details: 'Changes nothing. Exit code 1 where a pack is not used.',
  examples: [['drivemcp rules doctor', 'a line for each finding, with advice']],
  run: doctor,
};

async function install(invocation: Invocation): Promise<number> {
  const { installPack } = await import('../../mcp/rules/install/install-pack.js');
  const { readTrust } = await import('../../mcp/rules/integrity/signature.js');
  const { values, positionals, terminal } = invocation;
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  createStateDir(stateDir);
  const keys = stringOption(values, 'trusted-keys');
  const installed = await installPack({
    from: resolve(positionals[0] ?? ''),
    stateDir,
    trust: readTrust(stateDir, keys),
    allowUnsigned: booleanOption(values, 'allow-unsigned'),
    allowDowngrade: booleanOption(values, 'allow-downgrade'),
    packs: await otherPacks(invocation),
    today: today(),
  });
  const { id, version, before, signature, isDowngrade } = installed;
  if (terminal.json) terminal.object({ id, version, before, signature, downgrade: isDowngrade });
  else {
    const by =
      signature.state === 'signed'
        ? `signed by ${signature.name}`
        : `${signature.state}: ${signature.reason}`;
    terminal.line(`installed ${version} (${by})${before === null ? '' : `, instead of ${before}`}`);
    if (signature.state === 'unsigned')
      terminal.message('its answers are degraded: no trusted key signed it');
    if (keys !== undefined && signature.state === 'signed') {
      terminal.message(
        `the daemon trusts ${stateDir}/trusted-keys alone: add the key there, or the pack counts as unsigned`,
      );
    }
  }
  return 0;
}

async function remove({ values, positionals, terminal }: Invocation): Promise<number> {
  const { removePack } = await import('../../mcp/rules/install/install-pack.js');
  const { packId } = await import('../../mcp/rules/format/manifest-schema.js');
  const id = positionals[0] ?? '';
  const version = packId.safeParse(id).success
    ? removePack(resolveStateDir(stringOption(values, 'state')), id)
    : null;
  if (terminal.json) terminal.object({ id, removed: version });
  else terminal.line(version === null ? `no pack '${id}' is installed` : `removed ${version}`);
  return version === null ? 1 : 0;
}

async function packs(invocation: Invocation): Promise<number> {
  const { packSummary } = await import('../../mcp/rules/install/pack-summary.js');
  const { terminal } = invocation;
  const { packs: found, refused } = await packSet(invocation);
  const isMarkdown = booleanOption(invocation.values, 'markdown');
  const rows: string[][] = [];
  for (const { pack, origin, signature } of found.values()) {
    const { kind, driving_side: side, units, law_as_of: lawAsOf, valid, jurisdiction } = pack.manifest;
    const { certainty, text } = packSummary(pack);
    const signedBy = signature.state === 'signed' ? signature.name : signature.state;
    if (terminal.json) {
      terminal.object({
        id: pack.manifest.id,
        version: pack.version,
        kind,
        jurisdiction_path: jurisdiction.path,
        origin,
        signature,
        valid_until: valid.until,
        law_as_of: lawAsOf,
        driving_side: side,
        unit: units.speed,
        rules: pack.rules.length,
        documents: pack.documents.size,
        certainty,
        text,
      });
    }
    const counts = [pack.rules.length, certainty.A, certainty.B, certainty.C].map(String);
    rows.push(
      isMarkdown
        ? [
            `\`${pack.manifest.id}\``,
            jurisdiction.path.join(' › '),
            `${side}, ${units.speed}`,
            ...counts,
            textOf(text),
          ]
        : [pack.version, kind, origin, signedBy, lawAsOf, valid.until, `${side}, ${units.speed}`, ...counts],
    );
  }
  for (const { id, error } of refused) {
    if (terminal.json) terminal.object({ id, refused: error.message, code: error.code });
    else terminal.message(`${id} is not used: ${error.message}`);
  }
  if (terminal.json) return 0;
  if (isMarkdown) {
    const heads = ['pack', 'place', 'side, unit', 'rules', 'A', 'B', 'C', 'text'];
    const rule = heads.map((head) => (['rules', 'A', 'B', 'C'].includes(head) ? '--:' : '---'));
    for (const row of [heads, rule, ...rows]) terminal.line(`| ${row.join(' | ')} |`);
    return 0;
  }
  const heads = ['pack', 'kind', 'origin', 'signed by', 'law as of', 'review until', 'side, unit'];
  const numbers = ['rules', 'A', 'B', 'C'];
  const align = [...heads.map(() => 'left' as const), ...numbers.map(() => 'right' as const)];
  for (const line of columns([[...heads, ...numbers], ...rows], align, terminal.tableWidth))
    terminal.line(line);
  return 0;
}

function textOf({
  official,
  paraphrase,
}: {
  readonly official: number;
  readonly paraphrase: number;
}): string {
  if (official + paraphrase === 0) return 'cites its base';
  if (official === 0) return 'own words';
  return paraphrase === 0 ? 'official' : `${official} official, ${paraphrase} own words`;
}

async function doctor(invocation: Invocation): Promise<number> {
  const { packFindings } = await import('../../mcp/rules/install/pack-findings.js');
  const { terminal } = invocation;
  const set = await packSet(invocation);
  const findings = packFindings(set, today());
  const failed = findings.filter(({ status }) => status === 'FAIL').length;
  for (const finding of findings) {
    if (terminal.json) terminal.object({ ...finding, status: finding.status.toLowerCase() });
    else {
      const word = terminal.style(finding.status, finding.status === 'FAIL' ? 'red' : 'yellow');
      terminal.line(`${word}  ${finding.id}  ${finding.found}`);
      terminal.line(`      ${terminal.style(finding.advice, 'dim')}`);
    }
  }
  const summary = { packs: set.packs.size, warn: findings.length - failed, fail: failed };
  if (terminal.json) terminal.object({ summary });
  else
    terminal.line(
      `${count(summary.packs, 'pack')} in ${packageFile('rulepacks')} and the state directory: ${count(summary.warn, 'warning')}, ${failed} failed`,
    );
  return failed > 0 ? 1 : 0;
}
