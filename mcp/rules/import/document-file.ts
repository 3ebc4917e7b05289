/** A document of a pack as a file: front matter and the canonical text below it. */
import { createHash } from 'node:crypto';
import type { DocumentHead } from '../format/document-schema.js';

export function documentFileText(head: DocumentHead, body: string): string {
  const lines = [
    `doc_id: ${head.doc_id}`,
    `source: ${head.source}`,
    `title: ${JSON.stringify(head.title)}`,
    `cite: ${JSON.stringify(head.cite)}`,
    `lang: ${head.lang}`,
    `valid_from: ${head.valid_from}`,
    ...(head.valid_until === undefined ? [] : [`valid_until: ${head.valid_until}`]),
    ...(head.extent === undefined ? [] : [`extent: [${head.extent.join(', ')}]`]),
    `text: ${head.text}`,
    'spans:',
    // By place: an object lists names that are whole numbers before all others.
    ...Object.entries(head.spans)
      .sort(([, a], [, b]) => a[0] - b[0] || b[1] - a[1])
      .map(([name, [start, end]]) => `  ${JSON.stringify(name)}: [${start}, ${end}]`),
    `sha256: ${createHash('sha256').update(body).digest('hex')}`,
  ];
  return `---\n${lines.join('\n')}\n---\n${body}`;
}

/** `stvo.p3.md`; a text that has ended bears its beginning: `stvo.p5@2013-04-01.md` */
export function documentPath(
  docId: string,
  head: Pick<DocumentHead, 'valid_from'>,
  hasEnded: boolean,
): string {
  const name = docId.split(':').slice(1).join('.');
  return `docs/${name}${hasEnded ? `@${head.valid_from}` : ''}.md`;
}
