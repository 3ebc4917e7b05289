/**
 * The simulated car's telematics unit asks the others for their codes every five seconds, as those of connected cars do, so
 * that whoever listens hears them: UDS service 19 02 (ISO 14229-1) over ISO-TP (ISO 15765-2).
 */
import type { CarState } from './car-signals.js';
import { type ControlUnit, controlUnits } from './fault-memory.js';

export const readingPeriodUs = 5_000_000;
/** the next frame of one exchange; units answer within P2, which is 50 ms */
const frameGapUs = 10_000;
const padding = 0xaa;
/** test failed, confirmed (ISO 14229-1 annex D) */
const statusByte = 0x09;

export interface TimedFrame {
  readonly tUs: number;
  readonly id: number;
  readonly data: Uint8Array;
}

/** The frames of one reading of all units that begins at `startUs`, in order. */
export function faultReading(car: Pick<CarState, 'faults' | 'model'>, startUs: number): TimedFrame[] {
  const frames: TimedFrame[] = [];
  for (const unit of controlUnits)
    for (const { id, data } of exchange(unit, unit.codes(car)))
      frames.push({ tUs: startUs + frames.length * frameGapUs, id, data });
  return frames;
}

function exchange(
  { requestId, answerId }: ControlUnit,
  codes: readonly number[],
): { readonly id: number; readonly data: Uint8Array }[] {
  const request = { id: requestId, data: padded([3, 0x19, 0x02, 0xff]) };
  const payload = [0x59, 0x02, 0xff, ...codes.flatMap((code) => [code >> 8, code & 255, 0, statusByte])];
  if (payload.length <= 7) return [request, { id: answerId, data: padded([payload.length, ...payload]) }];
  const frames = [
    request,
    {
      id: answerId,
      data: padded([0x10 | (payload.length >> 8), payload.length & 255, ...payload.slice(0, 6)]),
    },
    // Flow control: go on, no block, no separation time.
    { id: requestId, data: padded([0x30, 0, 0]) },
  ];
  for (let at = 6, sequence = 1; at < payload.length; at += 7, sequence++)
    frames.push({ id: answerId, data: padded([0x20 | (sequence & 15), ...payload.slice(at, at + 7)]) });
  return frames;
}

function padded(bytes: readonly number[]): Uint8Array {
  const data = new Uint8Array(8).fill(padding);
  data.set(bytes);
  return data;
}
