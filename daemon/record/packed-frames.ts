/**
 * CAN frames of a recording, by column (equal neighbours make deflate work): a quarter of the size of rows.
 *
 *     u32 frames · u32 bytes of data · u32 bytes of bus names · base time f64 (µs)
 *     · Δtime u32[] (µs) · id u32[] · bus u16[] · flags u8[] · length u8[] · dlc u8[] · data u8[]
 *     · bus names as a JSON array
 *
 * A record stands alone: bus indices count in its own list of names.
 */
import { FRAME_STRIDE, FrameBatch } from '../core/can/frame-batch.js';

const headBytes = 20;
const bytesPerFrame = 4 + 4 + 2 + 1 + 1 + 1;
/** Frames in one record, at most. */
export const maxFramesPerRecord = 4096;
const maxDeltaUs = 0xffff_ffff;

/** How many frames from `from` on fit one record: times must be in order and within 71 minutes. */
export function framesThatFit(tUs: Float64Array, from: number, to: number): number {
  const limit = Math.min(to, from + maxFramesPerRecord);
  const base = Math.round(tUs[from] ?? 0);
  let last = base;
  for (let i = from + 1; i < limit; i++) {
    const t = Math.round(tUs[i]!);
    if (!(t >= last) || t - base > maxDeltaUs) return i - from;
    last = t;
  }
  return limit - from;
}

/** Packs frames `from` … `to` − 1; `tUs[i]` is the drive time of frame i in µs, rounded to whole ones. */
export function packFrames(batch: FrameBatch, tUs: Float64Array, from: number, to: number): Buffer {
  const count = to - from;
  let dataBytes = 0;
  for (let i = from; i < to; i++) dataBytes += batch.length[i]!;
  const names = Buffer.from(JSON.stringify(batch.busNames), 'utf8');
  const out = Buffer.alloc(headBytes + count * bytesPerFrame + dataBytes + names.length);
  const base = count === 0 ? 0 : Math.round(tUs[from]!);
  out.writeUInt32LE(count, 0);
  out.writeUInt32LE(dataBytes, 4);
  out.writeUInt32LE(names.length, 8);
  out.writeDoubleLE(base, 12);
  const at = columns(count);
  let data = at.data;
  for (let n = 0; n < count; n++) {
    const i = from + n;
    const length = batch.length[i]!;
    out.writeUInt32LE(Math.round(tUs[i]!) - base, at.time + 4 * n);
    out.writeUInt32LE(batch.id[i]!, at.id + 4 * n);
    out.writeUInt16LE(batch.bus[i]!, at.bus + 2 * n);
    out[at.flags + n] = batch.flags[i]!;
    out[at.length + n] = length;
    out[at.dlc + n] = batch.dlc[i]!;
    out.set(batch.data.subarray(i * FRAME_STRIDE, i * FRAME_STRIDE + length), data);
    data += length;
  }
  out.set(names, data);
  return out;
}

export interface UnpackedFrames {
  /** `tS` is the drive time in seconds; `line` counts from 1 within this record */
  readonly batch: FrameBatch;
  /** drive time of each frame, µs */
  readonly tUs: Float64Array;
}

/** Throws RangeError where the bytes do not add up. */
export function unpackFrames(bytes: Buffer): UnpackedFrames {
  if (bytes.length < headBytes) throw new RangeError('frames record shorter than its head');
  const count = bytes.readUInt32LE(0);
  const dataBytes = bytes.readUInt32LE(4);
  const nameBytes = bytes.readUInt32LE(8);
  const at = columns(count);
  if (count > maxFramesPerRecord || bytes.length !== at.data + dataBytes + nameBytes) {
    throw new RangeError('frames record with lengths that do not add up');
  }
  const names: unknown = JSON.parse(bytes.toString('utf8', at.data + dataBytes));
  if (!Array.isArray(names)) throw new RangeError('frames record without bus names');
  const batch = new FrameBatch(count, names.map(String));
  const tUs = new Float64Array(count);
  const base = bytes.readDoubleLE(12);
  let data = at.data;
  for (let n = 0; n < count; n++) {
    const length = bytes[at.length + n]!;
    const bus = bytes.readUInt16LE(at.bus + 2 * n);
    if (bus > 0 && bus >= names.length) throw new RangeError(`frame ${n + 1} of a record names no bus`);
    if (length > FRAME_STRIDE || data + length > at.data + dataBytes) {
      throw new RangeError(`frame ${n + 1} of a record is longer than its data`);
    }
    tUs[n] = base + bytes.readUInt32LE(at.time + 4 * n);
    batch.tS[n] = tUs[n]! / 1e6;
    batch.id[n] = bytes.readUInt32LE(at.id + 4 * n);
    batch.bus[n] = bus;
    batch.flags[n] = bytes[at.flags + n]!;
    batch.length[n] = length;
    batch.dlc[n] = bytes[at.dlc + n]!;
    batch.line[n] = n + 1;
    batch.data.set(bytes.subarray(data, data + length), n * FRAME_STRIDE);
    data += length;
  }
  batch.count = count;
  return { batch, tUs };
}

/** Offsets of the columns of a record with `count` frames. */
function columns(count: number) {
  const time = headBytes;
  const id = time + 4 * count;
  const bus = id + 4 * count;
  const flags = bus + 2 * count;
  const length = flags + count;
  const dlc = length + count;
  return { time, id, bus, flags, length, dlc, data: dlc + count };
}
