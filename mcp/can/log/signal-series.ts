import { z } from 'zod';
import { FRAME_ERROR, FRAME_REMOTE } from '../../../daemon/core/can/frame-batch.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { type DecodePlan, findSignal } from '../../../daemon/vehicles/dbc/decode-plan.js';
import { FrameDecoder } from '../../../daemon/vehicles/dbc/frame-decoder.js';
import { nearestName } from '../../../daemon/vehicles/profile/nearest-name.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import { dbcArg } from '../dbc/decode-frame.js';
import { fileArg, namesLookedAt } from '../dbc/message-words.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { LogWindow, readReport, readReportOf, toMicro, windowArgs } from './log-words.js';
import { MinMaxSeries } from './min-max-series.js';
import { type LogAccess, scanLog } from './scan-log.js';

/** Points of all signals of an answer. */
const pointsInAllMaxCount = 800;

const input = z.strictObject({
  file: fileArg,
  dbc: dbcArg,
  signals: z
    .array(z.string().min(3).max(300))
    .min(1)
    .max(8)
    .describe('MESSAGE.SIGNAL, as can_find_signals names them'),
  ...windowArgs,
  points: z.number().int().min(2).max(400).default(100).describe('at most so many a signal'),
});

const point = z.strictObject({
  t_s: z.number().describe('first sample, seconds after the first frame of the log'),
  samples: z.number().int(),
  min: z.number(),
  min_t_s: z.number(),
  max: z.number(),
  max_t_s: z.number(),
  mean: z.number(),
});

const series = z.strictObject({
  signal: z.string(),
  unit: z.string(),
  samples: z.number().int(),
  non_finite: z.number().int(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  points: z.array(point),
});

const answer = z.strictObject({ file: z.string(), ...readReport, series: z.array(series) });

/** `can_signal_series`: signals over time in few points that keep every extreme. */
export function signalSeriesTool(access: LogAccess, shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_signal_series',
    title: 'Signals of a CAN log over time',
    description:
      'Gives signals of a log over time in a bounded number of points. Each point stands for consecutive samples and keeps their least and greatest value with its time, so that no extreme is lost. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args, context) {
      const { plan } = await shelf.plan(args.dbc);
      const points = Math.min(args.points, Math.floor(pointsInAllMaxCount / args.signals.length));
      const wanted = args.signals.map((name, index) => ({
        ...locate(plan, name, index),
        series: new MinMaxSeries(points),
      }));
      const decoder = new FrameDecoder(plan);
      const window = new LogWindow(args);
      const scanned = await scanLog(access, args.file, context, (batch) => {
        for (let i = 0; i < batch.count; i++) {
          const tS = batch.tS[i]!;
          if (window.isPast(tS)) return true;
          if (!window.has(tS) || (batch.flags[i]! & (FRAME_ERROR | FRAME_REMOTE)) !== 0) continue;
          if (!decoder.decode(batch, i)) continue;
          for (const { message, offset, series: each } of wanted) {
            if (decoder.message !== message || decoder.present[offset] !== 1) continue;
            each.add(toMicro(tS - window.firstS!), decoder.values[offset]!);
          }
        }
        return false;
      });
      return {
        file: args.file,
        ...readReportOf(scanned),
        series: wanted.map(({ key, unit, series: each }) => ({ signal: key, unit, ...pointsOf(each) })),
      };
    },
  });
}

function pointsOf(series: MinMaxSeries) {
  const buckets = series.buckets();
  return {
    samples: series.samples,
    non_finite: series.nonFinite,
    min: buckets.length === 0 ? null : Math.min(...buckets.map(({ min }) => min)),
    max: buckets.length === 0 ? null : Math.max(...buckets.map(({ max }) => max)),
    points: buckets.map((bucket) => ({
      t_s: bucket.fromS,
      samples: bucket.count,
      min: bucket.min,
      min_t_s: bucket.minAtS,
      max: bucket.max,
      max_t_s: bucket.maxAtS,
      // The sum of very large values is beyond a float64; their mean lies between the extremes all the same.
      mean: Math.min(bucket.max, Math.max(bucket.min, bucket.sum / bucket.count)),
    })),
  };
}

/** @throws DriveMcpError TOOL_ARGS_INVALID, naming the nearest */
function locate(plan: DecodePlan, name: string, index: number) {
  for (const [message, messageName] of plan.messageName.entries()) {
    if (!name.startsWith(`${messageName}.`)) continue;
    const signal = findSignal(plan, message, name.slice(messageName.length + 1));
    if (signal < 0) continue;
    const offset = signal - plan.messageFirstSignal[message]!;
    return { message, offset, key: shownText(name), unit: shownText(plan.signalUnit[signal]!, 40) };
  }
  const known: string[] = [];
  for (let m = 0; m < plan.messageCount && known.length < namesLookedAt; m++) {
    for (let s = plan.messageFirstSignal[m]!; s < plan.messageFirstSignal[m + 1]!; s++) {
      known.push(`${plan.messageName[m]}.${plan.signalName[s]}`);
    }
  }
  throw new DriveMcpError(
    'TOOL_ARGS_INVALID',
    `no signal '${shownText(name, 100)}'${shownText(nearestName(name, known), 200)}`,
    {
      location: { key: `signals.${index}` },
      hint: 'MESSAGE.SIGNAL; can_find_signals searches by words',
    },
  );
}
