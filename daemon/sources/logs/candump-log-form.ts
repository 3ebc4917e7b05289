import { dlcOfLength } from '../../core/can/data-length.js';
import {
  FRAME_BRS,
  FRAME_ESI,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  FRAME_TX,
} from '../../core/can/frame-batch.js';
import { hexValue, skipBlanks } from './byte-scan.js';
import type { CandumpFrame } from './candump-frame.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome } from './line-reader.js';

const hash = 0x23;
const dot = 0x2e;
const letterR = 0x52;
const letterT = 0x54;
const underscore = 0x5f;

/**
 * What stands behind the `#` of candump's log form (`-l`, `-L`): hex data, `#` and a nibble of flags before it
 * for CAN FD, `R` and a length for remote frames, `_` and a raw data length code, a letter of direction.
 */
export function parseLogForm(
  bytes: Uint8Array,
  start: number,
  end: number,
  frame: CandumpFrame,
  writer: FrameWriter,
): LineOutcome {
  const data = writer.batch.data;
  const offset = writer.dataOffset;
  let at = start;
  let lengthMax = 8;
  let length = 0;
  let dlc = -1;
  if (at < end && bytes[at] === hash) {
    const fdFlags = at + 1 < end ? hexValue[bytes[at + 1]!]! : 255;
    if (fdFlags > 15) return 'data_invalid';
    frame.flags |= FRAME_FD | (fdFlags & 1 ? FRAME_BRS : 0) | (fdFlags & 2 ? FRAME_ESI : 0);
    lengthMax = FRAME_STRIDE;
    at += 2;
  } else if (at < end && bytes[at] === letterR) {
    frame.flags |= FRAME_REMOTE;
    dlc = 0;
    at++;
    const digit = at < end ? hexValue[bytes[at]!]! : 255;
    if (digit < 16) {
      if (digit > 8) return 'length_invalid';
      dlc = digit;
      at++;
    }
  }
  while (dlc < 0 && at < end) {
    const high = hexValue[bytes[at]!]!;
    if (high > 15) {
      // Bytes may be separated by dots.
      if (bytes[at] !== dot || length === 0) break;
      at++;
      continue;
    }
    const low = at + 1 < end ? hexValue[bytes[at + 1]!]! : 255;
    if (low > 15) return 'data_invalid';
    if (length === lengthMax) return 'data_long';
    data[offset + length++] = high * 16 + low;
    at += 2;
  }
  if (dlc < 0) dlc = dlcOfLength(length);
  if (at < end && bytes[at] === underscore) {
    // A classic frame of 8 bytes may carry a raw data length code of 9–15.
    const raw = at + 1 < end ? hexValue[bytes[at + 1]!]! : 255;
    if (raw < 9 || raw > 15 || dlc !== 8 || frame.flags & FRAME_FD) return 'length_invalid';
    dlc = raw;
    at += 2;
  }
  if (at < end) {
    const word = skipBlanks(bytes, at, end);
    if (word < end) {
      if (word === at || skipBlanks(bytes, word + 1, end) < end) return 'data_invalid';
      if (bytes[word] === letterT) frame.flags |= FRAME_TX;
      else if (bytes[word] !== letterR) return 'direction_invalid';
    }
  }
  return frame.commit(bytes, length, dlc, writer);
}
