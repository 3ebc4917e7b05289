/**
 * Records of a recording and their bytes:
 * length u32 (of the payload) · type u8 · payload · CRC-32C of type and payload u32.
 * The checksum of each record lets a reader use the whole records of a chunk that was cut.
 */
import type { JsonObject, TickInputs } from '../core/tick.js';
import type { FactInput } from '../core/world/facts.js';
import { crc32c } from './crc32c.js';
import { exactParse, exactStringify } from './exact-json.js';
import { type UnpackedFrames, unpackFrames } from './packed-frames.js';

export const recordTypes = {
  inputs: 1,
  decision: 2,
  frames: 3,
  facts: 4,
  note: 5,
  gap: 6,
  end: 7,
} as const;
export type RecordType = keyof typeof recordTypes;

export type Recorded =
  | { readonly type: 'inputs'; readonly inputs: TickInputs }
  /** decision hash after this tick, lower-case hex */
  | { readonly type: 'decision'; readonly tick: number; readonly hash: string }
  | { readonly type: 'frames'; readonly frames: UnpackedFrames }
  | { readonly type: 'facts'; readonly tUs: number; readonly facts: readonly FactInput[] }
  | { readonly type: 'note'; readonly note: JsonObject }
  /** the recorder could not keep up or the disk was full: this many records are missing here */
  | { readonly type: 'gap'; readonly dropped: number; readonly firstTick: number; readonly lastTick: number }
  | { readonly type: 'end'; readonly summary: JsonObject };

/** Bytes around a payload. */
export const recordOverheadBytes = 9;

export function encodeRecord(type: RecordType, payload: Uint8Array | string): Buffer {
  const length = typeof payload === 'string' ? Buffer.byteLength(payload, 'utf8') : payload.length;
  const bytes = Buffer.allocUnsafe(length + recordOverheadBytes);
  bytes.writeUInt32LE(length, 0);
  bytes[4] = recordTypes[type];
  if (typeof payload === 'string') bytes.write(payload, 5, 'utf8');
  else bytes.set(payload, 5);
  bytes.writeUInt32LE(crc32c(bytes.subarray(4, 5 + length)), 5 + length);
  return bytes;
}

export function encodeJsonRecord(type: RecordType, value: unknown): Buffer {
  return encodeRecord(type, exactStringify(value));
}

export function encodeDecision(tick: number, hash: Uint8Array): Buffer {
  const payload = Buffer.alloc(36);
  payload.writeUInt32LE(tick, 0);
  payload.set(hash.subarray(0, 32), 4);
  return encodeRecord('decision', payload);
}

export type RecordScan =
  | { readonly kind: 'record'; readonly record: Recorded; readonly next: number }
  /** a type this version does not know, from a later writer of the same format */
  | { readonly kind: 'unknown'; readonly next: number }
  | { readonly kind: 'damaged'; readonly reason: string };

/** The record at `offset` of an inflated chunk. */
export function scanRecord(chunk: Buffer, offset: number): RecordScan {
  if (offset + recordOverheadBytes > chunk.length) return { kind: 'damaged', reason: 'record cut' };
  const length = chunk.readUInt32LE(offset);
  const next = offset + recordOverheadBytes + length;
  if (next > chunk.length) return { kind: 'damaged', reason: 'record cut' };
  if (chunk.readUInt32LE(next - 4) !== crc32c(chunk.subarray(offset + 4, next - 4))) {
    return { kind: 'damaged', reason: 'record checksum differs' };
  }
  try {
    const record = decodePayload(chunk[offset + 4]!, chunk.subarray(offset + 5, next - 4));
    return record === null ? { kind: 'unknown', next } : { kind: 'record', record, next };
  } catch (error) {
    return { kind: 'damaged', reason: (error as Error).message };
  }
}

function decodePayload(type: number, payload: Buffer): Recorded | null {
  switch (type) {
    case recordTypes.inputs:
      return { type: 'inputs', inputs: withShape<TickInputs>(payload, inputsShape) };
    case recordTypes.decision:
      if (payload.length !== 36) throw new RangeError('decision record of wrong length');
      return { type: 'decision', tick: payload.readUInt32LE(0), hash: payload.toString('hex', 4) };
    case recordTypes.frames:
      return { type: 'frames', frames: unpackFrames(payload) };
    case recordTypes.facts:
      return { type: 'facts', ...withShape<{ tUs: number; facts: FactInput[] }>(payload, factsShape) };
    case recordTypes.note:
      return { type: 'note', note: withShape<JsonObject>(payload, {}) };
    case recordTypes.gap:
      return {
        type: 'gap',
        ...withShape<{ dropped: number; firstTick: number; lastTick: number }>(payload, gapShape),
      };
    case recordTypes.end:
      return { type: 'end', summary: withShape<JsonObject>(payload, {}) };
    default:
      return null;
  }
}

type Shape = Readonly<Record<string, 'number' | 'array'>>;
const inputsShape: Shape = {
  tick: 'number',
  tUs: 'number',
  signals: 'array',
  facts: 'array',
  answers: 'array',
  sources: 'array',
  commands: 'array',
};
const factsShape: Shape = { tUs: 'number', facts: 'array' };
const gapShape: Shape = { dropped: 'number', firstTick: 'number', lastTick: 'number' };

/** The outer shape of a record; what is inside is for whoever uses it to judge. */
function withShape<T>(payload: Buffer, shape: Shape): T {
  const value = exactParse(payload.toString('utf8'));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('record that is no object');
  }
  for (const [key, kind] of Object.entries(shape)) {
    const member = (value as Record<string, unknown>)[key];
    if (kind === 'array' ? !Array.isArray(member) : typeof member !== 'number') {
      throw new TypeError(`record without ${key}`);
    }
  }
  return value as T;
}
