import { z } from 'zod';
import { FRAME_EXT, FRAME_FD, FrameBatch } from '../../../daemon/core/can/frame-batch.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { SIGNAL_FLOAT } from '../../../daemon/vehicles/dbc/decode-plan.js';
import { FrameDecoder } from '../../../daemon/vehicles/dbc/frame-decoder.js';
import { readRaw } from '../../../daemon/vehicles/dbc/read-raw.js';
import { type ExpertTool, expertTool } from '../../shared/expert-tool.js';
import { shownText } from '../../shared/shown-text.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import { findingsOf, frameFindings, presentSignals, rawText, signalValue } from './decoded-frame.js';
import { fileArg, hexId, parseId } from './message-words.js';

export const dbcArg = z
  .array(fileArg)
  .min(1)
  .max(8)
  .describe('DBC files; of messages with the same identifier the last file counts');

const input = z.strictObject({
  dbc: dbcArg,
  id: z.string().min(1).max(12).describe('identifier, 416 or 0x1A0'),
  ext: z.boolean().optional().describe('29-bit identifier; without it: where id is above 0x7FF'),
  data: z
    .string()
    .max(200)
    .regex(/^[0-9A-Fa-f\s]*$/, 'bytes in hexadecimal')
    .describe('payload in hexadecimal, spaces allowed, up to 64 bytes'),
});

const answer = z.strictObject({
  id: z.number().int(),
  id_hex: z.string(),
  ext: z.boolean(),
  message: z.string().nullable().describe('null = no file defines this identifier'),
  signals: z.array(
    z.strictObject({
      name: z.string(),
      value: signalValue,
      unit: z.string(),
      raw: z.string().describe('bits as an integer; of a float its value'),
      label: z.string().nullable(),
    }),
  ),
  findings: frameFindings,
});

/** `can_decode_frame`: one frame with DBC files. */
export function decodeFrameTool(shelf: DbcShelf): ExpertTool {
  return expertTool({
    name: 'can_decode_frame',
    title: 'Decode one CAN frame',
    description:
      'Decodes one frame, given by identifier and bytes, with DBC files: values in the units of the file, raw values and value texts. Multiplexed signals that are not sent and signals beyond the bytes are left out. Research software beside certified functions, never in their place.',
    input,
    output: answer,
    async run(args) {
      const { plan } = await shelf.plan(args.dbc);
      const id = parseId(args.id);
      const ext = args.ext ?? (id !== null && id > 0x7ff);
      if (id === null || (!ext && id > 0x7ff)) {
        throw new DriveMcpError('TOOL_ARGS_INVALID', `'${args.id}' is no identifier of that width`, {
          location: { key: 'id' },
          hint: 'up to 0x7FF, or up to 0x1FFFFFFF with ext',
        });
      }
      const batch = oneFrame(id, ext, bytesOf(args.data));
      const decoder = new FrameDecoder(plan);
      const isKnown = decoder.decode(batch, 0);
      const present = isKnown ? presentSignals(decoder, batch.data, 0) : [];
      return {
        id,
        id_hex: hexId(id, ext),
        ext,
        message: isKnown ? shownText(plan.messageName[decoder.message]!) : null,
        signals: present.map(({ signal, value }) => {
          const isFloat = (plan.signalFlags[signal]! & SIGNAL_FLOAT) !== 0;
          const raw = readRaw(plan, signal, batch.data, 0);
          const label = plan.signalLabels[signal]?.get(raw);
          return {
            name: shownText(plan.signalName[signal]!),
            value,
            unit: shownText(plan.signalUnit[signal]!, 40),
            raw: isFloat ? String(raw) : rawText(decoder, signal, batch.data, 0),
            label: label === undefined ? null : shownText(label, 60),
          };
        }),
        findings: isKnown ? findingsOf(decoder) : [],
      };
    },
  });
}

function bytesOf(hex: string): Uint8Array {
  const digits = hex.replace(/\s+/g, '');
  if (digits.length % 2 !== 0 || digits.length > 128) {
    throw new DriveMcpError('TOOL_ARGS_INVALID', 'data needs two hexadecimal digits a byte, up to 64 bytes', {
      location: { key: 'data' },
    });
  }
  return Buffer.from(digits, 'hex');
}

function oneFrame(id: number, ext: boolean, bytes: Uint8Array): FrameBatch {
  const batch = new FrameBatch(1);
  batch.count = 1;
  batch.id[0] = id;
  batch.flags[0] = (ext ? FRAME_EXT : 0) | (bytes.length > 8 ? FRAME_FD : 0);
  batch.length[0] = bytes.length;
  batch.data.set(bytes);
  return batch;
}
