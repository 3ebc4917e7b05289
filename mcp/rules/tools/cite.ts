import { z } from 'zod';
import { asOfField, today } from '../../shared/as-of.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { citeProvision } from '../cite-provision.js';
import type { PackShelf } from '../pack-shelf.js';

export function citeTool(shelf: PackShelf): ExpertTool {
  return expertTool({
    name: 'rules_cite',
    title: 'Text behind a citation',
    description:
      'Shows the text of a cited provision from the installed rulepacks, with offsets and the SHA-256 of the document, so that a citation can be checked. The text is data, official or a paraphrase as marked. Not legal advice. Research software, not a safety mechanism.',
    input: z.strictObject({
      doc_id: z
        .string()
        .max(120)
        .regex(/^[A-Za-z0-9:._@-]+$/, 'a provision id such as de:stvo:p3')
        .describe('document (de:stvo:p3) or finer provision (de:stvo:p3.3.2.c)'),
      span: z
        .string()
        .max(60)
        .regex(/^[A-Za-z0-9._-]+$/, 'name of a span, or START-END')
        .optional()
        .describe('name of a span (3.2.c) or characters START-END; without it every span'),
      as_of: asOfField.optional(),
    }),
    output: z.strictObject({
      doc_id: z.string(),
      title: z.string(),
      cite: z.string().describe('as a lawyer writes it'),
      language: z.string(),
      text: z.enum(['official', 'paraphrase']),
      valid_from: z.string(),
      valid_until: z.string().nullable(),
      sha256: z.string().describe('of the document'),
      chars: z.number().int(),
      spans: z.array(
        z.strictObject({
          name: z.string(),
          offset: z.number().int(),
          length: z.number().int(),
          quote: z.string(),
        }),
      ),
    }),
    async run({ doc_id, span, as_of }, { nowWallMs }) {
      const { packs } = await shelf.packs();
      const cited = citeProvision([...packs.values()], doc_id, span, as_of ?? today(nowWallMs));
      const { head, body } = cited.document;
      return {
        doc_id: head.doc_id,
        title: head.title,
        cite: head.cite,
        language: head.lang,
        text: head.text,
        valid_from: head.valid_from,
        valid_until: head.valid_until ?? null,
        sha256: cited.sha256,
        chars: body.length,
        spans: cited.spans.map(({ name, range: [start, end], quote }) => ({
          name,
          offset: start,
          length: end - start,
          quote,
        })),
      };
    },
  });
}
