import { dlcOfLength, lengthOfDlc } from '../../core/can/data-length.js';
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  FRAME_TX,
} from '../../core/can/frame-batch.js';
import {
  asciiText,
  bytesShort,
  decimalInteger,
  decimalNumber,
  hexNumber,
  millisecondsScale,
  skipBlanks,
  spacedBytes,
  startsWithWord,
  wordEnd,
} from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome, LineParser } from './line-reader.js';
import { columnsOfHeader, trcColumns } from './pcan-trc-layout.js';

const semicolon = 0x3b;
const dollar = 0x24;
const headerCharsMax = 100;
/** identifier of status lines in version 1.0, which has no column for the type */
const statusId = 0xffffffff;

/** Types of version 1 and 2: flags of the frame, or null where the line holds none (status, counters, events). */
const types = new Map<number, number | null>([
  [wordKey('Rx'), 0],
  [wordKey('Tx'), FRAME_TX],
  [wordKey('Error'), FRAME_ERROR],
  [wordKey('Warng'), null],
  [wordKey('DT'), 0],
  [wordKey('RR'), FRAME_REMOTE],
  [wordKey('FD'), FRAME_FD],
  [wordKey('FB'), FRAME_FD | FRAME_BRS],
  [wordKey('FE'), FRAME_FD | FRAME_ESI],
  [wordKey('BI'), FRAME_FD | FRAME_BRS | FRAME_ESI],
  [wordKey('ER'), FRAME_ERROR],
  [wordKey('ST'), null],
  [wordKey('EC'), null],
  [wordKey('EV'), null],
]);
const typeCharsMax = 5;

/** The bytes of a short word as one number, so that looking it up makes no string. */
function wordKey(word: string): number {
  return bytesKey(Buffer.from(word, 'latin1'), 0, word.length);
}

function bytesKey(bytes: Uint8Array, start: number, end: number): number {
  let key = 0;
  for (let i = start; i < end; i++) key = key * 256 + bytes[i]!;
  return key;
}

/** PCAN trace files, versions 1.0, 1.1, 1.2, 1.3, 2.0 and 2.1. Times are offsets from the start in ms. */
export class PcanTrc implements LineParser {
  readonly hasAbsoluteTime = false;
  readonly announcesLength = true;
  #columns: string;
  #tS = 0;
  #id = 0;
  #flags = 0;
  #busStart = 0;
  #busEnd = 0;
  #length = 0;
  #dlc = 0;

  constructor(head: readonly string[]) {
    this.#columns = trcColumns(head);
  }

  parse(bytes: Uint8Array, start: number, end: number, line: number, writer: FrameWriter): LineOutcome {
    let at = skipBlanks(bytes, start, end);
    if (at === end) return 'nothing';
    if (bytes[at] === semicolon) {
      if (bytes[at + 1] === dollar && end - at <= headerCharsMax) this.#header(asciiText(bytes, at, end));
      return 'nothing';
    }
    this.#flags = 0;
    this.#id = 0;
    this.#busStart = this.#busEnd = at;
    const columns = this.#columns;
    for (let i = 0; i < columns.length - 1; i++) {
      at = skipBlanks(bytes, at, end);
      const stop = wordEnd(bytes, at, end);
      const outcome = this.#column(columns.charCodeAt(i), bytes, at, stop);
      if (outcome === 'absent') continue;
      if (outcome !== 'frame') return outcome;
      at = stop;
    }
    return this.#data(bytes, skipBlanks(bytes, at, end), end, line, writer);
  }

  #header(text: string): void {
    // Version 2 names its columns in the line after the version, so the last word wins.
    this.#columns = columnsOfHeader(text) ?? this.#columns;
  }

  /** Reads the word of one column; `absent` where an error frame leaves the column blank. */
  #column(column: number, bytes: Uint8Array, at: number, stop: number): LineOutcome | 'absent' {
    const isError = (this.#flags & FRAME_ERROR) !== 0;
    switch (column) {
      case 0x4e: // N
        return stop > at ? 'frame' : 'line_unreadable';
      case 0x4f: // O
        this.#tS = decimalNumber(bytes, at, stop, millisecondsScale);
        return Number.isNaN(this.#tS) ? 'time_invalid' : 'frame';
      case 0x54: {
        // T
        if (stop - at > typeCharsMax) return 'type_unknown';
        const flags = types.get(bytesKey(bytes, at, stop));
        if (flags === undefined) return 'type_unknown';
        if (flags === null) return 'nothing';
        this.#flags |= flags;
        return 'frame';
      }
      case 0x42: // B
        this.#busStart = at;
        this.#busEnd = stop;
        return decimalInteger(bytes, at, stop) < 0 ? 'bus_invalid' : 'frame';
      case 0x49: // I
        if (isError && startsWithWord(bytes, at, stop, 'rx')) return 'absent';
        if (isError && startsWithWord(bytes, at, stop, 'tx')) return 'absent';
        return this.#readId(bytes, at, stop, isError);
      case 0x64: // d
        if (startsWithWord(bytes, at, stop, 'tx')) this.#flags |= FRAME_TX;
        else if (!startsWithWord(bytes, at, stop, 'rx')) return 'direction_invalid';
        return stop - at === 2 ? 'frame' : 'direction_invalid';
      case 0x4c: // L
        return this.#readLength(decimalInteger(bytes, at, stop), true);
      case 0x6c: // l
        if (isError) {
          this.#length = this.#dlc = -1;
          return 'absent';
        }
        return this.#readLength(decimalInteger(bytes, at, stop), false);
      default:
        return stop > at ? 'frame' : 'line_unreadable';
    }
  }

  #readId(bytes: Uint8Array, at: number, stop: number, isError: boolean): LineOutcome {
    const id = hexNumber(bytes, at, stop);
    const digits = stop - at;
    // PEAK writes 29 bits with 8 digits, a widespread library with at least 7.
    if (id < 0 || (digits !== 4 && digits < 7)) return isError ? 'frame' : 'id_invalid';
    // Version 1.0 has no type column: its status lines are known by an identifier that no frame can have.
    if (id === statusId) return 'nothing';
    if (id > (digits === 4 ? 0x7ff : 0x1fffffff)) return 'id_range';
    this.#id = id;
    if (digits > 4) this.#flags |= FRAME_EXT;
    return 'frame';
  }

  #readLength(value: number, isCode: boolean): LineOutcome {
    const isFd = (this.#flags & FRAME_FD) !== 0;
    const most = isCode ? 15 : isFd ? FRAME_STRIDE : 8;
    if (value < 0 || value > most) return 'length_invalid';
    this.#length = isCode ? lengthOfDlc(value, isFd) : value;
    this.#dlc = isCode ? value : dlcOfLength(value);
    return 'frame';
  }

  #data(bytes: Uint8Array, at: number, end: number, line: number, writer: FrameWriter): LineOutcome {
    if (startsWithWord(bytes, at, end, 'rtr')) this.#flags |= FRAME_REMOTE;
    const { data } = writer.batch;
    const offset = writer.dataOffset;
    let length = this.#flags & FRAME_REMOTE ? 0 : this.#length;
    if (length < 0) {
      // An error frame of version 2.0 leaves its length blank: all that stands there is data.
      length = 0;
      let next = spacedBytes(bytes, at, end, 1, data, offset);
      while (next >= 0 && length < 8) {
        length++;
        next = spacedBytes(bytes, next, end, 1, data, offset + length);
      }
      this.#dlc = length;
    } else {
      const behind = spacedBytes(bytes, at, end, length, data, offset);
      if (behind < 0) return behind === bytesShort ? 'data_short' : 'data_invalid';
    }
    const bus = writer.bus(bytes, this.#busStart, this.#busEnd);
    if (bus < 0) return 'bus_too_many';
    writer.commit(this.#tS, this.#id, this.#flags, length, this.#dlc, bus, line);
    return 'frame';
  }
}
