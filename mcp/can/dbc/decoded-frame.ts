import { z } from 'zod';
import { exactPhysical } from '../../../daemon/vehicles/dbc/decode-message.js';
import { FRAME_LONG, FRAME_MUX_UNKNOWN, FRAME_SHORT } from '../../../daemon/vehicles/dbc/decode-plan.js';
import type { FrameDecoder } from '../../../daemon/vehicles/dbc/frame-decoder.js';
import { readExact } from '../../../daemon/vehicles/dbc/read-raw.js';
import { signalsInFileOrder } from '../../../daemon/vehicles/dbc/signal-statistics.js';

/** A number, or a text where a float64 or JSON cannot hold it: integers beyond 2^53, NaN, infinities. */
export const signalValue = z.union([z.number(), z.string()]);

export const frameFindings = z.array(z.enum(['short', 'long', 'mux_unknown']));

export function findingsOf(decoder: FrameDecoder): z.output<typeof frameFindings> {
  const { findings } = decoder;
  return [
    ...((findings & FRAME_SHORT) !== 0 ? (['short'] as const) : []),
    ...((findings & FRAME_LONG) !== 0 ? (['long'] as const) : []),
    ...((findings & FRAME_MUX_UNKNOWN) !== 0 ? (['mux_unknown'] as const) : []),
  ];
}

export interface DecodedSignal {
  /** plan index */
  readonly signal: number;
  readonly value: number | string;
}

/** The present signals of the frame that was just decoded, in the order of the file. */
export function presentSignals(decoder: FrameDecoder, data: Uint8Array, start: number): DecodedSignal[] {
  const { plan, message, present, values } = decoder;
  const first = plan.messageFirstSignal[message]!;
  const found: DecodedSignal[] = [];
  for (const signal of signalsInFileOrder(plan, message)) {
    if (present[signal - first] !== 1) continue;
    const value = values[signal - first]!;
    const exact = exactPhysical(plan, signal, value, data, start) ?? value;
    found.push({
      signal,
      value: typeof exact === 'number' && Number.isFinite(exact) ? exact : String(exact),
    });
  }
  return found;
}

/** The raw bits of a present integer signal, exactly. */
export function rawText(decoder: FrameDecoder, signal: number, data: Uint8Array, start: number): string {
  return String(readExact(decoder.plan, signal, data, start));
}
