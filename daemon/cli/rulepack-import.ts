/** `rulepack import`: the official text of an act as documents of a pack. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { booleanOption, type CommandSpec, type Invocation, listOption, stringOption } from './command.js';
import { otherPacks, today } from './pack-world.js';
import { dateOption } from './rules-limit.js';
import { columns, count } from './table.js';

export const importCommand: CommandSpec = {
  path: ['rulepack', 'import'],
  summary: 'take the official text of an act into a pack, from its XML',
  positionals: 'FILE|DIR',
  arity: [1, 1],
  options: {
    into: { type: 'string', value: 'PACKDIR', help: 'the pack that takes it' },
    format: {
      type: 'string',
      value: 'NAME',
      choices: ['auto', 'gii-norm', 'clml', 'legi', 'ris'],
      help: 'default auto: by the root element',
    },
    source: {
      type: 'string',
      value: 'ID',
      help: 'source in pack.yaml; default the one with the locator of the file; one that is not there is added',
    },
    act: {
      type: 'string',
      value: 'CODE',
      help: 'middle part of provision ids (de:CODE:p3); default the source',
    },
    select: {
      type: 'string',
      value: 'UNITS',
      multiple: true,
      help: 'only these units and what is finer: p3,p18,anl2',
    },
    new: { type: 'string', value: 'ID', help: 'begin a pack of this id in PACKDIR: AUT, GBR-WLS' },
    'valid-from': {
      type: 'string',
      value: 'DATE',
      help: 'for texts that the file does not date (gii-norm); default the pack’s own date, else the build of the file',
    },
    retrieved: {
      type: 'string',
      value: 'DATE',
      help: 'when the file was fetched, default today; what begins later is not taken in',
    },
    'replace-paraphrase': { type: 'boolean', help: 'put official texts in the place of own words' },
    'dry-run': { type: 'boolean', help: 'say what would be done, write nothing' },
  },
  details:
    'Reads gii-norm (DE), CLML (GB), LEGI (FR) and RIS (AT) XML, a zip with it, or a folder with files of one act. Every number of the\n' +
    'XML must stand in the text, as often, or nothing is written. A text that follows on another closes it by date; a repealed one is\n' +
    'closed, one that begins after the day of retrieval stays out. Own words stay unless --replace-paraphrase says otherwise; rules\n' +
    'whose words the new text lacks are listed. Exit code 1 where own words were kept or rules no longer hold.',
  examples: [
    [
      'drivemcp rulepack import BJNR036710013.xml --into mypacks/DEU --select p3,p4 --dry-run',
      'what would change',
    ],
    [
      'drivemcp rulepack import stvo.zip --into mypacks/DEU --replace-paraphrase',
      'official texts for own words',
    ],
    [
      'drivemcp rulepack import ris/ --into mypacks/AUT --new AUT --source stvo',
      'a pack that begins with the law',
    ],
  ],
  run: importText,
};

async function importText(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const { readLawFiles } = await import('../../mcp/rules/import/read-law-files.js');
  const { importLaw, readLaw } = await import('../../mcp/rules/import/import-law.js');
  const { newlyBroken } = await import('../../mcp/rules/import/broken-citations.js');
  const { readRulepack } = await import('../../mcp/rules/format/load-pack.js');
  const { readPackFile } = await import('../../mcp/rules/format/pack-files.js');
  const into = stringOption(values, 'into');
  if (into === undefined)
    throw new DriveMcpError('USAGE', 'name the pack that takes the text: --into PACKDIR', {
      hint: '--new ID begins one there',
    });
  const folder = resolve(into);
  const date = (name: string): string | undefined => {
    const text = stringOption(values, name);
    return text === undefined ? undefined : dateOption(text);
  };
  const retrieved = date('retrieved') ?? today();
  const packs = await otherPacks(invocation);
  const format = (stringOption(values, 'format') ?? 'auto') as Parameters<typeof readLaw>[1];
  const law = readLaw(readLawFiles(positionals[0] ?? ''), format);
  const newId = stringOption(values, 'new');
  const isTaken = existsSync(folder) && readdirSync(folder).length > 0;
  if (newId !== undefined && isTaken)
    throw new DriveMcpError('FILE_UNWRITABLE', 'cannot begin a pack here: it is not empty', {
      location: { file: folder },
    });
  const { newLawPack } = await import('../../mcp/rules/import/new-law-pack.js');
  const begun =
    newId === undefined
      ? { pack: readRulepack(folder), manifest: readPackFile(folder, 'pack.yaml') }
      : newLawPack(folder, newId, law.format, packs, retrieved);
  const { plan, source } = importLaw(law, begun.pack, {
    source: stringOption(values, 'source'),
    act: stringOption(values, 'act'),
    select: listOption(values, 'select').flatMap((list) => list.split(',').filter((unit) => unit !== '')),
    validFrom: date('valid-from'),
    retrieved,
    replacesParaphrase: booleanOption(values, 'replace-paraphrase'),
  });
  const after = { ...begun.pack, documents: plan.documents };
  const broken = plan.writes.size === 0 ? [] : newlyBroken(begun.pack, after, packs);
  const isDry = booleanOption(values, 'dry-run');
  if (!isDry && plan.writes.size > 0) {
    const { withSource } = await import('../../mcp/rules/import/manifest-source.js');
    const { writeImport } = await import('../../mcp/rules/import/write-import.js');
    const manifest = withSource(join(folder, 'pack.yaml'), begun.manifest, source);
    writeImport(folder, new Map([...plan.writes, ['pack.yaml', manifest]]));
  }
  const summary = {
    format: law.format.name,
    source: source.id,
    sha256: source.sha256,
    ...Object.fromEntries(
      (['imported', 'changed', 'closed', 'unchanged', 'kept', 'skipped'] as const).map((state) => [
        state,
        plan.rows.filter((row) => row.state === state).length,
      ]),
    ),
    rules_broken: broken.length,
    written: !isDry && plan.writes.size > 0,
  };
  if (terminal.json) {
    for (const { validFrom, validUntil, ...row } of plan.rows)
      terminal.object({ ...row, valid_from: validFrom, valid_until: validUntil });
    for (const { pack, rule, message } of broken) terminal.object({ pack, rule, message });
    terminal.object({ summary });
  } else {
    const rows = plan.rows.map(({ document, label, state, reason, spans, numbers }) => [
      state,
      document ?? label,
      spans > 0 ? String(spans) : '',
      spans > 0 ? String(numbers) : '',
      reason,
    ]);
    const head = ['state', 'document', 'spans', 'numbers', 'why'];
    for (const line of columns(
      [head, ...rows],
      ['left', 'left', 'right', 'right', 'left'],
      terminal.tableWidth,
    ))
      terminal.line(line);
    for (const { pack, rule, message } of broken)
      terminal.line(`rule ${rule} of ${pack} no longer holds: ${message}`);
    terminal.line(
      `${count(plan.rows.length, 'row')}: ${summary.source} from ${summary.format}, ${count(broken.length, 'rule')} to look at${isDry ? '; nothing was written' : ''}`,
    );
    if (summary.written)
      terminal.message(
        broken.length > 0
          ? `next: change those rules, then drivemcp rulepack build ${into}`
          : `next: drivemcp rulepack build ${into}`,
      );
  }
  return broken.length > 0 || plan.rows.some(({ state }) => state === 'kept') ? 1 : 0;
}
