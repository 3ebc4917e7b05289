import { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';

/**
 * Arguments of a tool call, checked against its schema.
 * @throws DriveMcpError TOOL_ARGS_INVALID with the key of the first argument that does not fit, and what it may be
 */
export function parseToolArgs<S extends z.ZodType>(schema: S, args: unknown, call: string): z.output<S> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const known = issue?.code === 'unrecognized_keys' ? knownKeys(schema, path) : [];
  const problem = issue?.message ?? 'the arguments do not fit';
  throw new DriveMcpError(
    'TOOL_ARGS_INVALID',
    `${call}: ${problem}${known.length === 0 ? '' : `; known: ${known.join(', ')}`}`,
    { location: { key: path.join('.') }, context: { call, issues: parsed.error.issues.length } },
  );
}

/** Keys of the object at `path`; empty where the schema says nothing of them. */
function knownKeys(schema: z.ZodType, path: readonly string[]): readonly string[] {
  let at: unknown = schema;
  for (const key of [...path, null]) {
    while (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault) {
      at = at.unwrap();
    }
    if (key === null) break;
    if (at instanceof z.ZodObject) at = at.shape[key];
    else if (at instanceof z.ZodArray) at = at.element;
    else return [];
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}
