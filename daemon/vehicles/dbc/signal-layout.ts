/** Where the bits of a signal lie: byte extent and shift from a DBC start bit, length and byte order. */

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
