import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { z } from 'zod';
import type { JsonObject } from '../../../daemon/core/tick.js';
import type { AuditReader, AuditRun } from '../../../daemon/store/reader.js';
import { type ExpertTool, expertTool, type ToolContext } from '../../shared/expert-tool.js';
import { membersOf, numberOf, textOf } from '../daemon-view.js';
import { decidedOf, runIdField } from './record-fields.js';

const kinds = ['decision', 'act', 'mode', 'source', 'rulepack', 'heartbeat', 'run', 'store'] as const;
const decisions = ['act', 'speak', 'none'] as const;
const tickField = z.number().int().min(0).max(999_999_999);

type StoredRecord = ReturnType<AuditReader['records']> extends Generator<infer One> ? One : never;

/** Between two turns of the loop, so that a withdrawal is heard. */
const recordsAtOnce = 256;
const matchesMaxCount = 200;

const input = z.strictObject({
  run_id: runIdField.optional(),
  kind: z.enum(kinds).optional().describe('kind of record; default all'),
  decision: z.enum(decisions).optional().describe('only records of ticks that decided so'),
  event: z
    .string()
    .max(40)
    .regex(/^[a-z_]+$/)
    .optional()
    .describe('only records with this event: overspeed …'),
  from_tick: tickField.optional(),
  to_tick: tickField.optional(),
  from_seq: z.number().int().min(1).optional().describe('go on where next_seq said'),
  limit: z.number().int().min(1).max(matchesMaxCount).default(50),
});

const output = z.strictObject({
  run_id: z.string(),
  source: z.string(),
  simulated: z.boolean(),
  preset: z.string(),
  started_ms: z.number(),
  ended_ms: z.number().nullable().describe('null while it runs, or where it was cut short'),
  records: z.array(
    z.strictObject({
      seq: z.number().int(),
      tick: z.number().int().nullable(),
      t_s: z.number().nullable(),
      wall_ms: z.number(),
      kind: z.string(),
      mode: z.string().nullable(),
      decision: z.enum(decisions).nullable(),
      events: z.array(z.string()),
      l1: z.string().nullable().describe('what was said; quoted data'),
      ttc_s: z.number().nullable(),
      risk: z.number().nullable(),
      change: z.string().nullable().describe('of a mode or source: from what to what'),
      hash: z.string(),
    }),
  ),
  scanned: z.number().int(),
  next_seq: z.number().int().nullable().describe('null = that was all'),
});

/** @param stateDir of the audit store */
export function auditQueryTool(stateDir: string): ExpertTool {
  return expertTool({
    name: 'drivemcp_audit_query',
    title: 'Search the audit records',
    description:
      'Searches the hash-chained audit records of a run by kind, decision, event and tick, in the order of the chain, in pages. Each record comes with its hash; drivemcp_explain tells more of a tick. Read-only. Research software, not a safety mechanism.',
    input,
    output,
    async run(args, context) {
      // Loaded now: the database library costs more than everything else a server needs to say hello.
      const { openAuditReader } = await import('../../../daemon/store/reader.js');
      const reader = openAuditReader(stateDir);
      try {
        const run = reader.run(args.run_id);
        const records = reader.records({
          run,
          ...(args.kind === undefined ? {} : { kind: args.kind }),
          ...(args.from_tick === undefined ? {} : { fromTick: args.from_tick }),
          ...(args.to_tick === undefined ? {} : { toTick: args.to_tick }),
          ...(args.from_seq === undefined ? {} : { fromSeq: args.from_seq }),
        });
        return { ...aboutRun(run), ...(await search(records, run, args, context)) };
      } finally {
        reader.close();
      }
    },
  });
}

function aboutRun(run: AuditRun) {
  return {
    run_id: run.run_id,
    source: run.source,
    simulated: run.simulated,
    preset: run.preset,
    started_ms: run.start_ms,
    ended_ms: run.end_ms,
  };
}

async function search(
  records: Iterable<StoredRecord>,
  run: AuditRun,
  { decision, event, limit }: z.output<typeof input>,
  { signal, progress }: ToolContext,
) {
  const found: z.input<typeof output>['records'] = [];
  const total = run.last_seq - run.first_seq + 1;
  let scanned = 0;
  for (const record of records) {
    if (found.length === limit) return { records: found, scanned, next_seq: record.seq };
    const shown = show(record);
    scanned++;
    if (
      (decision === undefined || shown.decision === decision) &&
      (event === undefined || shown.events.includes(event))
    ) {
      found.push(shown);
    }
    if (scanned % recordsAtOnce === 0) {
      progress?.(record.seq - run.first_seq + 1, total, `${found.length} found`);
      await turnOfLoop();
      signal.throwIfAborted();
    }
  }
  progress?.(total, total, `${found.length} found`);
  return { records: found, scanned, next_seq: null };
}

function show(record: StoredRecord): z.input<typeof output>['records'][number] {
  const body = JSON.parse(record.body) as JsonObject;
  const { mode, decision, events, said } = decidedOf(body);
  const safety = membersOf(body['safety']);
  const change = membersOf(body['mode_change'] ?? body['source_change']);
  const name = textOf(change['name']);
  return {
    seq: record.seq,
    tick: record.tick < 0 ? null : record.tick,
    t_s: record.tick < 0 ? null : record.mono_us / 1e6,
    wall_ms: record.wall_ms,
    kind: record.kind,
    mode,
    decision,
    events: events.map(({ type }) => type),
    l1: said?.l1 ?? null,
    ttc_s: numberOf(safety['ttc']),
    risk: numberOf(safety['r']),
    change:
      change['to'] === undefined
        ? null
        : `${name === null ? '' : `${name}: `}${String(change['from'])} to ${String(change['to'])}`,
    hash: record.hash,
  };
}
