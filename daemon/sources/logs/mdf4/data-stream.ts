import { inflateBlock } from '../inflate-block.js';
import type { BlockFile, Mdf4Block } from './block-file.js';

/** What a stream tells about blocks that it cannot read. */
export type StreamDamage = 'block_damaged' | 'file_cut';

interface ListedBlock {
  readonly block: Mdf4Block;
  /** place in the stream as the list says, where a block before it is lost; else −1 */
  readonly start: number;
}

interface Fragment {
  readonly block: Mdf4Block;
  /** place in the stream */
  readonly start: number;
  readonly length: number;
}

const chunkBytes = 262_144;
const unpackedBytesMax = 67_108_864;
const zipHeaderBytes = 24;
const zipTransposed = 1;
/** blocks that hold data as it is: records, values, signal data */
const plainTypes = new Set(['DT', 'DV', 'SD', 'RD']);

/**
 * The data of a group or a signal as one row of bytes, whatever blocks it is kept in: a single block, lists of
 * blocks (DL), compressed blocks (DZ, also transposed) under a header list (HL). Reading goes forwards; going
 * back is possible and slower.
 */
export class DataStream {
  /** what was lost since it was asked for last */
  readonly damage: StreamDamage[] = [];
  /** the window that `load` moves */
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  readonly #file: BlockFile;
  readonly #fragments: Fragment[] = [];
  readonly #source: Generator<ListedBlock>;
  readonly #isOpenEnded: boolean;
  #listed = 0;
  #isListed = false;
  #listedFileBytes = 0;
  #windowAt = 0;
  #unpacked: { readonly fragment: Fragment; readonly bytes: Buffer } | null = null;

  /** `isOpenEnded`: the recorder did not write the length of the last block; it goes to the end of the file. */
  constructor(file: BlockFile, address: number, isOpenEnded: boolean) {
    this.#file = file;
    this.#isOpenEnded = isOpenEnded;
    this.#source = this.#blocks(address);
  }

  /**
   * Makes the bytes from `at` on readable in `bytes`, from index `start` on: at least `length` of them, or fewer
   * where the stream ends or a damaged block makes a gap. Returns how many there are. Both are valid until the
   * next call; no object is made where the window holds the bytes already.
   */
  load(at: number, length: number): number {
    const offset = at - this.#windowAt;
    const have = this.bytes.length - offset;
    if (offset < 0 || have < length) this.#moveWindow(at, length);
    this.start = at - this.#windowAt;
    return this.bytes.length - this.start;
  }

  /** The bytes that `load` makes readable. */
  view(at: number, length: number): Buffer {
    this.load(at, length);
    return this.bytes.subarray(this.start);
  }

  #moveWindow(at: number, length: number): void {
    const offset = at - this.#windowAt;
    const isInside = offset >= 0 && offset < this.bytes.length;
    const parts: Buffer[] = isInside ? [this.bytes.subarray(offset)] : [];
    let have = isInside ? this.bytes.length - offset : 0;
    while (have < length) {
      const piece = this.#piece(at + have, chunkBytes);
      if (piece.length === 0) break;
      parts.push(piece);
      have += piece.length;
    }
    this.bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts, have);
    this.#windowAt = at;
  }

  /** Where readable bytes go on behind a gap at `at`; −1 at the end of the stream. */
  resumeAfter(at: number): number {
    for (let i = 0; ; i++) {
      const fragment = this.#fragment(i);
      if (fragment === null) return -1;
      if (fragment.start > at) return fragment.start;
    }
  }

  /** Bytes of the fragment that holds `at`, from `at` on; empty at the end and in a gap. */
  #piece(at: number, lengthMax: number): Buffer {
    const fragment = this.#fragmentAt(at);
    if (fragment === null) return Buffer.alloc(0);
    const offset = at - fragment.start;
    if (fragment.block.type === 'DZ') return this.#unpack(fragment).subarray(offset);
    const length = Math.min(lengthMax, fragment.length - offset);
    // A copy: pages of the file are reused.
    return Buffer.from(this.#file.read(fragment.block.dataAt + offset, length));
  }

  #unpack(fragment: Fragment): Buffer {
    if (this.#unpacked?.fragment === fragment) return this.#unpacked.bytes;
    const packed = this.#file.data(fragment.block, unpackedBytesMax);
    const { bytes, isWhole } = inflateBlock(packed.subarray(zipHeaderBytes), unpackedBytesMax);
    if (!isWhole || bytes.length !== fragment.length) {
      this.damage.push(fragment.block.isCut ? 'file_cut' : 'block_damaged');
    }
    const isTransposed = packed[2] === zipTransposed;
    // Columns of a matrix that is not whole give no rows.
    const usable = isTransposed && bytes.length !== fragment.length ? Buffer.alloc(0) : bytes;
    const rowBytes = packed.readUInt32LE(4);
    const rows = isTransposed ? untransposed(usable, rowBytes) : usable;
    const unpacked = rows.subarray(0, fragment.length);
    this.#unpacked = { fragment, bytes: unpacked };
    return unpacked;
  }

  #fragmentAt(at: number): Fragment | null {
    // Reading goes forwards: look from the end of what is known, then list more.
    for (let i = this.#fragments.length - 1; i >= 0; i--) {
      const fragment = this.#fragments[i]!;
      if (at >= fragment.start) {
        if (at < fragment.start + fragment.length) return fragment;
        break;
      }
    }
    for (let i = this.#fragments.length; ; i++) {
      const fragment = this.#fragment(i);
      if (fragment === null || at < fragment.start) return null;
      if (at < fragment.start + fragment.length) return fragment;
    }
  }

  #fragment(index: number): Fragment | null {
    while (this.#fragments.length <= index && !this.#isListed) {
      const step = this.#source.next();
      // Blocks of a file do not overlap: lists that name more bytes than there are go in circles.
      if (step.done === true || this.#listedFileBytes > this.#file.size) {
        this.#isListed = true;
        break;
      }
      this.#add(step.value.block, step.value.start);
    }
    return this.#fragments[index] ?? null;
  }

  #add(found: Mdf4Block, knownStart: number): void {
    const isToEnd = this.#isOpenEnded && found.type !== 'DZ' && !this.#isFollowed(found);
    const block = isToEnd ? { ...found, dataLength: Math.max(0, this.#file.size - found.dataAt) } : found;
    let length = block.dataLength;
    if (block.type === 'DZ') {
      const header = this.#file.data(block, zipHeaderBytes);
      length = header.length < zipHeaderBytes ? 0 : Number(header.readBigUInt64LE(8));
      if (length === 0 || length > unpackedBytesMax) {
        this.damage.push('block_damaged');
        length = 0;
      }
    } else if (block.isCut) this.damage.push('file_cut');
    const start = Math.max(this.#listed, knownStart);
    this.#fragments.push({ block, start, length });
    this.#listed = start + length;
    this.#listedFileBytes += 24 + block.dataLength;
  }

  /** Whether another block begins where this one says that it ends. */
  #isFollowed(block: Mdf4Block): boolean {
    const end = block.dataAt + block.dataLength;
    return this.#file.block(Math.ceil(end / 8) * 8) !== null;
  }

  /** The data blocks in their order. */
  *#blocks(address: number): Generator<ListedBlock> {
    let isLost = false;
    const seen = new Set<number>();
    while (address !== 0) {
      const block = seen.has(address) ? null : this.#file.block(address);
      seen.add(address);
      if (block === null) {
        this.damage.push('block_damaged');
        return;
      }
      if (plainTypes.has(block.type) || block.type === 'DZ') {
        yield { block, start: -1 };
        return;
      }
      if (block.type !== 'HL' && block.type !== 'DL' && block.type !== 'LD') {
        this.damage.push('block_damaged');
        return;
      }
      address = block.links[0] ?? 0;
      if (block.type === 'HL') continue;
      const starts = listedStarts(this.#file, block);
      for (const [i, link] of block.links.slice(1).entries()) {
        const data = link === 0 ? null : this.#file.block(link);
        if (data !== null && (plainTypes.has(data.type) || data.type === 'DZ')) {
          yield { block: data, start: isLost ? starts(i) : -1 };
          isLost = false;
        } else if (link !== 0 && data?.type !== 'DI') {
          this.damage.push('block_damaged');
          isLost = true;
        }
      }
    }
  }
}

/** Places in the stream of the blocks of a list: multiples of one length, or each written down. */
function listedStarts(file: BlockFile, list: Mdf4Block): (index: number) => number {
  const data = file.data(list, 16 + list.links.length * 8);
  if (list.type !== 'DL' || data.length < 16) return () => -1;
  const isEqual = (data.readUInt8(0) & 1) !== 0;
  const numberAt = (at: number) => (at + 8 <= data.length ? Number(data.readBigUInt64LE(at)) : -1);
  const starts = list.links.slice(1).map((_, i) => (isEqual ? i * numberAt(8) : numberAt(8 + i * 8)));
  const last = file.size * 1100;
  return (index) => {
    const start = starts[index] ?? -1;
    return start <= last ? start : -1;
  };
}

/** Rows from columns; what is left over behind the last whole row stands as it is. */
function untransposed(columns: Buffer, rowBytes: number): Buffer {
  if (rowBytes < 2) return columns;
  const rowCount = Math.floor(columns.length / rowBytes);
  const rows = Buffer.from(columns);
  for (let column = 0; column < rowBytes; column++) {
    for (let row = 0; row < rowCount; row++)
      rows[row * rowBytes + column] = columns[column * rowCount + row]!;
  }
  return rows;
}
