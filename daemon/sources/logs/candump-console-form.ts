import { dlcOfLength } from '../../core/can/data-length.js';
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  FRAME_TX,
} from '../../core/can/frame-batch.js';
import {
  bytesShort,
  decimalInteger,
  hexNumber,
  skipBlanks,
  spacedBytes,
  startsWithWord,
  wordEnd,
} from './byte-scan.js';
import type { CandumpFrame } from './candump-frame.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome } from './line-reader.js';

const singleQuote = 0x27;
const openSquare = 0x5b;
const closeSquare = 0x5d;
const openCurly = 0x7b;
const closeCurly = 0x7d;
const letterB = 0x42;
const letterE = 0x45;

/**
 * What stands behind the interface in candump's console form:
 * `[RX|TX B|- E|-]  id   [length]  data  ['ASCII' | remote request | ERRORFRAME]`.
 * Two digits of length mark CAN FD; `{code}` is a raw data length code of a classic frame.
 */
export function parseConsoleForm(
  bytes: Uint8Array,
  start: number,
  end: number,
  frame: CandumpFrame,
  writer: FrameWriter,
): LineOutcome {
  let at = start;
  let stop = wordEnd(bytes, at, end);
  if (stop - at === 2 && (startsWithWord(bytes, at, stop, 'rx') || startsWithWord(bytes, at, stop, 'tx'))) {
    if (startsWithWord(bytes, at, stop, 'tx')) frame.flags |= FRAME_TX;
    at = skipBlanks(bytes, stop, end);
    if (bytes[at] === letterB) frame.flags |= FRAME_BRS;
    at = skipBlanks(bytes, at + 1, end);
    if (bytes[at] === letterE) frame.flags |= FRAME_ESI;
    at = skipBlanks(bytes, at + 1, end);
    stop = wordEnd(bytes, at, end);
  }
  const idOutcome = frame.readId(bytes, at, stop);
  if (idOutcome !== 'frame') return idOutcome;

  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  const open = at < end ? bytes[at] : 0;
  const close = bytes[stop - 1];
  let length = -1;
  let dlc = -1;
  if (open === openSquare && close === closeSquare) {
    length = decimalInteger(bytes, at + 1, stop - 1);
    if (stop - at === 4) frame.flags |= FRAME_FD;
    if (length > (frame.flags & FRAME_FD ? FRAME_STRIDE : 8)) return 'length_invalid';
  } else if (open === openCurly && close === closeCurly) {
    dlc = hexNumber(bytes, at + 1, stop - 1);
    length = dlc > 8 && dlc < 16 ? 8 : -1;
  }
  if (length < 0) return 'length_invalid';
  if (dlc < 0) dlc = dlcOfLength(length);

  at = skipBlanks(bytes, stop, end);
  if (startsWithWord(bytes, at, end, 'remote request')) {
    frame.flags |= FRAME_REMOTE;
    return frame.commit(bytes, 0, dlc, writer);
  }
  const behind = spacedBytes(bytes, at, end, length, writer.batch.data, writer.dataOffset);
  if (behind < 0) return behind === bytesShort ? 'data_short' : 'data_invalid';
  at = skipBlanks(bytes, behind, end);
  if (at < end && bytes[at] !== singleQuote) {
    if (!startsWithWord(bytes, at, end, 'errorframe')) return 'data_long';
    frame.flags |= FRAME_ERROR;
  }
  return frame.commit(bytes, length, dlc, writer);
}
