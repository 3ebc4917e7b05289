import { z } from 'zod';
import { FRAME_ERROR, FRAME_FD, FRAME_REMOTE, FRAME_STRIDE } from '../../../daemon/core/can/frame-batch.js';
import { FrameDecoder } from '../../../daemon/vehicles/dbc/frame-decoder.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import { dbcArg } from '../dbc/decode-frame.js';
import { findingsOf, frameFindings, presentSignals, signalValue } from '../dbc/decoded-frame.js';
import { fileArg, hexId } from '../dbc/message-words.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { nextCursor, Page, pageArgs, pageSubject } from '../files/page.js';
import {
  busOf,
  isExtended,
  LogWindow,
  namedMessages,
  payloadHex,
  readReport,
  readReportOf,
  windowArgs,
} from './log-words.js';
import { type LogAccess, scanLog } from './scan-log.js';

const input = z.strictObject({
  file: fileArg,
  dbc: dbcArg,
  messages: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(50)
    .optional()
    .describe('only these, by name or identifier'),
  ...windowArgs,
  with_unknown: z.boolean().default(false).describe('also frames whose identifier no file defines'),
  ...pageArgs,
});

const frame = z.strictObject({
  t_s: z.number().nullable().describe('as the log has it'),
  bus: z.string(),
  id: z.number().int(),
  id_hex: z.string(),
  ext: z.boolean(),
  fd: z.boolean(),
  message: z.string().nullable(),
  signals: z.record(z.string(), signalValue),
  data: z.string().describe('payload in hexadecimal'),
  findings: frameFindings,
});

const answer = z.strictObject({
  file: z.string(),
  ...readReport,
  frames: z.array(frame).describe('in the order of the log'),
  next_cursor: nextCursor,
});

/** `can_log_decode`: frames of a log with their signals, in pages. */
export function logDecodeTool(access: LogAccess, shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_log_decode',
    title: 'Decode frames of a CAN log',
    description:
      'Decodes the frames of a log with DBC files, in pages: all of them, or those of some messages and of a part of the log. Values are in the units of the DBC. To see a signal over time, can_signal_series is shorter. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args, context) {
      const { plan, files } = await shelf.plan(args.dbc);
      const only = namedMessages(plan, args.messages);
      const decoder = new FrameDecoder(plan);
      const window = new LogWindow(args);
      let page: Page<z.output<typeof frame>> | undefined;
      const begin = (identity: string): void => {
        const identities = [identity, ...files.map((each) => each.identity)];
        page = new Page(pageSubject('can_log_decode', args, identities), args);
      };
      const scanned = await scanLog(
        access,
        args.file,
        context,
        (batch) => {
          for (let i = 0; i < batch.count && !page!.isFull; i++) {
            const tS = batch.tS[i]!;
            if (window.isPast(tS)) return true;
            if (!window.has(tS) || (batch.flags[i]! & (FRAME_ERROR | FRAME_REMOTE)) !== 0) continue;
            const ext = isExtended(batch, i);
            const message = plan.find(batch.id[i]!, ext);
            const isWanted = message < 0 ? args.with_unknown && only === null : (only?.has(message) ?? true);
            if (!isWanted) continue;
            page!.offer(() => {
              const isKnown = decoder.decode(batch, i);
              const start = i * FRAME_STRIDE;
              const present = isKnown ? presentSignals(decoder, batch.data, start) : [];
              return {
                t_s: Number.isFinite(tS) ? tS : null,
                bus: busOf(batch, i),
                id: batch.id[i]!,
                id_hex: hexId(batch.id[i]!, ext),
                ext,
                fd: (batch.flags[i]! & FRAME_FD) !== 0,
                message: isKnown ? shownText(plan.messageName[message]!) : null,
                signals: Object.fromEntries(
                  present.map(({ signal, value }) => [shownText(plan.signalName[signal]!), value]),
                ),
                data: payloadHex(batch, i),
                findings: isKnown ? findingsOf(decoder) : [],
              };
            });
          }
          return page!.isFull;
        },
        begin,
      );
      return {
        file: args.file,
        ...readReportOf(scanned),
        frames: page!.items,
        next_cursor: page!.nextCursor,
      };
    },
  });
}
