/** Fields that several tools of the rules server share. */
import { z } from 'zod';
import { legalActions } from '../format/vocabulary.js';

export const jurisdictionField = z
  .string()
  .min(2)
  .max(40)
  .regex(/^[A-Za-z0-9/ -]+$/, 'a place such as DEU, GBR/WLS or FRA-75056')
  .describe('whose law: a pack id or country code, DEU, DE, GBR/WLS, FRA-75056; rules_list_packs lists them');

const speedField = z.strictObject({
  value: z.number(),
  unit: z.enum(['km/h', 'mph']),
  mps: z.number().describe('the same in m/s'),
});

const degradations = ['expired', 'missing', 'unsigned', 'unknown_condition', 'conflict', 'unit'] as const;

/** Where something stands in the law, with its words. */
export const citationField = z.strictObject({
  doc_id: z.string().describe('rules_cite shows the text'),
  span: z.array(z.number().int()).length(2).describe('start and end in the document, in characters'),
  quote: z.string(),
  cite: z.string().describe('as a lawyer writes it'),
});

/** What the evaluator says, as its answers have it. */
export const ruleAnswerFields = {
  legal_action: z.enum(legalActions),
  limit: speedField.nullable().describe('null = no number binds; see legal_action'),
  advisory: speedField.nullable().describe('recommended, not binding'),
  qualifier: z.string().optional(),
  nature: z.string().optional().describe('absolute, prima_facie or basic'),
  citations: z.array(citationField.extend({ rule: z.string() })),
  confidence: z.number().min(0).max(1),
  rulepack_version: z.string().nullable().describe('null = no pack for this place: no limit is invented'),
  jurisdiction_path: z.array(z.string()),
  as_of: z.string(),
  degraded: z.array(z.enum(degradations)).describe('every doubt that lowered the confidence'),
  alternatives: z.array(speedField.nullable()).describe('other limits that are posted'),
  note: z.string().optional(),
};
