import type { DataGroup, RecordGroup } from './bus-group.js';
import type { DataStream } from './data-stream.js';

const lengthBytes = 4;
const payloadBytesMax = 64;
const otherBytesMax = 1_048_576;
const searchBytes = 65_536;
/** So many records in a row that fit are not chance: one in some ten million for ten kinds of records. */
const chainedRecords = 5;

/** Steps through the records of a data group and finds the next one behind damage. */
export class RecordWalker {
  /** the current record: its bytes begin at `at` behind its id (and its length, where it has one) */
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  length = 0;
  /** how often records were lost; whoever counts what he saw must start anew */
  losses = 0;
  readonly #stream: DataStream;
  readonly #group: DataGroup;
  readonly #payloadIds = new Set<number>();
  #position = 0;
  #variableStart = -1;

  constructor(stream: DataStream, group: DataGroup) {
    this.#stream = stream;
    this.#group = group;
    for (const { bus } of group.groups.values()) {
      if (bus?.payload?.kind === 'group') this.#payloadIds.add(bus.payload.recordId);
    }
  }

  /** Moves to the next record; null at the end. */
  next(): RecordGroup | null {
    return this.#group.recordIdBytes === 0 ? this.#nextOfOneKind() : this.#nextOfAnyKind();
  }

  /** Whether the record behind the current one is of this kind; then it is the current one. */
  nextIf(recordId: number): boolean {
    const group = this.#at(this.#position);
    if (group === null || group.recordId !== recordId || !group.isVariable) return false;
    this.#variableStart = this.#position;
    this.#position += this.#group.recordIdBytes + lengthBytes + this.length;
    return true;
  }

  #nextOfOneKind(): RecordGroup | null {
    const group = this.#group.groups.values().next().value;
    if (group === undefined) return null;
    const size = group.recordBytes;
    for (;;) {
      const available = this.#stream.load(this.#position, size);
      if (available >= size) {
        this.bytes = this.#stream.bytes;
        this.at = this.#stream.start;
        this.length = size;
        this.#position += size;
        return group;
      }
      const resume = this.#stream.resumeAfter(this.#position + available);
      if (resume < 0 && isBlank(this.#stream.view(this.#position, size))) return null;
      this.losses++;
      if (resume < 0) return null;
      this.#position = Math.ceil(resume / size) * size;
    }
  }

  #nextOfAnyKind(): RecordGroup | null {
    for (;;) {
      const group = this.#at(this.#position);
      if (group === null) {
        if (!this.#search()) return null;
        continue;
      }
      const head = this.#group.recordIdBytes + (group.isVariable ? lengthBytes : 0);
      this.#variableStart = group.isVariable ? this.#position : -1;
      this.#position += head + this.length;
      return group;
    }
  }

  /** Reads the record at a place of the stream; null where none fits. */
  #at(position: number): RecordGroup | null {
    const idBytes = this.#group.recordIdBytes;
    const stream = this.#stream;
    let available = stream.load(position, idBytes + lengthBytes);
    const group = this.#groupAt(stream.bytes, stream.start);
    if (group === null) return null;
    const head = idBytes + (group.isVariable ? lengthBytes : 0);
    const length = this.#lengthAt(group, stream.bytes, stream.start);
    if (length < 0) return null;
    if (available < head + length) available = stream.load(position, head + length);
    if (available < head + length) return null;
    this.bytes = stream.bytes;
    this.at = stream.start + head;
    this.length = length;
    return group;
  }

  #groupAt(view: Buffer, at: number): RecordGroup | null {
    const idBytes = this.#group.recordIdBytes;
    if (at + idBytes > view.length) return null;
    let id = 0;
    for (let i = idBytes - 1; i >= 0; i--) id = id * 256 + view[at + i]!;
    return this.#group.groups.get(id) ?? null;
  }

  /** Bytes of a record behind its head, −1 where they cannot be true. */
  #lengthAt(group: RecordGroup, view: Buffer, at: number): number {
    if (!group.isVariable) return group.recordBytes;
    const lengthAt = at + this.#group.recordIdBytes;
    if (lengthAt + lengthBytes > view.length) return -1;
    const length = view.readUInt32LE(lengthAt);
    return length <= (this.#payloadIds.has(group.recordId) ? payloadBytesMax : otherBytesMax) ? length : -1;
  }

  /**
   * Moves to the next place from which records follow each other. A wrong length is seen only at the record
   * behind it, so the search begins inside of a record of variable length. False at the end.
   */
  #search(): boolean {
    if (this.#isBlankToEnd()) return false;
    let from = this.#variableStart >= 0 ? this.#variableStart + 1 : this.#position + 1;
    for (;;) {
      const view = this.#stream.view(from, searchBytes);
      const isEnd = view.length < searchBytes && this.#stream.resumeAfter(from + view.length) < 0;
      const stop = isEnd ? view.length : Math.max(1, view.length - searchBytes / 2);
      for (let at = 0; at < stop; at++) {
        if (!this.#chainsFrom(view, at, isEnd)) continue;
        this.losses++;
        this.#position = from + at;
        this.#variableStart = -1;
        return true;
      }
      if (!isEnd && view.length > 0) {
        from += stop;
        continue;
      }
      const resume = this.#stream.resumeAfter(from + view.length);
      if (resume >= 0) {
        from = resume;
        continue;
      }
      this.losses++;
      this.#position = from + view.length;
      this.#variableStart = -1;
      return false;
    }
  }

  /** Space that the recorder reserved and did not fill is no damage. */
  #isBlankToEnd(): boolean {
    for (let at = this.#position; ; ) {
      const view = this.#stream.view(at, searchBytes);
      if (!isBlank(view)) return false;
      at += view.length;
      if (view.length < searchBytes) return this.#stream.resumeAfter(at) < 0;
    }
  }

  #chainsFrom(view: Buffer, at: number, isEnd: boolean): boolean {
    for (let n = 0; n < chainedRecords; n++) {
      if (at === view.length && n > 0) return isEnd;
      const group = this.#groupAt(view, at);
      if (group === null) return false;
      const length = this.#lengthAt(group, view, at);
      if (length < 0) return false;
      at += this.#group.recordIdBytes + (group.isVariable ? lengthBytes : 0) + length;
      if (at > view.length) return !isEnd && n >= 2;
    }
    return true;
  }
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0) return false;
  return true;
}
