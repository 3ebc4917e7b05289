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
  return new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252').decode(bytes);
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
