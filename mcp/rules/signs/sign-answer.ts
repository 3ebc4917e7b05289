/** What `rules_explain_sign` answers, for the server's tool and for the daemon's expert in process. */
import type { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import type { Rulepack } from '../format/rulepack.js';
import { explainInPacks, placesWithSigns, tableFor } from './explain-in-packs.js';
import type { signArgsOnDay } from './sign-args.js';

/**
 * A place without a sign table is an answer (nothing is known), not an error: the daemon asks wherever it is.
 * @throws DriveMcpError TOOL_ARGS_INVALID where `home` has no table
 */
export function signAnswer(
  packs: ReadonlyMap<string, Rulepack>,
  args: z.output<typeof signArgsOnDay>,
): JsonObject {
  const { sign, jurisdiction, language, home, as_of: asOf } = args;
  if (home !== undefined && tableFor(packs, home) === null) {
    throw new DriveMcpError('TOOL_ARGS_INVALID', `there is no sign table for '${home}'`, {
      location: { key: 'home' },
      hint: `known: ${placesWithSigns(packs).join(', ')}`,
    });
  }
  const found = explainInPacks(packs, { text: sign, jurisdiction, language, home, asOf });
  return {
    country: found.country,
    is_known: found.meanings.length > 0,
    meanings: found.meanings.map(({ country: _, provision, home: homeCode, citation, ...one }) => ({
      ...one,
      doc_id: provision?.doc ?? null,
      span: provision?.span ?? null,
      citation: citation === null ? null : { ...citation },
      home_code: homeCode,
    })),
    rulepack_version: found.pack?.version ?? null,
    as_of: asOf,
    ...(found.pack === null
      ? { note: `there is no sign table for this place; known: ${placesWithSigns(packs).join(', ')}` }
      : {}),
  };
}
