import { z } from 'zod';
import { FRAME_EXT, FRAME_STRIDE, type FrameBatch } from '../../../daemon/core/can/frame-batch.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { DecodePlan } from '../../../daemon/vehicles/dbc/decode-plan.js';
import { nearestName } from '../../../daemon/vehicles/profile/nearest-name.js';
import { shownText } from '../../shared/shown-text.js';
import { namesLookedAt, parseId } from '../dbc/message-words.js';
import { type ScannedLog, scanEnds } from './scan-log.js';

/** What every answer about a log says of how much of it was read. */
export const readReport = {
  format: z.string(),
  frames_read: z.number().int(),
  damaged_parts: z.number().int().describe('lines or objects whose content was lost'),
  ended_by: z.enum(scanEnds).describe('end = the whole log was read'),
};

export function readReportOf({ log, end }: ScannedLog) {
  return { format: log.format, frames_read: log.frames, damaged_parts: log.damaged, ended_by: end };
}

/** Part of a log, in its own time. */
export const windowArgs = {
  from_s: z.number().min(0).optional().describe('seconds after the first frame'),
  to_s: z.number().min(0).optional().describe('seconds after the first frame'),
};

/** Frames of two channels come slightly out of order; nothing of a window comes later than this after its end. */
const reorderMaxS = 5;

/** Which frames of a log lie in a window. */
export class LogWindow {
  /** time of the first frame as the log has it; null before it */
  firstS: number | null = null;
  readonly #fromS: number;
  readonly #toS: number;

  /** @throws DriveMcpError TOOL_ARGS_INVALID where it ends before it begins */
  constructor(args: { readonly from_s?: number | undefined; readonly to_s?: number | undefined }) {
    this.#fromS = args.from_s ?? Number.NEGATIVE_INFINITY;
    this.#toS = args.to_s ?? Number.POSITIVE_INFINITY;
    if (this.#toS < this.#fromS) {
      throw new DriveMcpError('TOOL_ARGS_INVALID', 'to_s is before from_s', { location: { key: 'to_s' } });
    }
  }

  has(tS: number): boolean {
    this.firstS ??= tS;
    const afterS = toMicro(tS - this.firstS);
    return afterS >= this.#fromS && afterS <= this.#toS;
  }

  /** True where no further frame can lie in it. */
  isPast(tS: number): boolean {
    return this.firstS !== null && tS - this.firstS > this.#toS + reorderMaxS;
  }
}

/** Logs have microseconds; more digits are noise of the subtraction. */
export function toMicro(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

export function busOf(batch: FrameBatch, i: number): string {
  return shownText(batch.busNames[batch.bus[i]!] ?? '', 64);
}

export function isExtended(batch: FrameBatch, i: number): boolean {
  return (batch.flags[i]! & FRAME_EXT) !== 0;
}

export function payloadHex(batch: FrameBatch, i: number): string {
  const start = batch.data.byteOffset + i * FRAME_STRIDE;
  return Buffer.from(batch.data.buffer, start, batch.length[i]!).toString('hex');
}

/**
 * Plan indices of messages that a caller names, by name or identifier; null = all.
 * @throws DriveMcpError TOOL_ARGS_INVALID, naming the nearest
 */
export function namedMessages(
  plan: DecodePlan,
  wanted: readonly string[] | undefined,
): ReadonlySet<number> | null {
  if (wanted === undefined) return null;
  const found = new Set<number>();
  for (const [index, name] of wanted.entries()) {
    const id = parseId(name);
    const byName = plan.messageName.flatMap((known, message) => (known === name ? [message] : []));
    const byId =
      id === null ? [] : [plan.find(id, false), plan.find(id, true)].filter((message) => message >= 0);
    const messages = byName.length > 0 ? byName : byId;
    if (messages.length === 0) {
      const near = nearestName(name, plan.messageName.slice(0, namesLookedAt));
      throw new DriveMcpError(
        'TOOL_ARGS_INVALID',
        `no message '${shownText(name, 60)}'${shownText(near, 100)}`,
        {
          location: { key: `messages.${index}` },
          hint: 'can_dbc_info lists the messages of a file',
        },
      );
    }
    for (const message of messages) found.add(message);
  }
  return found;
}
