/** Frames as a log has them, and what a listener makes of them. */
import { FRAME_EXT, FRAME_FD, FRAME_STRIDE, FrameBatch } from '../../daemon/core/can/frame-batch.js';
import { type IdPair, parsePair } from '../../daemon/vehicles/diagnostics/diagnostic-id.js';
import { DiagnosticListener } from '../../daemon/vehicles/diagnostics/diagnostic-listener.js';
import type { DiagnosticMessage } from '../../daemon/vehicles/diagnostics/diagnostic-message.js';

/** `id` in hexadecimal, 8 digits for 29 bits; `data` in hexadecimal or as bytes. */
export type TimedFrame = readonly [tS: number, id: string, data: string | Uint8Array, bus?: number];

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

export function batchOf(frames: readonly TimedFrame[]): FrameBatch {
  const batch = new FrameBatch(Math.max(1, frames.length), ['can0', 'can1', 'can2']);
  for (const [i, [tS, id, data, bus = 0]] of frames.entries()) {
    const bytes = typeof data === 'string' ? bytesOf(data) : data;
    batch.tS[i] = tS;
    batch.id[i] = Number.parseInt(id, 16);
    batch.flags[i] = (id.length > 3 ? FRAME_EXT : 0) | (bytes.length > 8 ? FRAME_FD : 0);
    batch.length[i] = bytes.length;
    batch.bus[i] = bus;
    batch.data.set(bytes, i * FRAME_STRIDE);
  }
  batch.count = frames.length;
  return batch;
}

/** All messages of the frames, with what the end of the log brings. */
export function hear(frames: readonly TimedFrame[], pairs: readonly string[] = []): DiagnosticMessage[] {
  const messages: DiagnosticMessage[] = [];
  const listener = new DiagnosticListener(pairs.map(parsePair) satisfies IdPair[], (message) =>
    messages.push(message),
  );
  listener.consume(batchOf(frames));
  listener.finish();
  return messages;
}

/** A payload as ISO-TP frames (ISO 15765-2), 8 bytes each; written from the standard, apart from the product. */
export function segmented(id: string, payload: Uint8Array, tS: number, stepS = 0.01): TimedFrame[] {
  const padded = (bytes: number[]): Uint8Array =>
    Uint8Array.from([...bytes, ...new Array<number>(Math.max(0, 8 - bytes.length)).fill(0xcc)]);
  if (payload.length < 8) return [[tS, id, padded([payload.length, ...payload])]];
  const frames: TimedFrame[] = [
    [tS, id, padded([0x10 | (payload.length >> 8), payload.length & 255, ...payload.subarray(0, 6)])],
  ];
  for (let at = 6, n = 1; at < payload.length; at += 7, n++) {
    frames.push([tS + n * stepS, id, padded([0x20 | (n & 15), ...payload.subarray(at, at + 7)])]);
  }
  return frames;
}
