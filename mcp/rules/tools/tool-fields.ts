/** Fields that several tools of the rules server share. */
import { z } from 'zod';
import { legalActions } from '../format/vocabulary.js';

export const jurisdictionField = z
  .string()
  .min(2)
  .max(40)
  .regex(/^[A-Za-z0-9/ -]+$/, 'a place such as DEU, GBR/WLS or FRA-75056')
  .describe('whose law: a pack id or country code, DEU, DE, GBR/WLS, FRA-75056; rules_list_packs lists them');

export const speedField = z.strictObject({
  value: z.number(),
  unit: z.enum(['km/h', 'mph']),
  mps: z.number().describe('the same in m/s'),
});

export const citationField = z.strictObject({
  doc_id: z.string().describe('rules_cite shows the text'),
  span: z.array(z.number().int()).length(2).describe('start and end in the document, in characters'),
  quote: z.string(),
  cite: z.string().describe('as a lawyer writes it'),
  rule: z.string(),
});

export const legalActionField = z.enum(legalActions);
