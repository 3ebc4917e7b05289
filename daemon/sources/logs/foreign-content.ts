/** Names content that is no log of a known format, so that the message says what was given instead. */

const signatures: readonly (readonly [readonly number[], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive; unpack it first'],
  [[0x1f, 0x8b], 'a gzip stream inside a gzip stream; unpack it once'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 'an xz archive; unpack it first'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a Zstandard archive; unpack it first'],
  [[0x42, 0x5a, 0x68], 'a bzip2 archive; unpack it first'],
  [[0x37, 0x7a, 0xbc, 0xaf], 'a 7-Zip archive; unpack it first'],
  [[0x0a, 0x0d, 0x0d, 0x0a], 'a pcapng capture'],
  [[0xd4, 0xc3, 0xb2, 0xa1], 'a pcap capture'],
  [[0xa1, 0xb2, 0xc3, 0xd4], 'a pcap capture'],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'an SQLite database'],
  [[0x89, 0x48, 0x44, 0x46], 'an HDF5 file'],
  [[0x50, 0x41, 0x52, 0x31], 'a Parquet file'],
  [[0x7f, 0x45, 0x4c, 0x46], 'a program (ELF)'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF'],
  [[0xff, 0xfe], 'text in UTF-16; convert it to UTF-8'],
  [[0xfe, 0xff], 'text in UTF-16; convert it to UTF-8'],
];

const linePatterns: readonly (readonly [RegExp, string])[] = [
  [/PuTTY log/i, 'a PuTTY terminal log'],
  [/^(VERSION\s+"|BU_:|BO_ \d+ )/, 'a DBC database; give it with --dbc and a log beside it'],
  [/^\s*[[{]/, 'JSON'],
  [/^\s*</, 'XML or HTML'],
  [/^\s*Chn\s+Identifier/i, 'a Kvaser text log'],
  [/^\d+\.\d+ \d?[RT](11|29) /, 'a CRTD log'],
  [/^[tTrR][0-9A-F]{4,}$/, 'SLCAN text'],
  [/^[^\t]*\t[^\t]*\t/, 'tab-separated columns of a data logger'],
  [/^[^,;]*[,;][^,;]*[,;]/, 'comma-separated columns'],
];

const controlCharacters = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/;
const linesLookedAt = 50;

/** What the content looks like, as an object of "this looks like …". */
export function foreignContent(head: Uint8Array, lines: readonly string[]): string {
  for (const [bytes, name] of signatures) {
    if (bytes.every((byte, i) => head[i] === byte)) return name;
  }
  const looked = lines.slice(0, linesLookedAt);
  if (looked.some((line) => controlCharacters.test(line))) return 'binary data';
  for (const [pattern, name] of linePatterns) if (looked.some((line) => pattern.test(line))) return name;
  return 'text without CAN frames';
}
