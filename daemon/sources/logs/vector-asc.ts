import { parseAscClassicEvent } from './asc-classic-event.js';
import { parseAscFdEvent } from './asc-fd-event.js';
import { AscFrame } from './asc-frame.js';
import {
  asciiText,
  decimalInteger,
  decimalNumber,
  secondsScale,
  skipBlanks,
  startsWithWord,
  wordEnd,
} from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome, LineParser } from './line-reader.js';

const slash = 0x2f;
const eventCharsMax = 200;
/** First words of lines that hold no event. Dates come in the recorder's language; they are not needed. */
const headerWords = ['date', 'base', 'internal', 'no', 'begin', 'end'] as const;
/** Looks like a CAN frame: used to tell a damaged frame from an event of another kind. */
const frameShape = /\s(Rx|Tx)\s+[dr](\s|$)/i;

/**
 * Vector's ASCII logging: classic and CAN FD frames, remote and error frames, among the events of many other
 * kinds that such a log may hold. Times are offsets from the start of the measurement.
 */
export class VectorAsc implements LineParser {
  readonly hasAbsoluteTime = false;
  readonly announcesLength = true;
  readonly #frame = new AscFrame();
  #isRelative = false;
  /** time of the event before in units of 10 ns, for relative times */
  #lastTicks = 0;

  constructor(head: readonly string[]) {
    for (const line of head) this.#readBase(line);
  }

  parse(bytes: Uint8Array, start: number, end: number, line: number, writer: FrameWriter): LineOutcome {
    let at = skipBlanks(bytes, start, end);
    if (at === end) return 'nothing';
    let stop = wordEnd(bytes, at, end);
    let tS = decimalNumber(bytes, at, stop, secondsScale);
    if (Number.isNaN(tS)) return this.#header(bytes, at, end);
    if (this.#isRelative) {
      this.#lastTicks += Math.round(tS * 1e8);
      tS = this.#lastTicks / 1e8;
    }
    const frame = this.#frame;
    frame.begin(tS, line);
    at = skipBlanks(bytes, stop, end);
    stop = wordEnd(bytes, at, end);
    if (startsWithWord(bytes, at, stop, 'canfd') && stop - at === 5) {
      return parseAscFdEvent(bytes, stop, end, frame, writer);
    }
    if (decimalInteger(bytes, at, stop) < 0) return damagedOrOther(bytes, at, end, 'bus_invalid');
    frame.busStart = at;
    frame.busEnd = stop;
    return parseAscClassicEvent(bytes, stop, end, frame, writer);
  }

  #header(bytes: Uint8Array, at: number, end: number): LineOutcome {
    if (bytes[at] === slash && bytes[at + 1] === slash) return 'nothing';
    for (const word of headerWords) {
      if (!startsWithWord(bytes, at, end, word)) continue;
      this.#readBase(asciiText(bytes, at, Math.min(end, at + eventCharsMax)));
      return 'nothing';
    }
    return 'time_invalid';
  }

  #readBase(text: string): void {
    const words = /^\s*base\s+(hex|dec)\s+timestamps\s+(absolute|relative)/i.exec(text);
    if (words === null) return;
    this.#frame.radix = words[1]?.toLowerCase() === 'dec' ? 10 : 16;
    this.#isRelative = words[2]?.toLowerCase() === 'relative';
  }
}

/** What a line is that has no place for a frame where one would stand. */
function damagedOrOther(bytes: Uint8Array, at: number, end: number, damage: LineOutcome): LineOutcome {
  return frameShape.test(asciiText(bytes, at, Math.min(end, at + eventCharsMax))) ? damage : 'nothing';
}
