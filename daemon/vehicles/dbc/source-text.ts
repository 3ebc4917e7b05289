import { isUtf8 } from 'node:buffer';

/**
 * Text of a DBC file. The format names no encoding: files are UTF-8 (with or without byte order mark) or an
 * 8-bit code page, in practice cp1252; bytes of other code pages come out as other letters but never fail.
 * UTF-16 is recognised by its mark. Line ends become places where '\n' stands: a lone '\r' counts as one.
 */
export function decodeText(bytes: Uint8Array): string {
  const text = decodeBytes(bytes.subarray(0, contentLength(bytes)));
  return text.includes('\n') || !text.includes('\r') ? text : text.replaceAll('\r', '\n');
}

/** Without the end mark of DOS (0x1A) and the zeros with which some tools fill the last block. */
function contentLength(bytes: Uint8Array): number {
  let length = bytes.length;
  while (length > 1 && bytes[length - 1] === 0x1a) length--;
  while (length > 1 && bytes[length - 1] === 0 && bytes[length - 2] === 0) length--;
  return length;
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
/** Bytes looked at: the begin, and as many spread over the rest. */
const sampleBytes = 8192;

/**
 * Where a file that is no text shows it: the offset of its first control character, or −1 for a text. Judged
 * by a sample; UTF-16 with its mark is a text.
 */
export function binaryOffset(bytes: Uint8Array): number {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return -1;
  const step = Math.max(1, Math.floor((bytes.length - sampleBytes) / sampleBytes));
  // Bytes 0x80 … 0x9F are letters in UTF-8 and, rarely, characters of cp1252.
  const isHighControl = !isUtf8(bytes);
  let seen = 0;
  let count = 0;
  let first = -1;
  for (let i = 0; i < bytes.length; i += i < sampleBytes ? 1 : step) {
    const byte = bytes[i]!;
    seen++;
    const isLow = byte < 0x09 || (byte > 0x0d && byte < 0x20);
    if (!isLow && !(isHighControl && byte >= 0x7f && byte < 0xa0)) continue;
    count++;
    if (first < 0) first = i;
  }
  return count > seen * controlShareMax ? first : -1;
}

export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

const linesPerMark = 64;

/**
 * Turns text offsets into lines and columns, both from 1. Goes on from the place asked for before, which
 * makes a pass through a file linear; for the way back the start of every 64th line is remembered.
 */
export class LineIndex {
  readonly #text: string;
  readonly #marks: number[] = [0];
  #line = 1;
  #lineStart = 0;
  #nextLineStart: number;

  constructor(text: string) {
    this.#text = text;
    this.#nextLineStart = this.#after(0);
  }

  place(offset: number): SourcePlace {
    if (offset < this.#lineStart) this.#goBack(offset);
    while (offset >= this.#nextLineStart) {
      this.#line++;
      this.#lineStart = this.#nextLineStart;
      this.#nextLineStart = this.#after(this.#lineStart);
      if (this.#line === this.#marks.length * linesPerMark + 1) this.#marks.push(this.#lineStart);
    }
    return { line: this.#line, column: offset - this.#lineStart + 1 };
  }

  /** To the last remembered line that begins at or before `offset`. */
  #goBack(offset: number): void {
    let low = 0;
    let high = this.#marks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#marks[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    this.#line = low * linesPerMark + 1;
    this.#lineStart = this.#marks[low]!;
    this.#nextLineStart = this.#after(this.#lineStart);
  }

  #after(lineStart: number): number {
    const end = this.#text.indexOf('\n', lineStart);
    return end < 0 ? Number.POSITIVE_INFINITY : end + 1;
  }
}
