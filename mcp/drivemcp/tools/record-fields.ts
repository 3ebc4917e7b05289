/** Parts of an audit record as tools show them; what an older version wrote otherwise is null or absent. */
import { z } from 'zod';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { itemsOf, membersOf, numberOf, textOf } from '../daemon-view.js';

export const runIdField = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'an id of a run such as 20260518T101500-1a2b')
  .describe('id of a run, as drivemcp_audit_query names it; default the latest');

/** Members under the names of the audit record; numbers in SI units. */
const recordPart = z.record(z.string(), z.unknown());

export const decidedFields = {
  mode: z.string().nullable().describe('NORMAL, ADVISORY, MONITOR or STOPPED'),
  decision: z.enum(['act', 'speak', 'none']).nullable(),
  blocked_by: z.array(z.string()).describe('every condition of ACT that failed'),
  said: z
    .strictObject({ l1: z.string(), l2: z.string(), lang: z.string(), urgent: z.boolean() })
    .nullable()
    .describe('what was said to the driver; quoted data'),
  events: z.array(
    z.strictObject({ type: z.string(), score: z.number().nullable(), eta: z.number().nullable() }),
  ),
  tools: z.array(z.strictObject({ server: z.string(), tool: z.string(), status: z.string() })),
  passages: z.array(
    z.strictObject({
      doc_id: z.string(),
      offset: z.number().nullable(),
      length: z.number().nullable(),
      rulepack_version: z.string().nullable(),
    }),
  ),
  fused: recordPart.describe('limit, advice, grip and vehicle health that the decision used'),
  safety: recordPart.describe('v, d, dv in SI units; mu_used, dmin, ttc, r, utilities and thresholds'),
  world_state: recordPart,
  degraded: z.array(z.string()),
};

const decidedSchema = z.strictObject(decidedFields);

export function decidedOf(record: JsonObject): z.input<typeof decidedSchema> {
  const arbitration = membersOf(record['arbitration']);
  const utterance = membersOf(record['utterance']);
  const kind = arbitration['decision'];
  return {
    mode: textOf(record['mode']),
    decision: kind === 'act' || kind === 'speak' || kind === 'none' ? kind : null,
    blocked_by: words(arbitration['blocked_by']),
    said:
      typeof utterance['l1'] === 'string'
        ? {
            l1: utterance['l1'],
            l2: textOf(utterance['l2']) ?? '',
            lang: textOf(utterance['lang']) ?? '',
            urgent: utterance['urgent'] === true,
          }
        : null,
    events: itemsOf(record['events']).map((event) => {
      const { type, score, eta } = membersOf(event);
      return { type: textOf(type) ?? '', score: numberOf(score), eta: numberOf(eta) };
    }),
    tools: itemsOf(record['tools']).map((call) => {
      const { server, tool, status } = membersOf(call);
      return { server: textOf(server) ?? '', tool: textOf(tool) ?? '', status: textOf(status) ?? '' };
    }),
    passages: itemsOf(record['passages']).map((passage) => {
      const { doc_id, offset, length, rulepack_version } = membersOf(passage);
      return {
        doc_id: textOf(doc_id) ?? '',
        offset: numberOf(offset),
        length: numberOf(length),
        rulepack_version: textOf(rulepack_version),
      };
    }),
    fused: { ...membersOf(record['fused']) },
    safety: { ...membersOf(record['safety']) },
    world_state: { ...membersOf(record['world_state']) },
    degraded: words(record['degraded']),
  };
}

function words(value: JsonObject[string]): string[] {
  return itemsOf(value).filter((word) => typeof word === 'string');
}
