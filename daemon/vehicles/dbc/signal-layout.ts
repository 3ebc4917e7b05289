/** Where the bits of a signal lie: byte extent and shift from a DBC start bit, length and byte order. */
import type { DbcSignal } from './database.js';

export interface SignalLayout {
  readonly firstByte: number;
  readonly lastByte: number;
  /** bits below the least significant bit in the byte that holds it */
  readonly shift: number;
}

/**
 * Intel: the start bit is the least significant; the signal grows upwards through the bytes. Motorola: the
 * start bit is the most significant; the next bit is one down in the same byte, after bit 0 comes bit 7 of
 * the next byte. Needs a length of at least 1.
 */
export function signalLayout(
  startBit: number,
  bitLength: number,
  byteOrder: 'intel' | 'motorola',
): SignalLayout {
  const firstByte = Math.floor(startBit / 8);
  if (byteOrder === 'intel') {
    return { firstByte, lastByte: Math.floor((startBit + bitLength - 1) / 8), shift: startBit % 8 };
  }
  // Position of the least significant bit when the bits are counted in transmission order.
  const lastBit = firstByte * 8 + (7 - (startBit % 8)) + bitLength - 1;
  return { firstByte, lastByte: Math.floor(lastBit / 8), shift: 7 - (lastBit % 8) };
}

/** The bits of byte `byte` that a signal occupies, as a mask; the byte is one of those it touches. */
export function bitsInByte(
  signal: Pick<DbcSignal, 'startBit' | 'bitLength' | 'byteOrder'>,
  byte: number,
): number {
  const first = Math.floor(signal.startBit / 8);
  const inFirst = signal.startBit % 8;
  if (signal.byteOrder === 'intel') {
    const from = Math.max(0, signal.startBit - byte * 8);
    const to = Math.min(7, signal.startBit + signal.bitLength - 1 - byte * 8);
    return ((2 << to) - 1) & ~((1 << from) - 1) & 0xff;
  }
  const start = first * 8 + (7 - inFirst);
  const from = Math.max(0, start - byte * 8);
  const to = Math.min(7, start + signal.bitLength - 1 - byte * 8);
  return (0xff >> from) & (0xff << (7 - to)) & 0xff;
}
