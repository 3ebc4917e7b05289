import { z } from 'zod';
import { asOfField, today } from '../../shared/as-of.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { flatContextSchema } from '../evaluate/flat-context.js';
import type { PackShelf } from '../pack-shelf.js';
import { citationField, jurisdictionField, legalActionField, speedField } from './tool-fields.js';

const degradations = ['expired', 'missing', 'unsigned', 'unknown_condition', 'conflict', 'unit'] as const;

const output = z.strictObject({
  legal_action: legalActionField,
  limit: speedField.nullable().describe('null = no number binds; see legal_action'),
  advisory: speedField.nullable().describe('recommended, not binding'),
  qualifier: z.string().optional(),
  nature: z.string().describe('absolute, prima_facie or basic'),
  citations: z.array(citationField),
  confidence: z.number().min(0).max(1),
  rulepack_version: z.string().nullable().describe('null = no pack for this place: no limit is invented'),
  jurisdiction_path: z.array(z.string()),
  as_of: z.string(),
  degraded: z.array(z.enum(degradations)).describe('every doubt that lowered the confidence'),
  alternatives: z.array(speedField.nullable()).describe('other limits that are posted'),
  note: z.string().optional(),
});

/** A place without a pack is an answer (`unknown_conservative`), not an error: the daemon asks wherever it is. */
export function lookupLimitTool(shelf: PackShelf): ExpertTool {
  return expertTool({
    name: 'rules_lookup_limit',
    title: 'Speed limit by law',
    description:
      'Evaluates which speed limit binds in a situation (road, vehicle, posted sign or gantry, weather, time) on a day, by structured rules with cited spans of law; no language model takes part. What is left out of the context is unknown, not false. Not legal advice. Research software, not a safety mechanism.',
    input: z.strictObject({
      jurisdiction: jurisdictionField,
      as_of: asOfField.optional(),
      context: flatContextSchema
        .default({})
        .describe(
          'the situation; sign is a code with its value (274-80, B14-110) or a bare number, gantry the faces from the verge (100|80)',
        ),
    }),
    output,
    async run({ jurisdiction, as_of, context }, { nowWallMs }) {
      const [{ packs }, { lookupLimit }] = await Promise.all([shelf.packs(), import('../rules-expert.js')]);
      const answer = lookupLimit(packs, { jurisdiction, as_of: as_of ?? today(nowWallMs), context });
      // Checked against the schema by whoever calls: `lookupLimit` gives plain JSON.
      return answer as unknown as z.input<typeof output>;
    },
  });
}
