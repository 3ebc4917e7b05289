import { dlcOfLength } from '../../core/can/data-length.js';
import { FRAME_ERROR, FRAME_FD, FRAME_REMOTE, FRAME_STRIDE } from '../../core/can/frame-batch.js';
import type { AscFrame } from './asc-frame.js';
import { integer, skipBlanks, spacedBytes, startsWithWord, wordEnd } from './byte-scan.js';
import type { FrameWriter } from './frame-writer.js';
import type { LineOutcome } from './line-reader.js';

/** Events with a channel that are no frames; transport protocol lines repeat frames that stand beside them. */
const otherEvents = ['statistic:', 'j1939tp', 'overloadframe', 'status:', 'errorlimit'] as const;

/**
 * What stands behind the channel: `id[x] Rx|Tx d dlc data …`, `id[x] Rx|Tx r [dlc] …` or `ErrorFrame …`.
 * The columns behind the data (length, bit count, id again) are not needed.
 */
export function parseAscClassicEvent(
  bytes: Uint8Array,
  start: number,
  end: number,
  frame: AscFrame,
  writer: FrameWriter,
): LineOutcome {
  let at = skipBlanks(bytes, start, end);
  let stop = wordEnd(bytes, at, end);
  if (startsWithWord(bytes, at, stop, 'errorframe')) {
    frame.flags |= FRAME_ERROR;
    return frame.commit(bytes, 0, 0, writer);
  }
  for (const word of otherEvents) if (startsWithWord(bytes, at, stop, word)) return 'nothing';
  let outcome = frame.readId(bytes, at, stop);
  if (outcome !== 'frame') return outcome;

  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  outcome = frame.readDirection(bytes, at, stop);
  if (outcome !== 'frame') return outcome;

  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  const kind = stop - at === 1 ? bytes[at]! | 0x20 : 0;
  at = skipBlanks(bytes, stop, end);
  stop = wordEnd(bytes, at, end);
  const dlc = integer(bytes, at, stop, frame.radix);
  if (kind === 0x72) {
    frame.flags |= FRAME_REMOTE;
    return frame.commit(bytes, 0, dlc >= 0 && dlc <= 15 ? dlc : 0, writer);
  }
  if (kind !== 0x64) return 'type_unknown';
  if (dlc < 0 || dlc > FRAME_STRIDE) return 'length_invalid';
  return readData(bytes, stop, end, dlc, frame, writer);
}

/**
 * Codes 9–15 of classic frames stand with 8 bytes. Some recorders write a CAN FD payload as a classic event
 * with its length in place of the code: more than 8 bytes can only be that.
 */
function readData(
  bytes: Uint8Array,
  start: number,
  end: number,
  dlc: number,
  frame: AscFrame,
  writer: FrameWriter,
): LineOutcome {
  const { data } = writer.batch;
  const offset = writer.dataOffset;
  let length = 0;
  let at = start;
  while (length < dlc) {
    const next = spacedBytes(bytes, at, end, 1, data, offset + length, frame.radix);
    if (next < 0) break;
    at = next;
    length++;
  }
  if (length === dlc && dlc > 8) {
    frame.flags |= FRAME_FD;
    return frame.commit(bytes, length, dlcOfLength(length), writer);
  }
  if (length === dlc || (length === 8 && dlc <= 15)) return frame.commit(bytes, length, dlc, writer);
  return skipBlanks(bytes, at, end) === end ? 'data_short' : 'data_invalid';
}
