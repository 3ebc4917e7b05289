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

  /** `object` begins at its base header and has its whole size; `record` is its number, from 1. */
  add(object: Buffer, record: number, writer: FrameWriter): LineOutcome {
    const at = object.readUInt16LE(4);
    const room = objectSize(object) - at;
    switch (objectType(object)) {
      case blfTypes.canMessage:
      case blfTypes.canMessage2: {
        if (room < 16) return 'object_damaged';
        const flags = object[at + 2]!;
        if (flags === flagTxRequest) return 'nothing';
        const dlc = object[at + 3]!;
        const length = flags & flagRemote ? 0 : Math.min(dlc, 8);
        return this.#commit(object, at, 4, messageFlags(flags), at + 8, length, dlc, record, writer);
      }
      case blfTypes.canError:
        if (room < 4) return 'object_damaged';
        return this.#commit(object, at, -1, FRAME_ERROR, at, 0, 0, record, writer);
      case blfTypes.canErrorExt: {
        if (room < 32) return 'object_damaged';
        const dlc = object[at + 10]!;
        return this.#commit(object, at, 16, FRAME_ERROR, at + 24, Math.min(dlc, 8), dlc, record, writer);
      }
      case blfTypes.canFdMessage: {
        if (room < 20) return 'object_damaged';
        const flags = object[at + 2]!;
        if (flags === flagTxRequest) return 'nothing';
        const fdFlags = object[at + 13]!;
        const frameFlags =
          messageFlags(flags) |
          (fdFlags & fdFlagFormat ? FRAME_FD : 0) |
          (fdFlags & fdFlagBrs ? FRAME_BRS : 0) |
          (fdFlags & fdFlagEsi ? FRAME_ESI : 0);
        const length = flags & flagRemote ? 0 : Math.min(object[at + 14]!, FRAME_STRIDE);
        return this.#commit(object, at, 4, frameFlags, at + 20, length, object[at + 3]!, record, writer);
      }
      case blfTypes.canFdMessage64:
        return this.#fd64(object, at, room, record, writer);
      case blfTypes.canFdError64: {
        if (room < 44) return 'object_damaged';
        const length = Math.min(object[at + 2]!, FRAME_STRIDE);
        const flags = FRAME_ERROR | FRAME_FD;
        return this.#commit(object, at, 12, flags, at + 44, length, object[at + 1]!, record, writer);
      }
      default:
        return 'nothing';
    }
  }

  #fd64(object: Buffer, at: number, room: number, record: number, writer: FrameWriter): LineOutcome {
    if (room < 40) return 'object_damaged';
    const direction = object[at + 34]!;
    if (direction === flagTxRequest) return 'nothing';
    const flags = object.readUInt32LE(at + 12);
    const frameFlags =
      (direction !== 0 ? FRAME_TX : 0) |
      (flags & fd64FlagRemote ? FRAME_REMOTE : 0) |
      (flags & fd64FlagFormat ? FRAME_FD : 0) |
      (flags & fd64FlagBrs ? FRAME_BRS : 0) |
      (flags & fd64FlagEsi ? FRAME_ESI : 0);
    const length = flags & fd64FlagRemote ? 0 : Math.min(object[at + 2]!, FRAME_STRIDE);
    // Extra data of the recorder may stand behind the payload, from this offset of the object on.
    const extra = object[at + 35]!;
    const end = extra > at + 40 ? Math.min(extra, objectSize(object)) : objectSize(object);
    return this.#commit(
      object.subarray(0, end),
      at,
      4,
      frameFlags,
      at + 40,
      length,
      object[at + 1]!,
      record,
      writer,
    );
  }

  /** `idAt`: where the identifier stands behind `at`, −1 where there is none. */
  #commit(
    object: Buffer,
    at: number,
    idAt: number,
    flags: number,
    dataAt: number,
    length: number,
    dlc: number,
    record: number,
    writer: FrameWriter,
  ): LineOutcome {
    let id = 0;
    if (idAt >= 0) {
      const raw = object.readUInt32LE(at + idAt);
      if (raw >= 0x80000000) flags |= FRAME_EXT;
      id = raw % 0x20000000;
    }
    // CAN_FD_MESSAGE_64 and CAN_FD_ERROR_64 count channels in one byte, the others in two.
    const type = objectType(object);
    const isByteChannel = type === blfTypes.canFdMessage64 || type === blfTypes.canFdError64;
    const bus = this.#bus(isByteChannel ? object[at]! : object.readUInt16LE(at), writer);
    if (bus < 0) return 'bus_too_many';
    const offset = writer.dataOffset;
    const { data } = writer.batch;
    // Recorders store fewer bytes than a frame had where the rest was zero; readers fill up.
    for (let i = 0; i < length; i++) data[offset + i] = object[dataAt + i] ?? 0;
    if (!(flags & FRAME_EXT) && id > 0x7ff) writer.note(record, 'id_over_11_bit');
    writer.commit(timeS(object), id, flags, length, dlc === 0 ? dlcOfLength(length) : dlc, bus, record);
    return 'frame';
  }

  #bus(channel: number, writer: FrameWriter): number {
    const known = this.#buses.get(channel);
    if (known !== undefined) return known;
    const index = writer.busNamed(String(channel));
    if (index >= 0) this.#buses.set(channel, index);
    return index;
  }
}

/** Seconds since the start of the measurement. */
function timeS(object: Buffer): number {
  if (object.length < objectHeaderBytes) return 0;
  const ticks = object.readUInt32LE(timeOffset + 4) * 4294967296 + object.readUInt32LE(timeOffset);
  return ticks / (object.readUInt32LE(timeFlagsOffset) === flagTenMicroseconds ? 1e5 : 1e9);
}

function messageFlags(flags: number): number {
  return (flags & flagTx ? FRAME_TX : 0) | (flags & flagRemote ? FRAME_REMOTE : 0);
}
