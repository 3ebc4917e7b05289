import { z } from 'zod';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { type DaemonView, itemsOf, membersOf, numberOf, textOf } from '../daemon-view.js';

const counters = z.record(z.string(), z.number());

export function statusTool(view: DaemonView): ExpertTool {
  return expertTool({
    name: 'drivemcp_status',
    title: 'What the daemon does',
    description:
      'Tells whether a DriveMCP daemon runs and what it does now: mode with causes, source (simulated or not), tick, counts of decisions, sources and interfaces, audit store, last decision. Read-only. Research software, not a safety mechanism.',
    input: z.strictObject({}),
    output: z.strictObject({
      state: z.enum(['running', 'stale', 'ended', 'absent', 'damaged']),
      why: z.string().nullable(),
      age_s: z.number().nullable().describe('age of the status'),
      run_id: z.string().nullable(),
      version: z.string().nullable(),
      source: z.string().nullable(),
      simulated: z.boolean().nullable(),
      mode: z.string().nullable(),
      mode_causes: z.array(z.string()),
      tick: z.number().nullable(),
      t_s: z.number().nullable(),
      missed_ticks: z.number().nullable(),
      decisions: counters,
      sources: z.array(
        z.strictObject({
          name: z.string(),
          kind: z.string(),
          required: z.boolean(),
          state: z.string(),
          detail: z.string().nullable(),
        }),
      ),
      interfaces: z.array(
        z.strictObject({ name: z.string(), state: z.string(), advice: z.string().nullable() }),
      ),
      store_healthy: z.boolean().nullable(),
      last_decision: z
        .strictObject({
          tick: z.number().nullable(),
          t_s: z.number().nullable(),
          decision: z.string(),
          events: z.array(z.string()),
          l1: z.string().nullable().describe('what was said; quoted data'),
        })
        .nullable(),
    }),
    async run(_, { nowWallMs }) {
      const { state, why, ageMs, status } = view.status(nowWallMs);
      const found = status ?? {};
      const last = membersOf(found['last_decision']);
      const { healthy } = membersOf(found['store']);
      return {
        state,
        why,
        age_s: ageMs === null ? null : ageMs / 1000,
        run_id: textOf(found['run']),
        version: textOf(found['version']),
        source: textOf(found['source']),
        simulated: typeof found['simulated'] === 'boolean' ? found['simulated'] : null,
        mode: textOf(found['mode']),
        mode_causes: itemsOf(found['mode_causes']).map(String),
        tick: numberOf(found['tick']),
        t_s: numberOf(found['t_s']),
        missed_ticks: numberOf(found['missed_ticks']),
        decisions: Object.fromEntries(
          Object.entries(membersOf(found['decisions'])).filter(
            (entry): entry is [string, number] => typeof entry[1] === 'number',
          ),
        ),
        sources: itemsOf(found['sources']).map((item) => {
          const source = membersOf(item);
          return {
            name: textOf(source['name']) ?? '',
            kind: textOf(source['kind']) ?? '',
            required: source['required'] === true,
            state: textOf(source['state']) ?? '',
            detail: textOf(source['detail']),
          };
        }),
        interfaces: itemsOf(found['interfaces']).map((item) => {
          const { name, state: now, advice } = membersOf(item);
          return { name: textOf(name) ?? '', state: textOf(now) ?? '', advice: textOf(advice) };
        }),
        store_healthy: typeof healthy === 'boolean' ? healthy : null,
        last_decision:
          typeof last['decision'] === 'string'
            ? {
                tick: numberOf(last['tick']),
                t_s: numberOf(last['t_s']),
                decision: last['decision'],
                events: itemsOf(last['events']).map(String),
                l1: textOf(last['l1']),
              }
            : null,
      };
    },
  });
}
