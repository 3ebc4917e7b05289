import { FRAME_ERROR, FRAME_EXT, FRAME_REMOTE } from '../../core/can/frame-batch.js';
import { hexNumber } from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome } from './line-reader.js';

/** Flag bits of the Linux `canid_t`, which stand in ids of 8 digits. */
const canErrFlag = 0x20000000;
const canRtrFlag = 0x40000000;
const canEffFlag = 0x80000000;
const canErrMask = 0x1fffffff;

/** The frame being read; one object that every line fills anew. */
export class CandumpFrame {
  tS = 0;
  line = 0;
  id = 0;
  flags = 0;
  isError = false;
  busStart = 0;
  busEnd = 0;

  begin(line: number): void {
    this.line = line;
    this.tS = 0;
    this.flags = 0;
  }

  /** Reads the identifier: its width, not its value, tells 11 bit (3 digits) from 29 bit (8 digits). */
  readId(bytes: Uint8Array, start: number, end: number): LineOutcome {
    const value = hexNumber(bytes, start, end);
    this.isError = false;
    if (value < 0) return 'id_invalid';
    if (end - start === 3) {
      if (value > 0x7ff) return 'id_range';
      this.id = value;
      return 'frame';
    }
    if (end - start !== 8) return 'id_invalid';
    this.id = value % (canErrMask + 1);
    if (value & canErrFlag) {
      this.flags |= FRAME_ERROR;
      this.isError = true;
      return 'frame';
    }
    this.flags |= FRAME_EXT;
    if (value & canRtrFlag) this.flags |= FRAME_REMOTE;
    // Bit 31 marks 29-bit ids in raw canid_t values and says nothing new here.
    return value >= canEffFlag || value <= canErrMask || value & canRtrFlag ? 'frame' : 'id_range';
  }

  /** Adds the frame whose payload is in place. */
  commit(bytes: Uint8Array, length: number, dlc: number, writer: FrameWriter): LineOutcome {
    const bus = writer.bus(bytes, this.busStart, this.busEnd);
    if (bus < 0) return 'bus_invalid';
    writer.commit(this.tS, this.id, this.flags, length, dlc, bus, this.line);
    return 'frame';
  }
}
