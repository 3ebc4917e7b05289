import { dlcOfLength, lengthOfDlc } from '../../../core/can/data-length.js';
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  FRAME_TX,
} from '../../../core/can/frame-batch.js';
import type { DamageCode } from '../damage-codes.js';
import type { FrameWriter } from '../frame-writer.js';
import type { BlockFile } from './block-file.js';
import type { BusGroup, DataGroup, Mdf4Structure } from './bus-group.js';
import { DataStream } from './data-stream.js';
import { PayloadReader } from './payload-reader.js';
import { type RecordField, readField } from './record-field.js';
import { RecordWalker } from './record-walker.js';

const flagBit31 = 0x80000000;

/** Goes through the CAN frames of one data group; the current frame waits to be merged with other groups. */
export class GroupCursor {
  tS = 0;
  readonly #walker: RecordWalker;
  readonly #stream: DataStream;
  readonly #payload: PayloadReader;
  readonly #structure: Mdf4Structure;
  readonly #buses = new Map<number | string, number>();
  /** records that the recorder says there are; the rest of the space is not filled */
  #left: number;
  #losses = 0;
  #isCut = false;
  #id = 0;
  #flags = 0;
  #length = 0;
  #dlc = 0;
  #bus: number | string = '';

  constructor(file: BlockFile, structure: Mdf4Structure, group: DataGroup) {
    const isOpenEnded = structure.isUnfinished;
    this.#structure = structure;
    this.#stream = new DataStream(file, group.dataAddress, isOpenEnded);
    this.#walker = new RecordWalker(this.#stream, group);
    this.#payload = new PayloadReader(file, group, this.#walker, {
      isOpenEnded,
      hasNoOffsets: structure.hasNoOffsets,
    });
    const cycles = group.recordIdBytes === 0 ? (group.groups.values().next().value?.cycleCount ?? 0) : 0;
    this.#left = cycles > 0 && !structure.isUnfinished ? cycles : Number.POSITIVE_INFINITY;
  }

  /** Moves to the next frame; false at the end. `record`: number of the frame, for findings. */
  advance(record: number, writer: FrameWriter): boolean {
    while (this.#left-- > 0) {
      const group = this.#walker.next();
      this.#report(record, group === null, writer);
      if (group === null) return false;
      if (group.isVariable) this.#payload.passVariable(group.recordId);
      else if (group.bus !== null && this.#read(group.bus, record, writer)) return true;
    }
    return false;
  }

  /** Adds the current frame to the batch. */
  commit(record: number, writer: FrameWriter): void {
    const bus = this.#busIndex(writer);
    if (bus < 0) {
      writer.damage(record, 'bus_too_many');
      return;
    }
    const offset = writer.dataOffset;
    for (let i = 0; i < this.#length; i++) writer.batch.data[offset + i] = this.#payload.data[i]!;
    writer.commit(this.tS, this.#id, this.#flags, this.#length, this.#dlc, bus, record);
  }

  #report(record: number, isEnd: boolean, writer: FrameWriter): void {
    for (const code of this.#stream.damage.splice(0)) this.#damage(record, code, writer);
    if (this.#walker.losses === this.#losses) return;
    this.#losses = this.#walker.losses;
    this.#damage(record, isEnd ? 'file_cut' : 'record_damaged', writer);
  }

  #damage(record: number, code: DamageCode, writer: FrameWriter): void {
    if (code === 'file_cut' && this.#isCut) return;
    if (code === 'file_cut') this.#isCut = true;
    writer.damage(record, code);
  }

  #read(group: BusGroup, record: number, writer: FrameWriter): boolean {
    const { bytes, at } = this.#walker;
    const masterS = readField(bytes, at, group.time) * group.timeFactor + group.timeOffset;
    this.tS = this.#structure.startWholeS + (this.#structure.startRestS + masterS);
    const id = fieldNumber(group.fields.ID, bytes, at);
    const ide = fieldNumber(group.fields.IDE, bytes, at);
    this.#id = id < 0 ? 0 : id % 0x20000000;
    this.#flags =
      (ide > 0 || (ide < 0 && (id >= flagBit31 || id > 0x7ff)) ? FRAME_EXT : 0) |
      (fieldNumber(group.fields.EDL, bytes, at) > 0 ? FRAME_FD : 0) |
      (fieldNumber(group.fields.BRS, bytes, at) > 0 ? FRAME_BRS : 0) |
      (fieldNumber(group.fields.ESI, bytes, at) > 0 ? FRAME_ESI : 0) |
      (fieldNumber(group.fields.Dir, bytes, at) > 0 ? FRAME_TX : 0);
    const channel = fieldNumber(group.fields.BusChannel, bytes, at);
    this.#bus = channel < 0 ? group.sourceName : channel;
    const dlc = fieldNumber(group.fields.DLC, bytes, at);
    const dataLength = fieldNumber(group.fields.DataLength, bytes, at);
    const announced =
      dataLength >= 0 ? dataLength : dlc >= 0 ? lengthOfDlc(dlc, (this.#flags & FRAME_FD) !== 0) : -1;
    this.#length = 0;
    if (group.kind === 'CAN_RemoteFrame') this.#flags |= FRAME_REMOTE;
    else if (group.kind === 'CAN_ErrorFrame') this.#flags |= FRAME_ERROR;
    if (!Number.isFinite(this.tS) || announced > FRAME_STRIDE) {
      writer.damage(record, announced > FRAME_STRIDE ? 'length_invalid' : 'time_invalid');
      return false;
    }
    if (group.kind === 'CAN_DataFrame' && group.payload !== null) {
      if (!this.#payload.take(group.payload, announced) || this.#payload.length < announced) {
        writer.damage(record, 'payload_missing');
        return false;
      }
      this.#length = announced < 0 ? this.#payload.length : announced;
    }
    this.#dlc = dlc >= 0 ? dlc : dlcOfLength(Math.max(0, announced));
    return true;
  }

  #busIndex(writer: FrameWriter): number {
    const known = this.#buses.get(this.#bus);
    if (known !== undefined) return known;
    const index = writer.busNamed(String(this.#bus));
    if (index >= 0) this.#buses.set(this.#bus, index);
    return index;
  }
}

/** The number at a field, −1 where the records have no such field. */
function fieldNumber(field: RecordField | undefined, bytes: Buffer, at: number): number {
  return field === undefined ? -1 : readField(bytes, at, field);
}
