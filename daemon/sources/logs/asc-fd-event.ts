import { lengthOfDlc } from '../../core/can/data-length.js';
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
} from '../../core/can/frame-batch.js';
import type { AscFrame } from './asc-frame.js';
import {
  bytesShort,
  decimalInteger,
  hexNumber,
  integer,
  skipBlanks,
  spacedBytes,
  startsWithWord,
  wordEnd,
} from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome } from './line-reader.js';

/** Bits of the flags column. */
const flagRemote = 0x10;
const flagFdFormat = 0x1000;

/**
 * What stands behind `CANFD`: `channel Rx|Tx id[x] [name] BRS ESI dlc length data duration bits flags …` or
 * `channel Rx|Tx ErrorFrame …`. Such lines hold classic frames too; the flags tell.
 */
export function parseAscFdEvent(
  bytes: Uint8Array,
  start: number,
  end: number,
  frame: AscFrame,
  writer: FrameWriter,
): LineOutcome {
  let at = skipBlanks(bytes, start, end);
  let stop = wordEnd(bytes, at, end);
  if (decimalInteger(bytes, at, stop) < 0) return 'bus_invalid';
  frame.busStart = at;
  frame.busEnd = stop;

  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  let outcome = frame.readDirection(bytes, at, stop);
  if (outcome !== 'frame') return outcome;

  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  if (startsWithWord(bytes, at, stop, 'errorframe')) {
    frame.flags |= FRAME_FD | FRAME_ERROR;
    return frame.commit(bytes, 0, 0, writer);
  }
  outcome = frame.readId(bytes, at, stop);
  if (outcome !== 'frame') return outcome;

  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  let bit = bitOf(bytes, at, stop);
  if (bit < 0) {
    // The name of the message, which stands here where the recorder knew a database.
    at = skipBlanks(bytes, stop, end);
    stop = wordEnd(bytes, at, end);
    bit = bitOf(bytes, at, stop);
  }
  const brs = bit;
  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  const esi = bitOf(bytes, at, stop);
  if (brs < 0 || esi < 0) return 'type_unknown';

  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  const dlc = integer(bytes, at, stop, frame.radix);
  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  const length = decimalInteger(bytes, at, stop);
  if (dlc < 0 || dlc > 15 || length < 0 || length > Math.min(FRAME_STRIDE, lengthOfDlc(dlc, true))) {
    return 'length_invalid';
  }
  const behind = spacedBytes(bytes, stop, end, length, writer.batch.data, writer.dataOffset, frame.radix);
  if (behind < 0) return behind === bytesShort ? 'data_short' : 'data_invalid';

  const flags = flagsColumn(bytes, behind, end);
  const isClassic = flags >= 0 && !(flags & flagFdFormat) && dlc <= 8 && brs === 0 && esi === 0;
  if (!isClassic) frame.flags |= FRAME_FD;
  if (brs === 1) frame.flags |= FRAME_BRS;
  if (esi === 1) frame.flags |= FRAME_ESI;
  if (length === 0 && (dlc > 0 || (flags >= 0 && flags & flagRemote))) frame.flags |= FRAME_REMOTE;
  return frame.commit(bytes, length, dlc, writer);
}

function bitOf(bytes: Uint8Array, start: number, end: number): number {
  return end - start === 1 && (bytes[start] === 0x30 || bytes[start] === 0x31) ? bytes[start]! - 0x30 : -1;
}

/** The third column behind the data, −1 where it is not there. */
function flagsColumn(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  let stop = start;
  for (let column = 0; column < 3; column++) {
    at = skipBlanks(bytes, stop, end);
    stop = wordEnd(bytes, at, end);
  }
  return hexNumber(bytes, at, stop);
}
