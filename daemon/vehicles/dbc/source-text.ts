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

/** Turns text offsets into lines and columns, both from 1. */
export class LineIndex {
  readonly #starts: Uint32Array;

  constructor(text: string) {
    let count = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
    this.#starts = new Uint32Array(count);
    let line = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#starts[line] = at + 1;
      line++;
    }
  }

  place(offset: number): SourcePlace {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 };
  }
}
