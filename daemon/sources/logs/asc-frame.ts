import { FRAME_EXT, FRAME_TX } from '../../core/can/frame-batch.js';
import { integer, startsWithWord } from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome } from './line-reader.js';

const letterX = 0x78;

/** The frame being read; one object that every line fills anew. */
export class AscFrame {
  /** base of identifiers, codes and data bytes: the log's header says it */
  radix: 10 | 16 = 16;
  tS = 0;
  line = 0;
  id = 0;
  flags = 0;
  busStart = 0;
  busEnd = 0;

  begin(tS: number, line: number): void {
    this.tS = tS;
    this.line = line;
    this.id = 0;
    this.flags = 0;
  }

  /** Reads an identifier; an `x` behind it marks 29 bit. */
  readId(bytes: Uint8Array, start: number, end: number): LineOutcome {
    const isExt = end > start && (bytes[end - 1]! | 0x20) === letterX;
    const id = integer(bytes, start, isExt ? end - 1 : end, this.radix);
    if (id < 0) return 'id_invalid';
    if (id > (isExt ? 0x1fffffff : 0x7ff)) return 'id_range';
    this.id = id;
    if (isExt) this.flags |= FRAME_EXT;
    return 'frame';
  }

  /** Reads `Rx` or `Tx`. `TxRq` is a request to send, not a frame on the bus. */
  readDirection(bytes: Uint8Array, start: number, end: number): LineOutcome {
    if (end - start === 4 && startsWithWord(bytes, start, end, 'txrq')) return 'nothing';
    if (end - start !== 2) return 'direction_invalid';
    if (startsWithWord(bytes, start, end, 'tx')) this.flags |= FRAME_TX;
    else if (!startsWithWord(bytes, start, end, 'rx')) return 'direction_invalid';
    return 'frame';
  }

  commit(bytes: Uint8Array, length: number, dlc: number, writer: FrameWriter): LineOutcome {
    const bus = writer.bus(bytes, this.busStart, this.busEnd);
    if (bus < 0) return 'bus_too_many';
    writer.commit(this.tS, this.id, this.flags, length, dlc, bus, this.line);
    return 'frame';
  }
}
