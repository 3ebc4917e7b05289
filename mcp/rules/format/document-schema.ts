/** Front matter of a document: one citable unit of law, with named spans of its text. */
import { z } from 'zod';
import { isoDate } from './manifest-schema.js';

export const documentHeadSchema = z.strictObject({
  doc_id: z
    .string()
    .regex(/^[a-z]{2}(-[a-z0-9]+)?:[a-z0-9-]+(:[a-z0-9.-]+)?$/, 'a provision id such as de:stvo:p3'),
  source: z.string().min(1),
  title: z.string().min(1),
  /** as a lawyer writes it */
  cite: z.string().min(1),
  lang: z.string().length(2),
  valid_from: isoDate,
  /** superseded text: the first day on which it no longer holds */
  valid_until: isoDate.optional(),
  /** parts of the country where it holds, where that is not the whole place of the pack: [GB-ENG, GB-WLS] */
  extent: z
    .array(z.string().regex(/^[A-Z]{2}-[A-Z0-9]+$/, 'a part of a country such as GB-WLS'))
    .min(1)
    .optional(),
  text: z.enum(['official', 'paraphrase']),
  /** [start, end) in Unicode code points; packs hold none beyond U+FFFF, so these are UTF-16 units as well */
  spans: z.record(z.string(), z.tuple([z.number().int().nonnegative(), z.number().int().positive()])),
  /** of the body */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
    .optional(),
});
export type DocumentHead = z.infer<typeof documentHeadSchema>;
