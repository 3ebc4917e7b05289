/**
 * A structured rule: when it holds, what follows, which span of which document says so. A limit always comes from a rule
 * that somebody can read, cite and date.
 */
import { z } from 'zod';
import { isoDate } from './manifest-schema.js';
import { conductTopics, type FactKey, factKeys, factKinds, legalActions, ruleKinds } from './vocabulary.js';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'a time as HH:MM');
const day = z.enum(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);

/** A comparison of one fact: a value, a bound on a number, or hours of the week. */
const testSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.strictObject({ lt: z.number() }),
  z.strictObject({ lte: z.number() }),
  z.strictObject({ gt: z.number() }),
  z.strictObject({ gte: z.number() }),
  /** wraps midnight where the second is the earlier */
  z.strictObject({ between: z.tuple([clock, clock]), days: z.array(day).min(1).optional() }),
]);
export type FactTest = z.infer<typeof testSchema>;

export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly any: readonly Condition[] }
  | { readonly not: Condition }
  | { readonly [K in FactKey]?: FactTest };

/** `all: []` holds always. */
const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ all: z.array(conditionSchema) }),
    z.strictObject({ any: z.array(conditionSchema).min(1) }),
    z.strictObject({ not: conditionSchema }),
    z
      .partialRecord(z.enum(factKeys as [FactKey, ...FactKey[]]), testSchema)
      .refine(
        (leaf) => Object.keys(leaf).length === 1,
        'one fact a condition; combine several with all or any',
      )
      .refine((leaf) => Object.entries(leaf).every(fits), 'this fact does not take that value'),
  ]),
);

function fits([key, test]: [string, FactTest | undefined]): boolean {
  const kind: readonly string[] | string = factKinds[key as FactKey];
  if (typeof test === 'object') return 'between' in test ? kind === 'time' : kind === 'number';
  if (Array.isArray(kind)) return (kind as readonly unknown[]).includes(test);
  return kind === 'word' ? typeof test === 'string' : kind === typeof test;
}

const natures = ['absolute', 'prima_facie', 'basic'] as const;

const limitSchema = z.union([
  z.strictObject({
    value: z.number().int().positive(),
    unit: z.enum(['km/h', 'mph']),
    nature: z.enum(natures),
  }),
  /** nature: default absolute; some signs only state what is presumed safe */
  z.strictObject({ from_sign: z.literal(true), nature: z.enum(natures).optional() }),
  z.strictObject({ none: z.literal(true) }),
]);
export type RuleLimit = z.infer<typeof limitSchema>;

export const ruleSchema = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9.-]*$/, 'lower-case letters, digits, dots and hyphens'),
    kind: z.enum(ruleKinds),
    topic: z.enum(conductTopics).optional(),
    when: conditionSchema,
    // biome-ignore lint/suspicious/noThenProperty: `when … then` is the published rule format; rules are never awaited
    then: z.strictObject({
      limit: limitSchema.optional(),
      /** a plate: the sign holds only where this does */
      only_if: conditionSchema.optional(),
      /** what to tell the driver where `only_if` is false; default condition_inactive */
      otherwise: z.enum(legalActions).optional(),
      legal_action: z.enum(legalActions).optional(),
      qualifier: z.enum(['walking_pace']).optional(),
      /** numbers of a conduct rule, units in their names: `gapM: 50` */
      values: z.record(z.string().regex(/^[a-z][A-Za-z0-9]*$/), z.number()).optional(),
    }),
    /** what an unknown condition means: the conservative policy, stated here and not in code */
    unknown_condition: z.enum(['assume_true', 'assume_false']),
    cite: z
      .array(
        z.strictObject({
          doc: z.string(),
          span: z.string(),
          must_contain: z.array(z.string().min(1)).default([]),
        }),
      )
      .min(1),
    /** only a rule that has commenced binds; an announced date may still move */
    status: z.enum(['enacted', 'commenced', 'announced']),
    /** [from, until) */
    valid: z.strictObject({ from: isoDate, until: isoDate.optional() }),
    certainty: z.enum(['A', 'B', 'C']),
    /** an overlay may raise this limit, up to `max` */
    raisable: z.strictObject({ max: z.number().int().positive(), by: z.enum(['sign', 'order']) }).optional(),
  })
  .refine(
    (rule) => (rule.kind === 'conduct') === (rule.topic !== undefined),
    'topic: conduct rules have one, others do not',
  )
  .refine(
    (rule) => rule.kind !== 'conduct' || rule.then.legal_action !== undefined,
    'then: a conduct rule says the legal_action',
  )
  .refine(
    (rule) => rule.kind === 'conduct' || rule.then.limit !== undefined,
    'then: this kind of rule says the limit',
  )
  .refine(
    (rule) => rule.valid.until === undefined || rule.valid.from < rule.valid.until,
    'valid: until must come after from',
  );
export type Rule = z.infer<typeof ruleSchema>;

export const rulesFileSchema = z.array(ruleSchema);
