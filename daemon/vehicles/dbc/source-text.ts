import { isUtf8 } from 'node:buffer';

/**
 * Text of a DBC file. The format names no encoding: files are UTF-8 (with or without byte order mark) or an
 * 8-bit code page, in practice cp1252; bytes of other code pages come out as other letters but never fail.
 * UTF-16 is recognised by its mark. Line ends become places where '\n' stands: a lone '\r' counts as one.
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeBytes(bytes);
  return text.includes('\n') || !text.includes('\r') ? text : text.replaceAll('\r', '\n');
}

function decodeBytes(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return isUtf8(bytes) ? new TextDecoder('utf-8').decode(bytes) : decodeCp1252(bytes);
}

/** Characters of 0x80 … 0x9F; the five codes without a character stay control characters. */
const cp1252High =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/**
 * Not by TextDecoder: that of Node 20 and 22 decodes windows-1252 as ISO 8859-1. In pieces, so that plain
 * stretches stay short strings.
 */
function decodeCp1252(bytes: Uint8Array): string {
  const piece = 1 << 16;
  const units = new Uint16Array(piece);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += piece) {
    const part = bytes.subarray(start, start + piece);
    let isLatin1 = true;
    for (let i = 0; i < part.length; i++) {
      const byte = part[i]!;
      const isHigh = byte >= 0x80 && byte < 0xa0;
      if (isHigh) isLatin1 = false;
      units[i] = isHigh ? cp1252High.charCodeAt(byte - 0x80) : byte;
    }
    const source = isLatin1 ? part : new Uint8Array(units.buffer, 0, part.length * 2);
    pieces.push(
      Buffer.from(source.buffer, source.byteOffset, source.length).toString(isLatin1 ? 'latin1' : 'utf16le'),
    );
  }
  return pieces.join('');
}

/** More of its bytes than this are control characters: a file is no text. */
const controlShareMax = 0.05;

/**
 * Where a file that is no text shows it: the offset of its first control character, or −1 for a text. UTF-16
 * with its mark is a text.
 */
export function binaryOffset(bytes: Uint8Array): number {
  if (isUtf16(bytes)) return -1;
  let count = 0;
  let first = -1;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const isControl = byte < 0x20 ? byte < 0x09 || byte > 0x0d : byte >= 0x7f && byte < 0xa0;
    if (!isControl) continue;
    count++;
    if (first < 0) first = i;
  }
  if (count <= bytes.length * controlShareMax) return -1;
  // Letters beyond ASCII in UTF-8 have such bytes too.
  return isUtf8(bytes) && !hasControls(bytes) ? -1 : first;
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Control characters of ASCII: those that a text in UTF-8 has no use for. */
function hasControls(bytes: Uint8Array): boolean {
  let count = 0;
  for (const byte of bytes) if (byte < 0x09 || (byte > 0x0d && byte < 0x20)) count++;
  return count > bytes.length * controlShareMax;
}

export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

const blockBits = 9;

/**
 * Turns text offsets into lines and columns, both from 1. Keeps for every 512 characters the line at their
 * begin and where that line began: a bounded search for each place, whatever the lengths of the lines.
 */
export class LineIndex {
  readonly #text: string;
  readonly #line: Uint32Array;
  readonly #lineStart: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    const blocks = (text.length >>> blockBits) + 1;
    this.#line = new Uint32Array(blocks);
    this.#lineStart = new Uint32Array(blocks);
    let line = 1;
    let lineStart = 0;
    for (let block = 0, at = 0; block < blocks; block++) {
      this.#line[block] = line;
      this.#lineStart[block] = lineStart;
      const end = Math.min((block + 1) << blockBits, text.length);
      for (; at < end; at++) {
        if (text.charCodeAt(at) !== 0x0a) continue;
        line++;
        lineStart = at + 1;
      }
    }
  }

  place(offset: number): SourcePlace {
    const block = offset >>> blockBits;
    let line = this.#line[block]!;
    let lineStart = this.#lineStart[block]!;
    for (let at = block << blockBits; at < offset; at++) {
      if (this.#text.charCodeAt(at) !== 0x0a) continue;
      line++;
      lineStart = at + 1;
    }
    return { line, column: offset - lineStart + 1 };
  }
}
