import { z } from 'zod';
import type { DecodePlan } from '../../../daemon/vehicles/dbc/decode-plan.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import { fileArg, hexId } from '../dbc/message-words.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { nextCursor, Page, pageArgs, pageSubject } from '../files/page.js';
import { type CycleAnomaly, type CycleRow, CycleStatistics, cycleAnomalies } from './cycle-statistics.js';
import { readReport, readReportOf, toMicro } from './log-words.js';
import { type LogAccess, scanLog } from './scan-log.js';

/** A mean cycle that is off by more than this share of what the DBC says is told. */
const offCycleRatio = 0.2;

const input = z.strictObject({
  file: fileArg,
  dbc: z.array(fileArg).max(8).default([]).describe('for names, lengths and cycle times'),
  only_anomalies: z.boolean().default(false).describe('leave out what is as it should be'),
  ...pageArgs,
});

const ms = z.number().nullable();
const row = z.strictObject({
  bus: z.string(),
  id: z.number().int(),
  id_hex: z.string(),
  ext: z.boolean(),
  message: z.string().nullable().describe('by the DBC'),
  frames: z.number().int(),
  min_bytes: z.number().int(),
  max_bytes: z.number().int(),
  cycle_mean_ms: ms,
  cycle_min_ms: ms,
  cycle_max_ms: ms,
  cycle_deviation_ms: ms.describe('standard deviation of the interval'),
  cycle_dbc_ms: ms,
  gaps: z.number().int().describe('pauses of a cyclic message of five cycles or more'),
  longest_gap_s: z.number().nullable(),
  longest_gap_at_s: z.number().nullable().describe('seconds after the first frame'),
  anomalies: z.array(z.enum(cycleAnomalies)),
});

const answer = z.strictObject({
  file: z.string(),
  ...readReport,
  duration_s: z.number().nullable(),
  data_frames: z.number().int(),
  error_frames: z.number().int(),
  remote_frames: z.number().int(),
  unfollowed_frames: z.number().int().describe('of identifiers beyond the 4096 that are followed'),
  time_backwards: z.number().int().describe('frames with an earlier time than the one before'),
  ids_count: z.number().int(),
  ids_with_anomalies: z.number().int(),
  messages: z.array(row).describe('by bus and identifier'),
  next_cursor: nextCursor,
});

/** `can_log_stats`: cycle times of all identifiers of a log, and what is odd. */
export function logStatsTool(access: LogAccess, shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_log_stats',
    title: 'Cycle times and anomalies of a CAN log',
    description:
      'Reads a log and gives for each identifier of each bus its frames, lengths and cycle time, with anomalies: pauses, messages that stopped while their bus went on, changing lengths, and with DBC files wrong lengths and cycle times. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args, context) {
      const { plan, files } = await shelf.plan(args.dbc);
      const statistics = new CycleStatistics();
      const scanned = await scanLog(access, args.file, context, (batch) => {
        statistics.consume(batch);
        return false;
      });
      const identities = [scanned.identity, ...files.map(({ identity }) => identity)];
      const page = new Page<z.output<typeof row>>(pageSubject('can_log_stats', args, identities), args);
      const rows = statistics.rows();
      let withAnomalies = 0;
      for (const each of rows) {
        const message = plan.find(each.id, each.ext);
        const anomalies = [...statistics.anomaliesOf(each), ...againstPlan(each, plan, message)];
        if (anomalies.length > 0) withAnomalies++;
        else if (args.only_anomalies) continue;
        page.offer(() => rowOf(each, plan, message, anomalies, statistics.firstS));
      }
      const durationS = statistics.lastS - statistics.firstS;
      return {
        file: args.file,
        ...readReportOf(scanned),
        duration_s: Number.isFinite(durationS) ? toMicro(durationS) : null,
        data_frames: statistics.dataFrames,
        error_frames: statistics.errorFrames,
        remote_frames: statistics.remoteFrames,
        unfollowed_frames: statistics.unfollowedFrames,
        time_backwards: scanned.log.diagnosticsByCode.get('time_backwards') ?? 0,
        ids_count: rows.length,
        ids_with_anomalies: withAnomalies,
        messages: page.items,
        next_cursor: page.nextCursor,
      };
    },
  });
}

function againstPlan(row: CycleRow, plan: DecodePlan, message: number): CycleAnomaly[] {
  if (message < 0) return [];
  const found: CycleAnomaly[] = [];
  const bytes = plan.messageLength[message]!;
  if (row.minBytes < bytes) found.push('short');
  if (row.maxBytes > bytes) found.push('long');
  const cycleMs = plan.messageCycleMs[message] ?? null;
  const isOff = cycleMs !== null && Math.abs(row.meanS * 1000 - cycleMs) > offCycleRatio * cycleMs;
  // A handful of intervals proves no cycle.
  if (isOff && row.intervals >= 20) found.push('off_cycle');
  return found;
}

function rowOf(
  each: CycleRow,
  plan: DecodePlan,
  message: number,
  anomalies: CycleAnomaly[],
  logFirstS: number,
): z.output<typeof row> {
  const isTimed = each.intervals > 0;
  const deviationS = isTimed ? Math.sqrt(each.squares / each.intervals) : null;
  return {
    bus: each.bus,
    id: each.id,
    id_hex: hexId(each.id, each.ext),
    ext: each.ext,
    message: message < 0 ? null : shownText(plan.messageName[message]!),
    frames: each.frames,
    min_bytes: each.minBytes,
    max_bytes: each.maxBytes,
    cycle_mean_ms: isTimed ? toMs(each.meanS) : null,
    cycle_min_ms: isTimed ? toMs(each.minS) : null,
    cycle_max_ms: isTimed ? toMs(each.maxS) : null,
    cycle_deviation_ms: deviationS === null ? null : toMs(deviationS),
    cycle_dbc_ms: message < 0 ? null : (plan.messageCycleMs[message] ?? null),
    gaps: each.gaps,
    longest_gap_s: each.gaps === 0 ? null : toMicro(each.longestGapS),
    longest_gap_at_s: each.longestGapAtS === null ? null : toMicro(each.longestGapAtS - logFirstS),
    anomalies,
  };
}

function toMs(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e3;
}
