/** The sign table of a country: codes, plates, gantry faces and words, each with its meaning, provision and certainty. */
import { z } from 'zod';
import { signMeanings } from '../../../daemon/core/signs/sign-meanings.js';
import { wordMeanings } from '../../../daemon/core/signs/word-meanings.js';
import { faceMeanings, plateMeanings } from './meanings.js';

const certainty = z.enum(['A', 'B', 'C']);
/** provision in the country's rulepack; absent where no text was read */
const provision = z.strictObject({ doc: z.string().min(1), span: z.string().min(1).optional() });
const row = { cite: provision.optional(), certainty, note: z.string().max(120).optional() };

export const signTableSchema = z.strictObject({
  country: z.string().regex(/^[A-Z]{2}$/, 'an ISO 3166-1 code'),
  unit: z.enum(['km/h', 'mph']),
  family: z.enum(['vienna', 'mutcd']),
  signs: z.array(
    z.strictObject({
      code: z.string().min(1).max(16),
      meaning: z.enum(signMeanings),
      /** the sign carries a number */
      has_value: z.literal(true).optional(),
      /** the sign has this value whether or not it shows it */
      value: z.number().int().positive().optional(),
      ...row,
    }),
  ),
  plates: z.array(
    z.strictObject({
      code: z.string().min(1).max(16),
      also: z.array(z.string()).optional(),
      meaning: z.enum(plateMeanings),
      ...row,
    }),
  ),
  faces: z.array(z.strictObject({ face: z.string().min(1), meaning: z.enum(faceMeanings), ...row })),
  words: z.array(
    z.strictObject({
      text: z.string().min(2).max(60),
      also: z.array(z.string().min(2).max(60)).optional(),
      lang: z.string().length(2),
      meaning: z.enum(wordMeanings),
      ...row,
    }),
  ),
});

export type SignTable = z.infer<typeof signTableSchema>;
export type SignRow = SignTable['signs'][number];
export type Provision = z.infer<typeof provision>;
