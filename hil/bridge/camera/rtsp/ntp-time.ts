/** Between the epochs of NTP (1900) and Unix (1970), s. */
const ntpOffsetS = 2_208_988_800;

/** Writes a wall clock (µs since 1970) as 64 bits of NTP: seconds and fractions (RFC 3550, 4). */
export function writeNtp(bytes: Buffer, at: number, wallUs: number): void {
  const seconds = Math.floor(wallUs / 1e6);
  bytes.writeUInt32BE((seconds + ntpOffsetS) % 0x1_0000_0000, at);
  bytes.writeUInt32BE(Math.floor(((wallUs - seconds * 1e6) / 1e6) * 0x1_0000_0000), at + 4);
}
