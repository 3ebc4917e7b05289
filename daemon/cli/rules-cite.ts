/** `rules cite`: the sentence behind a citation, recomputed from the pack, so that anybody can check an answer. */
import { type CommandSpec, type Invocation, stringOption } from './command.js';
import { rulepackOptions, rulepacksOf } from './rulepack-options.js';
import { dateOption } from './rules-limit.js';
import { columns, wrapped } from './table.js';

export const citeCommand: CommandSpec = {
  path: ['rules', 'cite'],
  summary: 'show and check the text behind a citation',
  positionals: 'PROVISION [SPAN]',
  arity: [1, 2],
  options: {
    'as-of': { type: 'string', value: 'DATE', help: 'text of this day, YYYY-MM-DD; default today' },
    ...rulepackOptions,
  },
  details:
    'PROVISION is a document (de:stvo:p3) or finer, as answers and questions name it (de:stvo:p3.3.2.c). SPAN is the name of a\n' +
    'span, or characters START-END. Without SPAN every span of the document is listed.',
  examples: [
    ['drivemcp rules cite de:stvo:p3 3.2.c', 'one span'],
    ['drivemcp rules cite de:stvo:p3.3.2.c', 'the same, as a provision'],
    ['drivemcp rules cite gb:hc:r124 --json', 'every span, with the hash of the text'],
  ],
  run: cite,
};

async function cite(invocation: Invocation): Promise<number> {
  const { values, positionals, terminal } = invocation;
  const packs = await rulepacksOf(invocation);
  const { citeProvision } = await import('../../mcp/rules/cite-provision.js');
  const asOf = dateOption(stringOption(values, 'as-of'));
  const [provision = '', wanted] = positionals;
  const { document, sha256, spans } = citeProvision([...packs.values()], provision, wanted, asOf);
  const head = {
    doc_id: document.head.doc_id,
    version: sha256.slice(0, 12),
    cite: document.head.cite,
    text: document.head.text,
    ...(document.head.extent === undefined ? {} : { extent: document.head.extent }),
  };
  for (const { name, range, quote } of spans) {
    if (terminal.json) terminal.object({ ...head, name, span: [...range], quote });
  }
  if (terminal.json) return 0;
  terminal.line(
    `${terminal.style(head.cite, 'bold')}  ${head.doc_id}, ${head.text === 'official' ? 'official text' : 'own words'}, version ${head.version}${head.extent ? `, holds in ${head.extent.join(', ')}` : ''}`,
  );
  const rows = spans.map(({ name, range, quote }) => [
    name,
    `${range[0]}-${range[1]}`,
    quote.replace(/\s+/g, ' '),
  ]);
  for (const row of columns(rows, ['left', 'right', 'left']))
    for (const line of wrapped(row, terminal.tableWidth, 4)) terminal.line(line);
  return 0;
}
