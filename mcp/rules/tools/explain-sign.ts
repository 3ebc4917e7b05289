import { z } from 'zod';
import { today } from '../../shared/as-of.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import type { PackShelf } from '../pack-shelf.js';
import { signArgs } from '../signs/sign-args.js';
import { citationField } from './tool-fields.js';

const output = z.strictObject({
  country: z.string().describe('ISO 3166-1 alpha-2'),
  is_known: z.boolean(),
  meanings: z
    .array(
      z.strictObject({
        kind: z.enum(['sign', 'plate', 'face', 'words']),
        code: z.string(),
        meaning: z.string().describe('a word of a closed list'),
        name: z.string(),
        says: z.string(),
        value: z.number().nullable(),
        unit: z.enum(['km/h', 'mph']).nullable(),
        doc_id: z.string().nullable().describe('rules_cite shows the text'),
        span: z.string().nullable(),
        citation: citationField.nullable().describe('null = no provision was read, see certainty'),
        certainty: z
          .enum(['A', 'B', 'C'])
          .describe('A official text, B secondary source, C common knowledge'),
        note: z.string().nullable(),
        home_code: z.string().nullable(),
      }),
    )
    .describe('the most exact reading first'),
  rulepack_version: z.string().nullable().describe('null = no sign table for this place: nothing is guessed'),
  as_of: z.string(),
  note: z.string().optional(),
});

export function explainSignTool(shelf: PackShelf): ExpertTool {
  return expertTool({
    name: 'rules_explain_sign',
    title: 'Meaning of a sign',
    description:
      'Explains a traffic sign, plate, gantry face or words on a sign of a country in English, German or French, from tables with the cited provision and certainty. What is not in the tables is said to be unknown; nothing is guessed. Not legal advice. Research software, not a safety mechanism.',
    input: signArgs,
    output,
    async run(args, { nowWallMs }) {
      const [{ packs }, { signAnswer }] = await Promise.all([
        shelf.packs(),
        import('../signs/sign-answer.js'),
      ]);
      // Checked against the schema by whoever calls.
      const answer = signAnswer(packs, { ...args, as_of: args.as_of ?? today(nowWallMs) });
      return answer as unknown as z.input<typeof output>;
    },
  });
}
