/** `tests/` of a pack: situations with their answers, citations, questions. */
import { z } from 'zod';
import { isoDate } from './manifest-schema.js';
import { conductTopics, legalActions } from './vocabulary.js';

const situation = {
  /** the rule that is tested */
  rule: z.string().min(1),
  /** true: it decides here; false: it must not */
  holds: z.boolean(),
  /** default: the pack's own id */
  jurisdiction: z.string().min(1).optional(),
  /** default: the pack's `law_as_of` */
  as_of: isoDate.optional(),
  /** flat context, as `rules limit --context` takes it */
  context: z.record(z.string(), z.unknown()),
};

/** `tests/limits.yaml`: numbers in the unit of the pack; null = there is none; left out = not looked at. */
export const limitTestsSchema = z.array(
  z.strictObject({
    ...situation,
    limit: z.number().int().nonnegative().nullable(),
    advisory: z.number().int().nonnegative().nullable().optional(),
    legal_action: z.enum(legalActions).optional(),
    qualifier: z.enum(['walking_pace', 'if_wet', 'conservative_unit']).optional(),
    nature: z.enum(['absolute', 'prima_facie', 'basic']).optional(),
  }),
);
export type LimitTest = z.infer<typeof limitTestsSchema>[number];

/** `tests/conduct.yaml`; null = no rule says anything */
export const conductTestsSchema = z.array(
  z.strictObject({
    ...situation,
    topic: z.enum(conductTopics),
    legal_action: z.enum(legalActions).nullable(),
    /** numbers of the rule, looked at where given */
    values: z.record(z.string(), z.number()).optional(),
  }),
);
export type ConductTest = z.infer<typeof conductTestsSchema>[number];

/** `tests/cites.yaml` */
export const citeTestsSchema = z.array(
  z.strictObject({
    rule: z.string().min(1),
    doc: z.string().min(1),
    span: z.string().min(1),
    must_contain: z.array(z.string().min(1)).min(1),
  }),
);
export type CiteTest = z.infer<typeof citeTestsSchema>[number];

/** One line of `tests/queries.jsonl`: a question, and the provisions that answer it. */
export const querySchema = z.looseObject({
  id: z.string().min(1),
  lang: z.string().length(2),
  as_of: isoDate,
  q: z.string().min(1),
  relevant: z.array(z.looseObject({ id: z.string().min(1), grade: z.number().int().min(1).max(3) })),
});
