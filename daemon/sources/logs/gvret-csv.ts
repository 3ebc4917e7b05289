import { dlcOfLength } from '../../core/can/data-length.js';
import { FRAME_EXT, FRAME_FD, FRAME_STRIDE, FRAME_TX } from '../../core/can/frame-batch.js';
import {
  asciiText,
  decimalInteger,
  decimalNumber,
  hexNumber,
  microsecondsScale,
  startsWithWord,
} from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome, LineParser } from './line-reader.js';

const comma = 0x2c;
const titles = ['time stamp', 'id', 'extended', 'dir', 'bus', 'len', 'd1'] as const;
type Title = (typeof titles)[number];
const columnsMax = 128;
const headerCharsMax = 1000;

/** SavvyCAN's GVRET table: µs, hex id, true|false, Rx|Tx, bus, length, one column a byte. */
export class GvretCsv implements LineParser {
  readonly hasAbsoluteTime = false;
  readonly announcesLength = true;
  #column: Record<Title, number>;
  /** start of each field; one more behind the last */
  readonly #starts = new Uint32Array(columnsMax + 1);
  #fields = 0;

  constructor(head: readonly string[]) {
    // Older tables have no column for the direction.
    const hasDirection = !head.some((line) => /^\d+,[0-9A-F]+,(true|false),\d+,/i.test(line));
    this.#column = columnsByTitle(hasDirection ? titles : titles.filter((title) => title !== 'dir'));
  }

  parse(bytes: Uint8Array, start: number, end: number, line: number, writer: FrameWriter): LineOutcome {
    if (start === end) return 'nothing';
    if (startsWithWord(bytes, start, end, 'time stamp')) return this.#header(bytes, start, end);
    this.#split(bytes, start, end);
    const column = this.#column;
    if (this.#fields <= column.len) return 'line_unreadable';
    const tS = decimalNumber(
      bytes,
      this.#start(column['time stamp']),
      this.#end(column['time stamp']),
      microsecondsScale,
    );
    if (Number.isNaN(tS)) return 'time_invalid';

    const id = hexNumber(bytes, this.#start(column.id), this.#end(column.id));
    if (id < 0) return 'id_invalid';
    const extended = this.#start(column.extended);
    let flags = 0;
    if (startsWithWord(bytes, extended, end, 'true') || bytes[extended] === 0x31) flags |= FRAME_EXT;
    else if (!startsWithWord(bytes, extended, end, 'false') && bytes[extended] !== 0x30)
      return 'type_unknown';
    if (id > (flags & FRAME_EXT ? 0x1fffffff : 0x7ff)) return 'id_range';

    if (column.dir >= 0) {
      if (startsWithWord(bytes, this.#start(column.dir), end, 'tx')) flags |= FRAME_TX;
      else if (!startsWithWord(bytes, this.#start(column.dir), end, 'rx')) return 'direction_invalid';
    }
    const busStart = this.#start(column.bus);
    const busEnd = this.#end(column.bus);
    if (decimalInteger(bytes, busStart, busEnd) < 0) return 'bus_invalid';
    const length = decimalInteger(bytes, this.#start(column.len), this.#end(column.len));
    if (length < 0 || length > FRAME_STRIDE) return 'length_invalid';
    if (length > 8) flags |= FRAME_FD;
    const offset = writer.dataOffset;
    for (let n = 0; n < length; n++) {
      const field = column.d1 + n;
      if (field >= this.#fields || this.#start(field) === this.#end(field)) return 'data_short';
      const value = hexNumber(bytes, this.#start(field), this.#end(field));
      if (value < 0 || value > 255) return 'data_invalid';
      writer.batch.data[offset + n] = value;
    }
    const bus = writer.bus(bytes, busStart, busEnd);
    if (bus < 0) return 'bus_too_many';
    writer.commit(tS, id, flags, length, dlcOfLength(length), bus, line);
    return 'frame';
  }

  #header(bytes: Uint8Array, start: number, end: number): LineOutcome {
    if (end - start > headerCharsMax) return 'line_unreadable';
    const found = columnsByTitle(
      asciiText(bytes, start, end)
        .toLowerCase()
        .split(',')
        .map((title) => title.trim()),
    );
    const isUsable = titles.every((title) => title === 'dir' || found[title] >= 0);
    if (!isUsable) return 'line_unreadable';
    this.#column = found;
    return 'nothing';
  }

  #split(bytes: Uint8Array, start: number, end: number): void {
    const starts = this.#starts;
    starts[0] = start;
    let fields = 1;
    for (let i = start; i < end && fields < columnsMax; i++) if (bytes[i] === comma) starts[fields++] = i + 1;
    starts[fields] = end + 1;
    this.#fields = fields;
  }

  #start(field: number): number {
    return this.#starts[field]!;
  }

  #end(field: number): number {
    return this.#starts[field + 1]! - 1;
  }
}

function columnsByTitle(found: readonly string[]): Record<Title, number> {
  return Object.fromEntries(titles.map((title) => [title, found.indexOf(title)])) as Record<Title, number>;
}
