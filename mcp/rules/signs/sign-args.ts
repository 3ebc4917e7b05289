/** Arguments of `rules_explain_sign`. */
import { z } from 'zod';
import { asOfField } from '../../shared/as-of.js';
import { jurisdictionField } from '../tools/tool-fields.js';

export const signArgs = z.strictObject({
  sign: z
    .string()
    .min(1)
    .max(120)
    .describe(
      'code with its value (274-80, B14-110), plate (1053-35), face (redx, 50ring), words (Rappel), or a meaning (no_overtaking, max_speed-50)',
    ),
  jurisdiction: jurisdictionField.describe('country in which the sign stands: DEU, DE, GBR/WLS, FRA'),
  language: z.enum(['en', 'de', 'fr']).default('en').describe('language of the explanation'),
  home: jurisdictionField.optional().describe('country that the driver knows: its code is told as well'),
  as_of: asOfField.optional(),
});

/** As the decision core asks: its day is always said. */
export const signArgsOnDay = signArgs.extend({ as_of: asOfField });
