/**
 * CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected 0x82F63B78), as in RFC 3720 §12.1 and appendix B.4.
 * Eight tables, eight bytes a step: about ten times the byte-wise loop in V8.
 */
const tables = makeTables();

function makeTables(): readonly Uint32Array[] {
  const first = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
    first[byte] = crc >>> 0;
  }
  const all = [first];
  for (let n = 1; n < 8; n++) {
    const before = all[n - 1]!;
    const table = new Uint32Array(256);
    for (let byte = 0; byte < 256; byte++) {
      const crc = before[byte]!;
      table[byte] = (crc >>> 8) ^ first[crc & 0xff]!;
    }
    all.push(table);
  }
  return all;
}

/** CRC-32C of `bytes`, going on from `seed`, the CRC of what came before. */
export function crc32c(bytes: Uint8Array, seed = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = tables as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  let crc = ~seed;
  let i = 0;
  for (const end = bytes.length - 7; i < end; i += 8) {
    crc ^= bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^
      t6[(crc >>> 8) & 0xff]! ^
      t5[(crc >>> 16) & 0xff]! ^
      t4[crc >>> 24]! ^
      t3[bytes[i + 4]!]! ^
      t2[bytes[i + 5]!]! ^
      t1[bytes[i + 6]!]! ^
      t0[bytes[i + 7]!]!;
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[i]!) & 0xff]!;
  return ~crc >>> 0;
}
