import { hexValue, skipBlanks, startsWithWord, wordEnd } from './byte-scan.js';
import { parseConsoleForm } from './candump-console-form.js';
import { CandumpFrame } from './candump-frame.js';
import { parseLogForm } from './candump-log-form.js';
import { type CandumpTimeKind, candumpStamp, candumpTimeKind, isDated } from './candump-time.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome, LineParser } from './line-reader.js';

const tab = 0x09;
const hash = 0x23;
const openBracket = 0x28;
const closeBracket = 0x29;

/**
 * Text of can-utils' candump: the log form `(time) interface id#data` and the console form
 * `(time)  interface  id   [n]  data`, mixed as they may come.
 */
export class Candump implements LineParser {
  readonly hasAbsoluteTime: boolean;
  readonly announcesLength: boolean;
  readonly #timeKind: CandumpTimeKind;
  readonly #frame = new CandumpFrame();
  #lastTS = 0;

  /** `head`: the first lines of the log, from which the kind of time stamp is decided. */
  constructor(head: readonly string[]) {
    this.#timeKind = candumpTimeKind(head);
    this.hasAbsoluteTime = this.#timeKind === 'absolute';
    this.announcesLength = head.some((line) => /\s\[\d+\]/.test(line));
  }

  parse(bytes: Uint8Array, start: number, end: number, line: number, writer: FrameWriter): LineOutcome {
    const frame = this.#frame;
    let at = skipBlanks(bytes, start, end);
    if (at === end) return 'nothing';
    // With -e candump explains an error frame in a line that begins with a tab.
    if (bytes[start] === tab && frame.isError) return 'nothing';
    frame.begin(line);

    let outcome: LineOutcome = 'frame';
    if (bytes[at] === openBracket) {
      const stamp = ++at;
      while (at < end && bytes[at] !== closeBracket) at++;
      frame.tS = candumpStamp(bytes, stamp, at);
      if (at === end || Number.isNaN(frame.tS)) return 'time_invalid';
      if (isDated(bytes, stamp)) this.#noteLocalTime(line, writer);
      if (this.#timeKind === 'sinceFrameBefore') frame.tS = Math.round((this.#lastTS + frame.tS) * 1e6) / 1e6;
      at = skipBlanks(bytes, at + 1, end);
    } else if (startsWithWord(bytes, at, end, 'dropcount')) {
      return 'nothing';
    } else if (this.#timeKind !== 'none') {
      // In a log with times a line without one has lost its beginning.
      return 'time_invalid';
    }

    frame.busStart = at;
    frame.busEnd = wordEnd(bytes, at, end);
    const idStart = skipBlanks(bytes, frame.busEnd, end);
    at = idStart;
    while (at < end && hexValue[bytes[at]!]! < 16) at++;
    if (at === end) return 'line_unreadable';
    if (bytes[at] === hash) {
      outcome = frame.readId(bytes, idStart, at);
      if (outcome === 'frame') outcome = parseLogForm(bytes, at + 1, end, frame, writer);
    } else {
      outcome = parseConsoleForm(bytes, idStart, end, frame, writer);
    }
    if (outcome === 'frame') {
      this.#lastTS = frame.tS;
      if (this.#timeKind === 'none' && writer.frames === 1) writer.note(line, 'no_timestamps');
    }
    return outcome;
  }

  #noteLocalTime(line: number, writer: FrameWriter): void {
    if (!writer.diagnosticsByCode.has('local_time')) writer.note(line, 'local_time');
  }
}
