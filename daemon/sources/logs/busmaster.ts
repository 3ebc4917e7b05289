import { dlcOfLength, lengthOfDlc } from '../../core/can/data-length.js';
import { FRAME_EXT, FRAME_FD, FRAME_REMOTE, FRAME_TX } from '../../core/can/frame-batch.js';
import {
  asciiText,
  bytesShort,
  decimalInteger,
  integer,
  skipBlanks,
  spacedBytes,
  startsWithWord,
  wordEnd,
} from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome, LineParser } from './line-reader.js';

const star = 0x2a;
const headerCharsMax = 200;
const dayS = 86_400;

/**
 * BUSMASTER log files: `hh:mm:ss:fff Rx|Tx channel id type length data`, the fraction in ms or 100 µs, types
 * s, x (standard, extended), each with r for remote. In the system time mode the time is the time of day;
 * offsets are counted from the first frame then, over midnight too.
 */
export class Busmaster implements LineParser {
  readonly hasAbsoluteTime = false;
  readonly announcesLength = true;
  #radix: 10 | 16;
  #isTimeOfDay: boolean;
  #startS = -1;
  #lastS = 0;
  #days = 0;

  constructor(head: readonly string[]) {
    this.#radix = head.some((line) => /^\*\*\*DEC\*\*\*/i.test(line)) ? 10 : 16;
    this.#isTimeOfDay = head.some((line) => /^\*\*\*SYSTEM MODE\*\*\*/i.test(line));
  }

  parse(bytes: Uint8Array, start: number, end: number, line: number, writer: FrameWriter): LineOutcome {
    let at = skipBlanks(bytes, start, end);
    if (at === end) return 'nothing';
    if (bytes[at] === star) return this.#header(bytes, at, end);
    let stop = wordEnd(bytes, at, end);
    const clockS = clockTime(bytes, at, stop);
    if (Number.isNaN(clockS)) return 'time_invalid';

    at = skipBlanks(bytes, stop, end);
    stop = wordEnd(bytes, at, end);
    let flags = 0;
    if (startsWithWord(bytes, at, stop, 'tx')) flags |= FRAME_TX;
    else if (!startsWithWord(bytes, at, stop, 'rx')) return 'direction_invalid';

    const busStart = skipBlanks(bytes, stop, end);
    const busEnd = wordEnd(bytes, busStart, end);
    if (decimalInteger(bytes, busStart, busEnd) < 0) return 'bus_invalid';

    at = skipBlanks(bytes, busEnd, end);
    stop = wordEnd(bytes, at, end);
    const isHex = startsWithWord(bytes, at, stop, '0x');
    const id = integer(bytes, isHex ? at + 2 : at, stop, isHex ? 16 : this.#radix);
    if (id < 0) return 'id_invalid';

    at = skipBlanks(bytes, stop, end);
    stop = wordEnd(bytes, at, end);
    const type = stop - at <= 3 ? asciiText(bytes, at, stop).toLowerCase() : '';
    if (!/^[sx](r|-?fd?)?$/.test(type)) return 'type_unknown';
    if (type.startsWith('x')) flags |= FRAME_EXT;
    if (type.includes('r')) flags |= FRAME_REMOTE;
    if (type.includes('f')) flags |= FRAME_FD;
    if (id > (flags & FRAME_EXT ? 0x1fffffff : 0x7ff)) return 'id_range';

    at = skipBlanks(bytes, stop, end);
    stop = wordEnd(bytes, at, end);
    const announced = decimalInteger(bytes, at, stop);
    if (announced < 0 || announced > (flags & FRAME_FD ? 64 : 15)) return 'length_invalid';
    const length = flags & FRAME_REMOTE ? 0 : flags & FRAME_FD ? announced : lengthOfDlc(announced, false);
    const behind = spacedBytes(bytes, stop, end, length, writer.batch.data, writer.dataOffset, this.#radix);
    if (behind < 0) return behind === bytesShort ? 'data_short' : 'data_invalid';
    const bus = writer.bus(bytes, busStart, busEnd);
    if (bus < 0) return 'bus_too_many';
    const dlc = flags & FRAME_FD ? dlcOfLength(announced) : announced;
    writer.commit(this.#offset(clockS), id, flags, length, dlc, bus, line);
    return 'frame';
  }

  #header(bytes: Uint8Array, at: number, end: number): LineOutcome {
    const text = end - at <= headerCharsMax ? asciiText(bytes, at, end).trim().toUpperCase() : '';
    if (text === '***DEC***') this.#radix = 10;
    else if (text === '***HEX***') this.#radix = 16;
    return 'nothing';
  }

  #offset(clockS: number): number {
    if (!this.#isTimeOfDay) return clockS;
    if (this.#startS < 0) this.#startS = clockS;
    // A clock that jumps back by half a day has passed midnight.
    else if (clockS < this.#lastS - dayS / 2) this.#days++;
    this.#lastS = clockS;
    return Math.round((clockS + this.#days * dayS - this.#startS) * 1e4) / 1e4;
  }
}

/** `hh:mm:ss:fff` or `:ffff` in seconds, NaN where it is none. */
function clockTime(bytes: Uint8Array, start: number, end: number): number {
  const colon = 0x3a;
  let at = start;
  let seconds = 0;
  for (let part = 0; part < 3; part++) {
    const from = at;
    while (at < end && bytes[at] !== colon) at++;
    const value = decimalInteger(bytes, from, at);
    if (value < 0 || at === end || (part > 0 && value > 59)) return Number.NaN;
    seconds = seconds * 60 + value;
    at++;
  }
  const fraction = decimalInteger(bytes, at, end);
  const digits = end - at;
  if (fraction < 0 || digits < 3 || digits > 4) return Number.NaN;
  const unit = digits === 4 ? 1e4 : 1e3;
  return (seconds * unit + fraction) / unit;
}
