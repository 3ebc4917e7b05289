import { z } from 'zod';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import type { DaemonView } from '../daemon-view.js';
import { decidedFields, decidedOf, runIdField } from './record-fields.js';

export function explainTool(view: DaemonView): ExpertTool {
  return expertTool({
    name: 'drivemcp_explain',
    title: 'Why a tick was decided so',
    description:
      'Decides a recorded run again up to a tick and shows its chain of reasons: events, experts, cited passages, fused limit and grip, safety numbers, decision and words, and whether the tick is decided as it was recorded. Read-only. Research software, not a safety mechanism.',
    input: z.strictObject({
      tick: z
        .number()
        .int()
        .min(0)
        .max(999_999_999)
        .describe('drivemcp_audit_query lists ticks with decisions'),
      run_id: runIdField.optional(),
    }),
    output: z.strictObject({
      run_id: z.string(),
      tick: z.number().int(),
      t_s: z.number(),
      simulated: z.boolean().nullable(),
      as_recorded: z.boolean().nullable().describe('null where no hash was recorded'),
      ...decidedFields,
    }),
    async run({ tick, run_id }, { signal }) {
      const explained = await view.explain(tick, run_id ?? null, signal);
      return {
        run_id: explained.runId,
        tick: explained.tick,
        t_s: explained.tUs / 1e6,
        simulated: explained.isSimulated,
        as_recorded: explained.isAsRecorded,
        ...decidedOf(explained.record),
      };
    },
  });
}
