import { completable } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { PromptArgument } from './expert-server.js';

/** Longer arguments are no id, date or place. */
const maxChars = 200;

/** Arguments of a prompt as the SDK wants them; hosts send all of them as text. */
export function promptSchema(args: Readonly<Record<string, PromptArgument>>) {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(args).map(([name, { description, required, complete }]) => {
        const text = z.string().max(maxChars).describe(description);
        const field =
          complete === undefined
            ? text
            : completable(text, async (begun) => [...(await complete(begun ?? ''))]);
        return [name, required ? field : field.optional()];
      }),
    ),
  );
}
