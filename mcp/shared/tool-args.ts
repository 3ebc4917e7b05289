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
  const key = issue?.path.join('.') ?? '';
  const known =
    issue?.code === 'unrecognized_keys' && issue.path.length === 0 && schema instanceof z.ZodObject
      ? `; known: ${Object.keys(schema.shape).join(', ')}`
      : '';
  throw new DriveMcpError(
    'TOOL_ARGS_INVALID',
    `${call}: ${issue?.message ?? 'the arguments do not fit'}${known}`,
    {
      location: { key },
      context: { call, issues: parsed.error.issues.length },
    },
  );
}
