import { FRAME_STRIDE } from '../../../core/can/frame-batch.js';
import type { BlockFile } from './block-file.js';
import type { DataGroup, PayloadPlace } from './bus-group.js';
import { DataStream } from './data-stream.js';
import { PayloadSearch } from './payload-search.js';
import { readField } from './record-field.js';
import type { RecordWalker } from './record-walker.js';

interface PayloadCount {
  /** where the next record of the kind begins when all of them are put together */
  next: number;
  /** losses of the walker that `next` knows of */
  losses: number;
  /** the last record that no frame has taken; −1: none */
  lastAt: number;
  lastLength: number;
  /** the payload of a frame stood in front of it when last seen; recorders write it behind or in front */
  standsBefore: boolean;
  readonly last: Uint8Array;
}

/** Brings the payload bytes of data frames together, wherever the recorder put them. */
export class PayloadReader {
  readonly data = new Uint8Array(FRAME_STRIDE);
  /** bytes of the payload in `data`; more than these the recorder did not store */
  length = 0;
  readonly #file: BlockFile;
  readonly #group: DataGroup;
  readonly #walker: RecordWalker;
  readonly #isOpenEnded: boolean;
  readonly #hasNoOffsets: boolean;
  readonly #signalData = new Map<number, DataStream>();
  readonly #searches = new Map<number, PayloadSearch>();
  /** by record id */
  readonly #counts = new Map<number, PayloadCount>();

  constructor(
    file: BlockFile,
    group: DataGroup,
    walker: RecordWalker,
    options: { isOpenEnded: boolean; hasNoOffsets: boolean },
  ) {
    this.#file = file;
    this.#group = group;
    this.#walker = walker;
    this.#isOpenEnded = options.isOpenEnded;
    this.#hasNoOffsets = options.hasNoOffsets;
  }

  /**
   * Takes the payload of the frame record that the walker stands on; false where it is not to be found.
   * `announced`: bytes that the frame had, −1 where the record does not say.
   */
  take(place: PayloadPlace, announced: number): boolean {
    const { bytes, at } = this.#walker;
    switch (place.kind) {
      case 'record':
        this.#copy(bytes, at + place.byteOffset, place.bytes);
        return true;
      case 'signalData':
        return this.#takeSignalData(place.address, readField(bytes, at, place.offset));
      case 'group':
        return this.#takeRecord(place.recordId, readField(bytes, at, place.offset), announced);
    }
  }

  /** A payload record that stands before its frame, or that no frame has asked for. */
  passVariable(recordId: number): void {
    // Where there are no offsets, a payload before the first frame tells on which side of frames they stand.
    const count = this.#count(recordId, this.#hasNoOffsets && this.#walker.losses === 0);
    const { bytes, at, length } = this.#walker;
    count.lastAt = count.next;
    count.lastLength = Math.min(length, FRAME_STRIDE);
    for (let i = 0; i < count.lastLength; i++) count.last[i] = bytes[at + i]!;
    count.next += 4 + length;
  }

  #takeSignalData(address: number, offset: number): boolean {
    let stream = this.#signalData.get(address);
    if (stream === undefined) {
      stream = new DataStream(this.#file, address, false);
      this.#signalData.set(address, stream);
    }
    if (stream.load(offset, 4) < 4) return false;
    const length = stream.bytes.readUInt32LE(stream.start);
    if (length > FRAME_STRIDE || stream.load(offset, 4 + length) < 4 + length) return false;
    this.#copy(stream.bytes, stream.start + 4, length);
    return true;
  }

  #takeRecord(recordId: number, offset: number, announced: number): boolean {
    const count = this.#count(recordId, false);
    // Behind lost records, and where the recorder wrote no offsets, a frame and its payload go by their order.
    const goesByOrder = this.#hasNoOffsets || count.losses !== this.#walker.losses;
    const isBefore = goesByOrder
      ? count.standsBefore && (announced < 0 || count.lastLength === announced)
      : count.lastAt === offset;
    if (count.lastAt >= 0 && isBefore) {
      this.#copy(count.last, 0, count.lastLength);
      this.#settle(count, offset, count.lastLength, true);
      return true;
    }
    if ((goesByOrder ? !count.standsBefore : count.next === offset) && this.#walker.nextIf(recordId)) {
      const { bytes, at, length } = this.#walker;
      this.#copy(bytes, at, length);
      this.#settle(count, offset, length, false);
      return true;
    }
    if (goesByOrder) return false;
    let search = this.#searches.get(recordId);
    if (search === undefined) {
      search = new PayloadSearch(this.#file, this.#group, recordId, this.#isOpenEnded);
      this.#searches.set(recordId, search);
    }
    if (!search.find(offset)) return false;
    this.#copy(search.bytes, search.at, search.length);
    return true;
  }

  /** A pair was found: from here on offsets can be counted again. */
  #settle(count: PayloadCount, offset: number, length: number, standsBefore: boolean): void {
    count.losses = this.#walker.losses;
    count.lastAt = -1;
    count.standsBefore = standsBefore;
    count.next = offset + 4 + length;
  }

  #count(recordId: number, standsBefore: boolean): PayloadCount {
    let count = this.#counts.get(recordId);
    if (count === undefined) {
      count = {
        next: 0,
        losses: 0,
        lastAt: -1,
        lastLength: 0,
        standsBefore,
        last: new Uint8Array(FRAME_STRIDE),
      };
      this.#counts.set(recordId, count);
    }
    return count;
  }

  #copy(bytes: Uint8Array, at: number, length: number): void {
    this.length = Math.min(length, FRAME_STRIDE);
    for (let i = 0; i < this.length; i++) this.data[i] = bytes[at + i]!;
  }
}
