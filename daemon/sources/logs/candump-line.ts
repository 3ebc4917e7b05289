/** One frame as `candump -L` writes it: what every tool of the field reads. */
import {
  FRAME_BRS,
  FRAME_ERROR,
  FRAME_ESI,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../../core/can/frame-batch.js';

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
/** CAN_ERR_FLAG of linux/can.h: the identifier of an error frame is written with it */
const errorFlag = 0x20000000;
const digits = (number: number, count: number) => number.toString(16).toUpperCase().padStart(count, '0');

/** `(1700000000.123456) can0 123#DEADBEEF` with its line feed; `timeUs` is Unix time. */
export function candumpLine(batch: FrameBatch, i: number, timeUs: number): string {
  const flags = batch.flags[i]!;
  const seconds = Math.floor(timeUs / 1e6);
  const micros = String(Math.floor(timeUs - seconds * 1e6)).padStart(6, '0');
  const bus = batch.busNames[batch.bus[i]!] ?? `can${batch.bus[i]}`;
  return `(${String(seconds).padStart(10, '0')}.${micros}) ${bus} ${identifier(batch.id[i]!, flags)}${content(batch, i, flags)}\n`;
}

function identifier(id: number, flags: number): string {
  if ((flags & FRAME_ERROR) !== 0) return digits((id | errorFlag) >>> 0, 8);
  return digits(id, (flags & FRAME_EXT) !== 0 ? 8 : 3);
}

function content(batch: FrameBatch, i: number, flags: number): string {
  if ((flags & FRAME_REMOTE) !== 0) return batch.dlc[i]! > 0 ? `#R${digits(batch.dlc[i]!, 1)}` : '#R';
  const start = i * FRAME_STRIDE;
  let text = '#';
  // CANFD_BRS = 1, CANFD_ESI = 2
  if ((flags & FRAME_FD) !== 0) {
    text = `##${((flags & FRAME_BRS) !== 0 ? 1 : 0) | ((flags & FRAME_ESI) !== 0 ? 2 : 0)}`;
  }
  for (let at = start; at < start + batch.length[i]!; at++) text += hexBytes[batch.data[at]!]!;
  return text;
}
