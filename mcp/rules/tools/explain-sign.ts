import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import type { PackShelf } from '../pack-shelf.js';
import { countryCode } from '../signs/country-code.js';
import type { SignTable } from '../signs/sign-table.js';
import { jurisdictionField } from './tool-fields.js';

export function explainSignTool(shelf: PackShelf): ExpertTool {
  return expertTool({
    name: 'rules_explain_sign',
    title: 'Meaning of a sign',
    description:
      'Explains a traffic sign, plate, gantry face or words on a sign of a country in English, German or French, from tables with provisions and certainty. What is not in the tables is said to be unknown; nothing is guessed. Not legal advice. Research software, not a safety mechanism.',
    input: z.strictObject({
      sign: z
        .string()
        .min(1)
        .max(120)
        .describe(
          'code with its value (274-80, B14-110), plate (1053-35), face (redx, 50ring), or words (Rappel)',
        ),
      jurisdiction: jurisdictionField.describe('country in which the sign stands: DEU, DE, GBR/WLS, FRA'),
      language: z.enum(['en', 'de', 'fr']).default('en').describe('language of the explanation'),
      home: jurisdictionField.optional().describe('country that the driver knows: its code is told as well'),
    }),
    output: z.strictObject({
      country: z.string().describe('ISO 3166-1 alpha-2'),
      is_known: z.boolean(),
      meanings: z.array(
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
          certainty: z.enum(['A', 'B', 'C']),
          note: z.string().nullable(),
          home_code: z.string().nullable(),
        }),
      ),
    }),
    async run({ sign, jurisdiction, language, home }) {
      const [tables, { explainSign }] = await Promise.all([
        shelf.signTables(),
        import('../signs/explain-sign.js'),
      ]);
      const table = tableOf(tables, jurisdiction, 'jurisdiction');
      const homeTable = home === undefined ? undefined : tableOf(tables, home, 'home');
      const found = explainSign(table, { text: sign, language, home: homeTable });
      return {
        country: table.country,
        is_known: found.length > 0,
        meanings: found.map(({ country: _, provision, home: homeCode, ...one }) => ({
          ...one,
          doc_id: provision?.doc ?? null,
          span: provision?.span ?? null,
          home_code: homeCode,
        })),
      };
    },
  });
}

function tableOf(tables: ReadonlyMap<string, SignTable>, name: string, key: string): SignTable {
  const table = tables.get(countryCode(name));
  if (table) return table;
  throw new DriveMcpError('TOOL_ARGS_INVALID', `there is no sign table for '${name}'`, {
    location: { key },
    hint: `known: ${[...tables.keys()].sort().join(', ')}`,
  });
}
