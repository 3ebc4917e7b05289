import { z } from 'zod';
import { canonicalJson } from '../../../daemon/core/canonical.js';
import { sha256Hex } from '../../../daemon/core/sha256.js';

/** When an answer was given and to what, so that it can be found again in a record. */
export const answerStamp = z.strictObject({
  at: z.string().describe('UTC'),
  args_sha256: z.string().describe('of the arguments as canonical JSON (RFC 8785)'),
  answer_sha256: z.string().describe('of the answer without this stamp, likewise'),
});

/** Adds the stamp to an answer. */
export function stamped<T extends object>(
  answer: T,
  args: object,
  nowWallMs: number,
): T & { stamp: z.output<typeof answerStamp> } {
  return {
    ...answer,
    stamp: {
      at: new Date(nowWallMs).toISOString(),
      args_sha256: sha256Hex(canonicalJson(args)),
      answer_sha256: sha256Hex(canonicalJson(answer)),
    },
  };
}
