import { closeSync, fstatSync, readSync } from 'node:fs';
import { asFileError } from '../byte-input.js';

/** A block of an MDF 4 file: where it lies, what it links to, where its data part is. */
export interface Mdf4Block {
  readonly address: number;
  /** two letters: HD, DG, CG, CN, … */
  readonly type: string;
  readonly links: readonly number[];
  readonly dataAt: number;
  /** bytes of the data part that are really there */
  readonly dataLength: number;
  /** true where the file ends before the block does */
  readonly isCut: boolean;
}

const headerBytes = 24;
const linksMax = 1_000_000;
const pageBytes = 65_536;
const pagesMax = 16;

/**
 * Random access to a file through a few cached pages. Reads are synchronous: structure blocks are small and
 * many, and each data block is read once.
 */
export class BlockFile {
  readonly size: number;
  readonly #fd: number;
  readonly #name: string;
  readonly #pages = new Map<number, Buffer>();
  #isOpen = true;

  constructor(fd: number, name: string) {
    this.#fd = fd;
    this.#name = name;
    this.size = fstatSync(fd).size;
  }

  /** The bytes from `at` on, fewer than `length` where the file ends before. Errors: `FILE_UNREADABLE`. */
  read(at: number, length: number): Buffer {
    const count = Math.max(0, Math.min(length, this.size - at));
    const first = Math.floor(at / pageBytes);
    const offset = at - first * pageBytes;
    if (count > 0 && offset + count <= pageBytes) {
      return this.#page(first).subarray(offset, offset + count);
    }
    const bytes = Buffer.allocUnsafe(count);
    return bytes.subarray(0, this.#readInto(bytes, at));
  }

  /** The block at `address`, or null where there is none. */
  block(address: number): Mdf4Block | null {
    if (!Number.isSafeInteger(address) || address < 64 || address % 8 !== 0) return null;
    const header = this.read(address, headerBytes);
    if (header.length < headerBytes || header[0] !== 0x23 || header[1] !== 0x23) return null;
    const length = Number(header.readBigUInt64LE(8));
    const linkCount = Number(header.readBigUInt64LE(16));
    const type = header.toString('latin1', 2, 4);
    if (linkCount > linksMax) return null;
    const linkBytes = this.read(address + headerBytes, linkCount * 8);
    if (linkBytes.length < linkCount * 8) return null;
    const links = Array.from({ length: linkCount }, (_, i) => Number(linkBytes.readBigUInt64LE(i * 8)));
    const dataAt = address + headerBytes + linkCount * 8;
    const announced = Math.max(0, address + length - dataAt);
    const dataLength = Math.min(announced, Math.max(0, this.size - dataAt));
    return { address, type, links, dataAt, dataLength, isCut: dataLength < announced };
  }

  /** The block at `address` where it is of this type. */
  blockOf(address: number, type: string): Mdf4Block | null {
    const block = this.block(address);
    return block?.type === type ? block : null;
  }

  /** The data part of a block, at most `lengthMax` bytes of it. */
  data(block: Mdf4Block, lengthMax: number): Buffer {
    return this.read(block.dataAt, Math.min(block.dataLength, lengthMax));
  }

  /** Text of a TX or MD block, "" where there is none. */
  text(address: number): string {
    if (address === 0) return '';
    const block = this.block(address);
    if (block === null || (block.type !== 'TX' && block.type !== 'MD')) return '';
    const bytes = this.data(block, 4096);
    const end = bytes.indexOf(0);
    return bytes.toString('utf8', 0, end < 0 ? bytes.length : end);
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#fd);
    this.#isOpen = false;
  }

  #page(index: number): Buffer {
    let page = this.#pages.get(index);
    if (page !== undefined) return page;
    if (this.#pages.size >= pagesMax) {
      const oldest = this.#pages.keys().next().value;
      if (oldest !== undefined) this.#pages.delete(oldest);
    }
    const bytes = Buffer.alloc(Math.min(pageBytes, this.size - index * pageBytes));
    page = bytes.subarray(0, this.#readInto(bytes, index * pageBytes));
    this.#pages.set(index, page);
    return page;
  }

  #readInto(bytes: Buffer, at: number): number {
    let done = 0;
    try {
      while (done < bytes.length) {
        const count = readSync(this.#fd, bytes, done, bytes.length - done, at + done);
        if (count === 0) break;
        done += count;
      }
    } catch (error) {
      throw asFileError(error, this.#name);
    }
    return done;
  }
}
