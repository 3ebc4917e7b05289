import { z } from 'zod';
import { asOfField, today } from '../../shared/as-of.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { flatContextSchema } from '../evaluate/flat-context.js';
import type { PackShelf } from '../pack-shelf.js';
import { jurisdictionField, ruleAnswerFields } from './tool-fields.js';

const output = z.strictObject(ruleAnswerFields);

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
