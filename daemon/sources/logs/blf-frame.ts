import { dlcOfLength } from '../../core/can/data-length.js';
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  FRAME_TX,
} from '../../core/can/frame-batch.js';
import { blfTypes, objectSize, objectType } from './blf-object.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome } from './line-reader.js';

const timeFlagsOffset = 16;
const timeOffset = 24;
/** time stamps count 10 µs with this flag, else 1 ns */
const flagTenMicroseconds = 1;
const objectHeaderBytes = 32;

const flagTx = 0x01;
/** a request to send alone, not a frame on the bus */
const flagTxRequest = 0x02;
const flagRemote = 0x80;
const fdFlagFormat = 0x1;
const fdFlagBrs = 0x2;
const fdFlagEsi = 0x4;
const fd64FlagRemote = 0x10;
const fd64FlagFormat = 0x1000;
const fd64FlagBrs = 0x2000;
const fd64FlagEsi = 0x4000;

/** Turns CAN objects into frames. */
export class BlfFrames {
  readonly #buses = new Map<number, number>();
  // The object being read: where it begins, where what its type defines begins, where it ends.
  #bytes: Buffer = Buffer.alloc(0);
  #base = 0;
  #body = 0;
  #end = 0;
  #record = 0;

  /** The object at `base` is whole; `record` is its number, from 1. */
  add(bytes: Buffer, base: number, record: number, writer: FrameWriter): LineOutcome {
    const at = base + bytes.readUInt16LE(base + 4);
    this.#bytes = bytes;
    this.#base = base;
    this.#body = at;
    this.#end = base + objectSize(bytes, base);
    this.#record = record;
    const room = this.#end - at;
    switch (objectType(bytes, base)) {
      case blfTypes.canMessage:
      case blfTypes.canMessage2: {
        if (room < 16) return 'object_damaged';
        const flags = bytes[at + 2]!;
        if (flags === flagTxRequest) return 'nothing';
        const dlc = bytes[at + 3]!;
        const length = flags & flagRemote ? 0 : Math.min(dlc, 8);
        return this.#commit(bytes.readUInt16LE(at), at + 4, messageFlags(flags), at + 8, length, dlc, writer);
      }
      case blfTypes.canError:
        if (room < 4) return 'object_damaged';
        return this.#commit(bytes.readUInt16LE(at), -1, FRAME_ERROR, at, 0, 0, writer);
      case blfTypes.canErrorExt: {
        if (room < 32) return 'object_damaged';
        const dlc = bytes[at + 10]!;
        const length = Math.min(dlc, 8);
        return this.#commit(bytes.readUInt16LE(at), at + 16, FRAME_ERROR, at + 24, length, dlc, writer);
      }
      case blfTypes.canFdMessage:
        return room < 20 ? 'object_damaged' : this.#fd(writer);
      case blfTypes.canFdMessage64:
        return room < 40 ? 'object_damaged' : this.#fd64(writer);
      case blfTypes.canFdError64: {
        if (room < 44) return 'object_damaged';
        const length = Math.min(bytes[at + 2]!, FRAME_STRIDE);
        return this.#commit(
          bytes[at]!,
          at + 12,
          FRAME_ERROR | FRAME_FD,
          at + 44,
          length,
          bytes[at + 1]!,
          writer,
        );
      }
      default:
        return 'nothing';
    }
  }

  #fd(writer: FrameWriter): LineOutcome {
    const bytes = this.#bytes;
    const at = this.#body;
    const flags = bytes[at + 2]!;
    if (flags === flagTxRequest) return 'nothing';
    const fdFlags = bytes[at + 13]!;
    const frameFlags =
      messageFlags(flags) |
      (fdFlags & fdFlagFormat ? FRAME_FD : 0) |
      (fdFlags & fdFlagBrs ? FRAME_BRS : 0) |
      (fdFlags & fdFlagEsi ? FRAME_ESI : 0);
    const length = flags & flagRemote ? 0 : Math.min(bytes[at + 14]!, FRAME_STRIDE);
    return this.#commit(bytes.readUInt16LE(at), at + 4, frameFlags, at + 20, length, bytes[at + 3]!, writer);
  }

  #fd64(writer: FrameWriter): LineOutcome {
    const bytes = this.#bytes;
    const at = this.#body;
    const direction = bytes[at + 34]!;
    if (direction === flagTxRequest) return 'nothing';
    const flags = bytes.readUInt32LE(at + 12);
    const frameFlags =
      (direction !== 0 ? FRAME_TX : 0) |
      (flags & fd64FlagRemote ? FRAME_REMOTE : 0) |
      (flags & fd64FlagFormat ? FRAME_FD : 0) |
      (flags & fd64FlagBrs ? FRAME_BRS : 0) |
      (flags & fd64FlagEsi ? FRAME_ESI : 0);
    const length = flags & fd64FlagRemote ? 0 : Math.min(bytes[at + 2]!, FRAME_STRIDE);
    // Extra data of the recorder may stand behind the payload, from this offset of the object on.
    const extra = this.#base + bytes[at + 35]!;
    if (extra > at + 40) this.#end = Math.min(this.#end, extra);
    return this.#commit(bytes[at]!, at + 4, frameFlags, at + 40, length, bytes[at + 1]!, writer);
  }

  /** `idAt`: where the identifier stands, −1 where there is none. */
  #commit(
    channel: number,
    idAt: number,
    flags: number,
    dataAt: number,
    length: number,
    dlc: number,
    writer: FrameWriter,
  ): LineOutcome {
    const bytes = this.#bytes;
    let id = 0;
    if (idAt >= 0) {
      const raw = bytes.readUInt32LE(idAt);
      if (raw >= 0x80000000) flags |= FRAME_EXT;
      id = raw % 0x20000000;
    }
    const bus = this.#bus(channel, writer);
    if (bus < 0) return 'bus_too_many';
    const offset = writer.dataOffset;
    const { data } = writer.batch;
    // Recorders store fewer bytes than a frame had where the rest was zero; readers fill up.
    const stored = Math.max(0, Math.min(length, this.#end - dataAt));
    for (let i = 0; i < stored; i++) data[offset + i] = bytes[dataAt + i]!;
    for (let i = stored; i < length; i++) data[offset + i] = 0;
    if (!(flags & FRAME_EXT) && id > 0x7ff) writer.note(this.#record, 'id_over_11_bit');
    const code = dlc === 0 ? dlcOfLength(length) : dlc;
    writer.commit(this.#timeS(), id, flags, length, code, bus, this.#record);
    return 'frame';
  }

  /** Seconds since the start of the measurement. */
  #timeS(): number {
    const bytes = this.#bytes;
    const at = this.#base;
    if (this.#body - at < objectHeaderBytes) return 0;
    const ticks = bytes.readUInt32LE(at + timeOffset + 4) * 4294967296 + bytes.readUInt32LE(at + timeOffset);
    return ticks / (bytes.readUInt32LE(at + timeFlagsOffset) === flagTenMicroseconds ? 1e5 : 1e9);
  }

  #bus(channel: number, writer: FrameWriter): number {
    const known = this.#buses.get(channel);
    if (known !== undefined) return known;
    const index = writer.busNamed(String(channel));
    if (index >= 0) this.#buses.set(channel, index);
    return index;
  }
}

function messageFlags(flags: number): number {
  return (flags & flagTx ? FRAME_TX : 0) | (flags & flagRemote ? FRAME_REMOTE : 0);
}
