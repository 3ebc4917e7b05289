/**
 * The rulepack format as schemas: a folder with a manifest, documents with stable ids and spans, and structured
 * rules that cite them. A limit always comes from a rule that somebody can read, cite and date.
 */
import { z } from 'zod';

const isoDate = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'a date as YYYY-MM-DD');

export const manifestSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]{3}(-[A-Z0-9]+)*$/, 'a pack id such as DEU or GBR-WLS'),
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'a semantic version'),
  schema: z.literal('rulepack/1'),
  jurisdiction: z.strictObject({ country: z.string().length(2), path: z.array(z.string()).min(1) }),
  kind: z.literal('base'),
  language: z.array(z.string()).min(1),
  units: z.strictObject({ speed: z.enum(['km/h', 'mph']), distance: z.enum(['m', 'yd']) }),
  driving_side: z.enum(['left', 'right']),
  valid: z.strictObject({ from: isoDate, until: isoDate }),
  law_as_of: isoDate,
  legal_speeds: z.array(z.number().int().positive()).min(1),
  sources: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      tier: z.enum(['statute', 'sign_table', 'guidance']),
    }),
  ),
});
export type PackManifest = z.infer<typeof manifestSchema>;

export const documentHeadSchema = z.strictObject({
  doc_id: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)?:[a-z0-9-]+(:[a-z0-9.-]+)?$/, 'a provision id such as de:stvo:p3'),
  source: z.string(),
  title: z.string(),
  cite: z.string(),
  lang: z.string().length(2),
  valid_from: isoDate,
  text: z.enum(['official', 'paraphrase']),
  spans: z.record(z.string(), z.tuple([z.number().int().nonnegative(), z.number().int().positive()])),
});
export type DocumentHead = z.infer<typeof documentHeadSchema>;

/** A comparison of one fact: a value, or a bound on a number. */
const testSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.strictObject({ lt: z.number() }),
  z.strictObject({ lte: z.number() }),
  z.strictObject({ gt: z.number() }),
  z.strictObject({ gte: z.number() }),
]);
export type FactTest = z.infer<typeof testSchema>;

/** The closed vocabulary of conditions. */
export const factKeys = [
  'road_class',
  'carriageway',
  'lanes_per_dir',
  'lit',
  'vehicle.class',
  'vehicle.mass_t',
  'vehicle.trailer',
  'visibility_m',
  'road_surface',
  'chains',
  'nation',
  'sign.code',
  'plate.code',
] as const;
export type FactKey = (typeof factKeys)[number];

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly [K in FactKey]?: FactTest };

const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(conditionSchema).min(1) }),
    z.strictObject({ any: z.array(conditionSchema).min(1) }),
    z.strictObject({ not: conditionSchema }),
    z
      .partialRecord(z.enum(factKeys), testSchema)
      .refine(
        (leaf) => Object.keys(leaf).length === 1,
        'one fact a condition; combine several with all or any',
      ),
  ]),
);

export const ruleSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(['default_limit', 'vehicle_cap', 'condition_cap', 'sign_effect', 'end_sign', 'advisory']),
  when: conditionSchema,
  // biome-ignore lint/suspicious/noThenProperty: `when … then` is the published rule format; rules are never awaited
  then: z.strictObject({
    /** a number, the value written on the sign, or no limit at all */
    limit: z.union([z.number().int().positive(), z.literal('from_sign'), z.literal('none')]),
    only_if: conditionSchema.optional(),
  }),
  /** what an unknown condition means: caps assume true, permissions assume false. Stated here, not in code. */
  unknown_condition: z.enum(['assume_true', 'assume_false']),
  cite: z
    .array(
      z.strictObject({ doc: z.string(), span: z.string(), must_contain: z.array(z.string()).default([]) }),
    )
    .min(1),
  valid: z.strictObject({ from: isoDate, until: isoDate.optional() }),
  certainty: z.enum(['A', 'B', 'C']),
});
export type Rule = z.infer<typeof ruleSchema>;

export const rulesFileSchema = z.array(ruleSchema);
