import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { DbcMessage, DbcSignal } from '../../../daemon/vehicles/dbc/database.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { bitGrid } from './bit-grid.js';
import { fileArg, findMessage, headOf, messageHead, signalForm, signalOf } from './message-words.js';

const signalsMaxCount = 120;
const labelsMaxCount = 64;

const input = z.strictObject({
  file: fileArg,
  message: z.string().min(1).max(200).describe('name, or identifier such as 416 or 0x1A0'),
  mux_value: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('only the signals that are sent with this selector value'),
});

const answer = z.strictObject({
  ...messageHead,
  length_bytes: z.number().int(),
  cycle_ms: z.number().nullable(),
  comment: z.string().nullable(),
  grid: z.string().describe('bits of the payload, a row a byte, bit 7 on the left, with a legend'),
  unused_bits: z.number().int(),
  shared_bits: z.number().int().describe('bits of signals that can be in one payload: a fault of the file'),
  signals_count: z.number().int(),
  signals: z.array(signalForm),
  labels: z
    .array(z.strictObject({ signal: z.string(), raw: z.number(), text: z.string() }))
    .describe('value texts, the first of them'),
  labels_count: z.number().int(),
});

/** `can_message_layout`: where the signals of a message lie. */
export function messageLayoutTool(shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_message_layout',
    title: 'Bits of a CAN message',
    description:
      'Shows where the signals of one message of a DBC file lie, as a grid of bits to read and as numbers, with scaling, units, multiplexing and value texts. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args) {
      const { database } = await shelf.read(args.file);
      const message = findMessage(database, args.message);
      const signals = signalsSent(message, args.mux_value);
      const grid = bitGrid(message, signals);
      const labels = signals.flatMap((signal) =>
        [...(signal.labels ?? [])].map(([raw, text]) => ({
          signal: shownText(signal.name),
          raw,
          text: shownText(text, 60),
        })),
      );
      return {
        ...headOf(message),
        length_bytes: message.length,
        cycle_ms: message.cycleMs,
        comment: message.comment === null ? null : shownText(message.comment, 400),
        grid: grid.text,
        unused_bits: grid.unusedBits,
        shared_bits: grid.sharedBits,
        signals_count: signals.length,
        signals: signals.slice(0, signalsMaxCount).map(signalOf),
        labels: labels.slice(0, labelsMaxCount),
        labels_count: labels.length,
      };
    },
  });
}

function signalsSent(message: DbcMessage, muxValue: number | undefined): readonly DbcSignal[] {
  if (muxValue === undefined) return message.signals;
  const isIn = ({ mux }: DbcSignal): boolean =>
    mux === null || mux.ranges.some(({ from, to }) => muxValue >= from && muxValue <= to);
  if (message.signals.every(({ mux }) => mux === null)) {
    throw new DriveMcpError('TOOL_ARGS_INVALID', 'this message is not multiplexed', {
      location: { key: 'mux_value' },
    });
  }
  return message.signals.filter(isIn);
}
