/** Messages and signals of a DBC as answers show them, and how callers name a message. */
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { DbcDatabase, DbcMessage, DbcSignal } from '../../../daemon/vehicles/dbc/database.js';
import { nearestName } from '../../../daemon/vehicles/profile/nearest-name.js';
import { shownText } from '../../shared/shown-text.js';

export const fileArg = z.string().min(1).max(1024).describe('a path inside a configured folder');

export const messageHead = {
  message: z.string(),
  id: z.number().int().min(0).describe('without flag bits'),
  id_hex: z.string(),
  ext: z.boolean().describe('29-bit identifier'),
};

export const signalForm = z.strictObject({
  name: z.string(),
  start_bit: z.number().int().describe('as in SG_'),
  length_bits: z.number().int(),
  byte_order: z.enum(['intel', 'motorola']),
  is_signed: z.boolean(),
  float_bits: z.number().int().describe('0 for integers'),
  factor: z.number().nullable(),
  offset: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  unit: z.string(),
  comment: z.string().nullable(),
  multiplexed: z.string().nullable().describe('selector and its values; null = always in the payload'),
  is_selector: z.boolean(),
  labels_count: z.number().int(),
  flaw: z.string().nullable().describe('why it is never decoded'),
});

export function headOf(message: Pick<DbcMessage, 'id' | 'ext' | 'name'>) {
  return {
    message: shownText(message.name),
    id: message.id,
    id_hex: hexId(message.id, message.ext),
    ext: message.ext,
  };
}

/** As logs write it: 3 digits for an 11-bit identifier, 8 for one of 29 bits. */
export function hexId(id: number, isExt: boolean): string {
  return `0x${id
    .toString(16)
    .toUpperCase()
    .padStart(isExt ? 8 : 3, '0')}`;
}

export function signalOf(signal: DbcSignal): z.output<typeof signalForm> {
  return {
    name: shownText(signal.name),
    start_bit: signal.startBit,
    length_bits: signal.bitLength,
    byte_order: signal.byteOrder,
    is_signed: signal.isSigned,
    float_bits: signal.floatBits,
    factor: finite(signal.scale),
    offset: finite(signal.offset),
    min: finite(signal.min),
    max: finite(signal.max),
    unit: shownText(signal.unit, 40),
    comment: signal.comment === null ? null : shownText(signal.comment),
    multiplexed: muxWords(signal),
    is_selector: signal.isSelector,
    labels_count: signal.labels?.size ?? 0,
    flaw: signal.flaw,
  };
}

const rangesMaxCount = 8;

function muxWords({ mux }: DbcSignal): string | null {
  if (mux === null) return null;
  const ranges = mux.ranges
    .slice(0, rangesMaxCount)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  const more = mux.ranges.length > rangesMaxCount ? ', …' : '';
  return `${shownText(mux.selector ?? '(no selector)', 60)} = ${ranges.join(', ')}${more}`;
}

/** JSON has no NaN and no infinity. */
export function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}

/** Names compared with a mistyped one; a distance to each of very many costs seconds. */
export const namesLookedAt = 5000;

/**
 * A message by name, or by identifier in decimal or with 0x.
 * @throws DriveMcpError TOOL_ARGS_INVALID, naming the nearest
 */
export function findMessage(database: DbcDatabase, wanted: string): DbcMessage {
  const { messages } = database;
  const named = messages.find(({ name }) => name === wanted);
  if (named !== undefined) return named;
  const id = parseId(wanted);
  const byId = id === null ? undefined : messages.find((message) => message.id === id);
  if (byId !== undefined) return byId;
  const names = messages.slice(0, namesLookedAt).map(({ name }) => name);
  const near = nearestName(wanted, names);
  throw new DriveMcpError(
    'TOOL_ARGS_INVALID',
    `no message '${shownText(wanted, 60)}'${shownText(near, 100)}`,
    {
      location: { key: 'message' },
      hint: 'a name or an identifier (416, 0x1A0); can_find_signals searches by words',
    },
  );
}

/** `416` or `0x1A0`; null where it is neither. */
export function parseId(text: string): number | null {
  if (!/^(0x[0-9a-f]{1,8}|\d{1,10})$/i.test(text)) return null;
  const id = Number(text);
  return id <= 0x1fffffff ? id : null;
}
