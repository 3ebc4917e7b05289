/**
 * Bytes of a recording, all numbers little-endian.
 *
 *     file    = signature (8) · block… · trailer (24)
 *     block   = head (32) · stored bytes
 *     head    = "DBLK" · type u8 · deflated u8 · 0 u16 · stored length u32 · raw length u32
 *               · first tick i32 · last tick i32 · CRC-32C of the stored bytes u32 · CRC-32C of the head u32
 *     trailer = "DIDX" · 0 u32 · offset of the index block u64 · CRC-32C of these 16 bytes u32 · "DEND"
 *
 * Block types: header (JSON, first), chunk (records, raw deflate), index (JSON, last). A chunk that has been
 * written is complete in itself; without trailer (power cut) the index is rebuilt from the heads.
 * The signature follows PNG's: a transfer in text mode shows in the first eight bytes.
 */
import { crc32c } from './crc32c.js';

export const signature = Uint8Array.of(0x89, 0x44, 0x4d, 0x52, 0x0d, 0x0a, 0x1a, 0x0a);
export const blockHeadBytes = 32;
export const trailerBytes = 24;
/** No chunk is larger, stored or inflated; a larger number in a head is damage (or an attack). */
export const maxRawBytes = 32 * 1024 * 1024;

export const blockTypes = { header: 1, chunk: 2, index: 3 } as const;
export type BlockType = (typeof blockTypes)[keyof typeof blockTypes];

const blockMagic = 0x4b4c4244;
const indexMagic = 0x58444944;
const endMagic = 0x444e4544;

export interface BlockHead {
  readonly type: BlockType;
  readonly isDeflated: boolean;
  readonly storedBytes: number;
  readonly rawBytes: number;
  /** range of ticks in a chunk; −1 where it holds none */
  readonly firstTick: number;
  readonly lastTick: number;
  readonly crc: number;
}

export function encodeBlockHead(head: BlockHead): Buffer {
  const bytes = Buffer.alloc(blockHeadBytes);
  bytes.writeUInt32LE(blockMagic, 0);
  bytes[4] = head.type;
  bytes[5] = head.isDeflated ? 1 : 0;
  bytes.writeUInt32LE(head.storedBytes, 8);
  bytes.writeUInt32LE(head.rawBytes, 12);
  bytes.writeInt32LE(head.firstTick, 16);
  bytes.writeInt32LE(head.lastTick, 20);
  bytes.writeUInt32LE(head.crc, 24);
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, 28)), 28);
  return bytes;
}

/** null where these 32 bytes are no intact block head. */
export function decodeBlockHead(bytes: Buffer): BlockHead | null {
  if (bytes.length < blockHeadBytes || bytes.readUInt32LE(0) !== blockMagic) return null;
  if (bytes.readUInt32LE(28) !== crc32c(bytes.subarray(0, 28))) return null;
  const type = bytes[4];
  const rawBytes = bytes.readUInt32LE(12);
  if (type !== blockTypes.header && type !== blockTypes.chunk && type !== blockTypes.index) return null;
  const storedBytes = bytes.readUInt32LE(8);
  if (rawBytes > maxRawBytes || storedBytes > maxRawBytes) return null;
  return {
    type,
    isDeflated: bytes[5] === 1,
    storedBytes,
    rawBytes,
    firstTick: bytes.readInt32LE(16),
    lastTick: bytes.readInt32LE(20),
    crc: bytes.readUInt32LE(24),
  };
}

/** Where in `bytes` a block head could begin, from `from`; −1 if nowhere. */
export function findBlockMagic(bytes: Buffer, from: number): number {
  return bytes.indexOf('DBLK', from, 'latin1');
}

export function encodeTrailer(indexOffset: number): Buffer {
  const bytes = Buffer.alloc(trailerBytes);
  bytes.writeUInt32LE(indexMagic, 0);
  bytes.writeBigUInt64LE(BigInt(indexOffset), 8);
  bytes.writeUInt32LE(crc32c(bytes.subarray(0, 16)), 16);
  bytes.writeUInt32LE(endMagic, 20);
  return bytes;
}

/** Offset of the index block, or null where these are no intact trailer. */
export function decodeTrailer(bytes: Buffer): number | null {
  if (bytes.length !== trailerBytes) return null;
  if (bytes.readUInt32LE(0) !== indexMagic || bytes.readUInt32LE(20) !== endMagic) return null;
  if (bytes.readUInt32LE(16) !== crc32c(bytes.subarray(0, 16))) return null;
  return Number(bytes.readBigUInt64LE(8));
}
