/** Questions with their right answers: a JSON object a line, as packs ship them in `tests/queries.jsonl`. */
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { isoDate } from '../format/manifest-schema.js';

const goldSchema = z.looseObject({
  id: z.string().min(1).max(200),
  jurisdiction: z.string().max(40),
  pack: z.string().max(40).nullable().optional(),
  lang: z.string().min(2).max(10),
  as_of: isoDate,
  q: z.string().max(100_000),
  context: z.record(z.string(), z.unknown()).default({}),
  /** [] where nothing can be found: no pack */
  relevant: z.array(z.looseObject({ id: z.string().min(1).max(200), grade: z.number().int().min(1).max(3) })),
  /** absent = not looked at; null = there is none */
  expected_limit: z
    .looseObject({
      value: z.number().nonnegative(),
      unit: z.enum(['km/h', 'mph']),
      kind: z.enum(['mandatory', 'advisory']),
      qualifier: z.string().optional(),
    })
    .nullable()
    .optional(),
  legal_action: z.string().optional(),
  tags: z.array(z.string()).default([]),
});
export type GoldQuery = z.infer<typeof goldSchema>;
export type ExpectedLimit = NonNullable<GoldQuery['expected_limit']>;

const longestLine = 262_144;
const mostQueries = 20_000;

/**
 * @param file for messages
 * @throws DriveMcpError CASES_INVALID with line and key
 */
export function parseGold(text: string, file: string): GoldQuery[] {
  const queries: GoldQuery[] = [];
  const ids = new Set<string>();
  for (const [i, line] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const at = (key: string, message: string, cause?: unknown): DriveMcpError =>
      new DriveMcpError('CASES_INVALID', message, {
        location: { file, line: i + 1, ...(key === '' ? {} : { key }) },
        hint: 'a line is {"id","jurisdiction","lang","as_of","q","context","relevant","expected_limit","legal_action"}',
        ...(cause === undefined ? {} : { cause }),
      });
    if (line.length > longestLine) throw at('', `the line is longer than ${longestLine} characters`);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw at('', `not JSON: ${(cause as Error).message}`, cause);
    }
    const parsed = goldSchema.safeParse(value);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      throw at(issue?.path.map(String).join('.') ?? '', issue?.message ?? 'does not fit');
    }
    if (ids.has(parsed.data.id)) throw at('id', `the id ${parsed.data.id} stands twice`);
    ids.add(parsed.data.id);
    queries.push(parsed.data);
    if (queries.length > mostQueries) throw at('', `more than ${mostQueries} questions`);
  }
  if (queries.length === 0)
    throw new DriveMcpError('CASES_INVALID', 'there is no question in it', {
      location: { file },
      hint: 'one JSON object a line, as packs have them in tests/queries.jsonl',
    });
  return queries;
}
