/** `pack.yaml`: what a rulepack is, whose law it holds, how fresh it is, and where its texts come from. */
import { z } from 'zod';

export const isoDate = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'a date as YYYY-MM-DD')
  // `Date.parse` takes 31 February for 3 March.
  .refine(
    (text) => new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true,
    'there is no such day',
  );
export const semver = z.string().regex(/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/, 'a semantic version');
export const packId = z.string().regex(/^[A-Z]{3}(-[A-Z0-9]+)*$/, 'a pack id such as DEU or GBR-WLS');

/** Statute before official sign table before secondary guidance, where texts about the same rule differ. */
export const tiers = ['statute', 'sign_table', 'guidance', 'case_law'] as const;

const sourceSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/, 'lower-case letters, digits and hyphens'),
  title: z.string().min(1),
  tier: z.enum(tiers),
  /** name of the importer that read it, or none */
  origin: z.string().min(1).default('none'),
  /** how to find it: document number, citation */
  locator: z.string().optional(),
  retrieved: isoDate.optional(),
  /** of the raw official bytes, which stay outside the pack */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits')
    .optional(),
  /** under what the text may be passed on; a source without one does not build */
  licence: z
    .strictObject({ id: z.string().min(1), attribution: z.string().nullable().default(null) })
    .optional(),
});

export const manifestSchema = z.strictObject({
  id: packId,
  version: semver,
  schema: z.literal('rulepack/1'),
  jurisdiction: z.strictObject({
    country: z.string().regex(/^[A-Z]{2}$/, 'an ISO 3166-1 code of two letters'),
    /** from the country down: [GB, GB-WLS] */
    path: z
      .array(z.string().regex(/^[A-Z0-9-]+$/, 'capital letters, digits and hyphens'))
      .min(1)
      .max(5),
    /** a law of one place, not of a part that everybody is in: it binds only where that place is named */
    local: z.literal(true).optional(),
    /** of a base: parts of the country that may be named, with or without a law of their own (`ENG` has the base's) */
    parts: z.array(z.string().regex(/^[A-Z0-9]+$/, 'capital letters and digits')).optional(),
  }),
  kind: z.enum(['base', 'overlay', 'companion', 'temporary']),
  extends: z
    .strictObject({ id: packId, range: z.string().regex(/^[0-9<>=. ]+$/, 'bounds such as ">=1.2.0 <2.0.0"') })
    .nullable()
    .default(null),
  language: z.array(z.string().length(2)).min(1),
  units: z.strictObject({ speed: z.enum(['km/h', 'mph']), distance: z.enum(['m', 'yd']) }),
  driving_side: z.enum(['left', 'right']),
  /** until = when the pack must be reviewed (temporary: when it ends), not the end of the law */
  valid: z.strictObject({ from: isoDate, until: isoDate }),
  /** the last amendment that was taken in */
  law_as_of: isoDate,
  legal_speeds: z.array(z.number().int().positive()).min(1),
  sources: z.array(sourceSchema),
  maintainers: z.array(z.string()).default([]),
  review: z.strictObject({ by: z.string(), date: isoDate, checklist: z.string() }).optional(),
});
export type PackManifest = z.infer<typeof manifestSchema>;

/** Whether a version lies within bounds such as `>=1.2.0 <2`. */
export function isInRange(version: string, range: string): boolean {
  return range
    .trim()
    .split(/\s+/)
    .every((bound) => {
      const parts = /^(>=|<=|>|<|=)?(\d+)(?:\.(\d+))?(?:\.(\d+))?$/.exec(bound);
      if (!parts) return false;
      const order = compareVersions(version, [parts[2], parts[3] ?? 0, parts[4] ?? 0].join('.'));
      switch (parts[1]) {
        case '>=':
          return order >= 0;
        case '<=':
          return order <= 0;
        case '>':
          return order > 0;
        case '<':
          return order < 0;
        default:
          return order === 0;
      }
    });
}

export function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (x?.[i] ?? 0) - (y?.[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return 0;
}
