/** `rules cite`: the sentence behind a citation, recomputed from the pack, so that anybody can check an answer. */
import { createHash } from 'node:crypto';
import { DriveMcpError } from '../core/errors.js';
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
  const { documentOn } = await import('../../mcp/rules/format/citations.js');
  const asOf = dateOption(stringOption(values, 'as-of'));
  const [provision = '', wanted] = positionals;
  const found = resolve(provision, (id) => documentOn([...packs.values()], id, asOf));
  if (!found) {
    throw new DriveMcpError('PROVISION_UNKNOWN', `no installed rulepack holds ${provision}`, {
      context: { provision },
    });
  }
  const { document } = found;
  const name = wanted ?? found.span;
  const spans =
    name === null ? Object.entries(document.head.spans) : [[name, spanOf(name, document)] as const];
  const sha256 = createHash('sha256').update(document.body).digest('hex');
  const head = {
    doc_id: document.head.doc_id,
    version: sha256.slice(0, 12),
    cite: document.head.cite,
    text: document.head.text,
  };
  for (const [span, range] of spans) {
    const quote = document.body.slice(range[0], range[1]);
    if (terminal.json) terminal.object({ ...head, name: span, span: [...range], quote });
  }
  if (terminal.json) return 0;
  terminal.line(
    `${terminal.style(head.cite, 'bold')}  ${head.doc_id}, ${head.text === 'official' ? 'official text' : 'own words'}, version ${head.version}`,
  );
  const rows = spans.map(([span, range]) => [
    span,
    `${range[0]}-${range[1]}`,
    document.body.slice(range[0], range[1]).replace(/\s+/g, ' '),
  ]);
  for (const row of columns(rows, ['left', 'right', 'left']))
    for (const line of wrapped(row, terminal.tableWidth, 4)) terminal.line(line);
  return 0;
}

type Document = NonNullable<ReturnType<typeof import('../../mcp/rules/format/citations.js')['documentOn']>>;

/** A coarser document answers for a finer provision; the rest of the id is the span. */
function resolve(
  provision: string,
  find: (id: string) => Document | null,
): { document: Document; span: string | null } | null {
  for (let id = provision; ; ) {
    const document = find(id);
    const rest = provision.slice(id.length + 1);
    if (document) return { document, span: rest === '' || !(rest in document.head.spans) ? null : rest };
    const cut = Math.max(id.lastIndexOf('.'), id.lastIndexOf(':'));
    if (cut <= 0) return null;
    id = id.slice(0, cut);
  }
}

function spanOf(name: string, { head, body }: Document): readonly [number, number] {
  const named = head.spans[name];
  if (named) return named;
  const range = /^(\d+)-(\d+)$/.exec(name);
  const [start, end] = [Number(range?.[1]), Number(range?.[2])];
  if (range && start < end && end <= body.length) return [start, end];
  throw new DriveMcpError('PROVISION_UNKNOWN', `${head.doc_id} has no span ${name}`, {
    hint: `it has ${Object.keys(head.spans).join(', ')}`,
  });
}
