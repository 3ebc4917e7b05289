/** Fields that several tools of the rules server share. */
import { z } from 'zod';
import { legalActions } from '../format/vocabulary.js';

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** A day that the calendar has. */
export const asOfField = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a date as YYYY-MM-DD')
  .refine(isDay, 'there is no such day')
  .describe('law of this day, YYYY-MM-DD; default today (UTC)');

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

export function today(nowWallMs: number): string {
  return new Date(nowWallMs).toISOString().slice(0, 10);
}
