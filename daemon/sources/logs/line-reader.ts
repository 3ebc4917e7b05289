import type { ByteInput } from './byte-input.js';
import type { DamageCode } from './damage-codes.js';
import type { FrameWriter } from './frame-writer.js';
import type { FrameReader } from './log-source.js';

/** `frame`: added to the writer; `nothing`: a line without a frame by design; else what is wrong with it. */
export type LineOutcome = 'frame' | 'nothing' | DamageCode;

/** What a text format knows: how to read one line. It keeps no reference to the bytes. */
export interface LineParser {
  readonly hasAbsoluteTime: boolean;
  /** false where a line that was cut can look whole, so that a missing line end must be told */
  readonly announcesLength: boolean;
  /** Reads the bytes `start` … `end` − 1, a line without its end; `line` counts from 1. */
  parse(bytes: Uint8Array, start: number, end: number, line: number, writer: FrameWriter): LineOutcome;
}

const bufferBytes = 262_144;
/** The longest real line (ASC, a CAN FD frame with all its columns) has under 1,000 bytes. */
const lineBytesMax = 65_536;
const excerptBytesMax = 60;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Reads any text format line by line from one buffer of fixed size, whatever the input holds. */
export class LineReader implements FrameReader {
  readonly hasAbsoluteTime: boolean;
  readonly #input: ByteInput;
  readonly #parser: LineParser;
  readonly #bytes = new Uint8Array(bufferBytes);
  #start = 0;
  #scanned = 0;
  #end = 0;
  #line = 0;
  #isSkipping = false;

  constructor(input: ByteInput, parser: LineParser) {
    this.#input = input;
    this.#parser = parser;
    this.hasAbsoluteTime = parser.hasAbsoluteTime;
  }

  async fill(writer: FrameWriter): Promise<boolean> {
    for (;;) {
      this.#takeWholeLines(writer);
      if (writer.batch.isFull || (this.#input.isLive && writer.batch.count > 0)) return true;
      this.#makeRoom(writer);
      const count = await this.#input.read(this.#bytes, this.#end);
      this.#end += count;
      if (count > 0) continue;
      this.#takeRest(writer);
      return false;
    }
  }

  close(): Promise<void> {
    return this.#input.close();
  }

  #takeWholeLines(writer: FrameWriter): void {
    const bytes = this.#bytes;
    const { batch } = writer;
    while (!batch.isFull) {
      let eol = this.#scanned;
      while (eol < this.#end && bytes[eol] !== lineFeed) eol++;
      this.#scanned = eol;
      if (eol === this.#end) return;
      this.#takeLine(this.#start, eol, writer);
      this.#start = eol + 1;
      this.#scanned = this.#start;
    }
  }

  #takeLine(start: number, end: number, writer: FrameWriter): void {
    this.#line++;
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return;
    }
    if (end > start && this.#bytes[end - 1] === carriageReturn) end--;
    const outcome = this.#parser.parse(this.#bytes, start, end, this.#line, writer);
    if (outcome === 'frame') return;
    if (outcome === 'nothing') writer.ignored++;
    else writer.damage(this.#line, outcome, () => excerpt(this.#bytes, start, end));
  }

  /** What stands behind the last line end. */
  #takeRest(writer: FrameWriter): void {
    const { damage } = this.#input;
    const start = this.#start;
    const end = this.#end;
    this.#start = end;
    if (start < end && !this.#isSkipping) {
      this.#line++;
      // Where the input is known to be cut, half a line must not pass for a frame with fewer bytes.
      const outcome =
        damage !== null ? 'line_cut' : this.#parser.parse(this.#bytes, start, end, this.#line, writer);
      if (outcome === 'nothing') writer.ignored++;
      else if (outcome !== 'frame') {
        writer.damage(this.#line, 'line_cut', () => excerpt(this.#bytes, start, end));
      } else if (!this.#parser.announcesLength) writer.note(this.#line, 'no_final_newline');
    }
    if (damage !== null) writer.damage(this.#line, damage);
  }

  /** Moves the open line to the front of the buffer; gives it up where it is too long for any format. */
  #makeRoom(writer: FrameWriter): void {
    let kept = this.#end - this.#start;
    if (this.#isSkipping) kept = 0;
    else if (kept > lineBytesMax) {
      const start = this.#start;
      writer.damage(this.#line + 1, 'line_too_long', () => excerpt(this.#bytes, start, this.#end));
      this.#isSkipping = true;
      kept = 0;
    }
    if (kept > 0 && this.#start > 0) this.#bytes.copyWithin(0, this.#start, this.#end);
    this.#start = 0;
    this.#end = kept;
    this.#scanned = kept;
  }
}

/** The beginning of a line for a message: printable ASCII stays, everything else becomes a dot. */
function excerpt(bytes: Uint8Array, start: number, end: number): string {
  const stop = Math.min(end, start + excerptBytesMax);
  let text = '';
  for (let i = start; i < stop; i++) {
    const byte = bytes[i] ?? 0;
    text += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  return `"${text}${stop < end ? '…' : ''}"`;
}
