import { z } from 'zod';
import { FRAME_ERROR, FRAME_FD, type FrameBatch } from '../../../daemon/core/can/frame-batch.js';
import { messageKey } from '../../../daemon/core/can/message-watch.js';
import { LogMatch } from '../../../daemon/vehicles/dbc/log-match.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import { fileArg } from '../dbc/message-words.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { busOf, isExtended, readReport, readReportOf } from './log-words.js';
import { type LogAccess, scanLog } from './scan-log.js';

/** A look, not a reading: a second of a busy rig. */
const probedFrames = 50_000;
const busesMaxCount = 32;
const idsMaxCount = 65_536;
const diagnosticsMaxCount = 10;

const input = z.strictObject({
  file: fileArg,
  dbc: z.array(fileArg).max(8).default([]).describe('DBC files of which the one that fits is looked for'),
});

const share = z.number().nullable();
const answer = z.strictObject({
  file: z.string(),
  size_bytes: z.number().int(),
  ...readReport,
  has_absolute_time: z.boolean().describe('times are Unix time, else offsets from the start'),
  first_s: z.number().nullable().describe('as the log has it'),
  last_s: z.number().nullable().describe('of what was read'),
  started_at: z.string().nullable().describe('UTC, where the log has absolute time'),
  buses: z.array(z.strictObject({ bus: z.string(), frames: z.number().int() })),
  ids_count: z.number().int(),
  has_extended_ids: z.boolean(),
  has_fd: z.boolean(),
  error_frames: z.number().int(),
  diagnostics: z
    .array(z.strictObject({ line: z.number().int(), code: z.string(), message: z.string() }))
    .describe('the first findings about damaged parts'),
  dbc_fit: z
    .array(
      z.strictObject({
        dbc: z.string(),
        score: z.number().describe('0 to 1: evidence, not proof; makers use identifiers again'),
        known_ratio: share,
        length_ratio: share,
        plausible_ratio: share,
      }),
    )
    .describe('best first'),
});

/** `can_log_probe`: what kind of log a file is, from its beginning. */
export function logProbeTool(access: LogAccess, shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_log_probe',
    title: 'What kind of CAN log a file is',
    description:
      'Reads the beginning of a log (candump, PCAN TRC, Vector ASC or BLF, GVRET CSV, BUSMASTER, ASAM MDF4, plain or gzip) and says its format, times, buses and identifiers, what is damaged, and which of given DBC files fits. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args, context) {
      const matches: { dbc: string; match: LogMatch }[] = [];
      for (const dbc of args.dbc) matches.push({ dbc, match: new LogMatch((await shelf.plan([dbc])).plan) });
      const look = new Look();
      const scanned = await scanLog(access, args.file, context, (batch) => {
        look.consume(batch);
        for (const { match } of matches) match.consume(batch);
        return look.frames >= probedFrames;
      });
      const { log } = scanned;
      const firstS = Number.isFinite(look.firstS) ? look.firstS : null;
      return {
        file: args.file,
        size_bytes: scanned.sizeBytes,
        ...readReportOf(scanned),
        has_absolute_time: log.hasAbsoluteTime,
        first_s: firstS,
        last_s: Number.isFinite(look.lastS) ? look.lastS : null,
        started_at: log.hasAbsoluteTime && firstS !== null ? utc(firstS) : null,
        buses: [...look.buses].slice(0, busesMaxCount).map(([bus, frames]) => ({ bus, frames })),
        ids_count: look.ids.size,
        has_extended_ids: look.hasExtended,
        has_fd: look.hasFd,
        error_frames: look.errorFrames,
        diagnostics: log.firstDiagnostics
          .slice(0, diagnosticsMaxCount)
          .map(({ line, code, message }) => ({ line, code, message: shownText(message, 200) })),
        dbc_fit: matches
          .map(({ dbc, match }) => {
            const { score, knownRatio, lengthRatio, plausibleRatio } = match.result();
            return {
              dbc,
              score,
              known_ratio: knownRatio,
              length_ratio: lengthRatio,
              plausible_ratio: plausibleRatio,
            };
          })
          .sort((a, b) => b.score - a.score),
      };
    },
  });
}

/** null where the number is no date that calendars have. */
function utc(tS: number): string | null {
  const date = new Date(tS * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

class Look {
  frames = 0;
  errorFrames = 0;
  hasExtended = false;
  hasFd = false;
  firstS = Number.NaN;
  lastS = Number.NaN;
  readonly ids = new Set<number>();
  readonly buses = new Map<string, number>();

  consume(batch: FrameBatch): void {
    for (let i = 0; i < batch.count; i++) {
      this.frames++;
      const flags = batch.flags[i]!;
      if (Number.isNaN(this.firstS)) this.firstS = batch.tS[i]!;
      this.lastS = batch.tS[i]!;
      const bus = busOf(batch, i);
      this.buses.set(bus, (this.buses.get(bus) ?? 0) + 1);
      if ((flags & FRAME_ERROR) !== 0) {
        this.errorFrames++;
        continue;
      }
      const ext = isExtended(batch, i);
      this.hasExtended ||= ext;
      this.hasFd ||= (flags & FRAME_FD) !== 0;
      if (this.ids.size < idsMaxCount) this.ids.add(messageKey(0, batch.id[i]!, ext));
    }
  }
}
