/** Records of Linux input devices (`struct input_event`, linux/input.h) on 64-bit machines: 24 bytes, little-endian. */

export const evdevRecordBytes = 24;

export interface KeyEvent {
  /** time of the event on the clock of the device's reader, by default the wall clock, µs */
  readonly timeUs: number;
  readonly key: number;
  readonly isPressed: boolean;
}

/** Events were lost: which keys are down is not known any more. */
export const keysLost = 'lost';

const typeSync = 0;
const typeKey = 1;
const codeDropped = 3;
/** A key that is held sends these over and over. */
const valueRepeat = 2;

/** Key events out of whole records; everything else a device may say is left out. */
export function readKeyEvents(bytes: Buffer): (KeyEvent | typeof keysLost)[] {
  const events: (KeyEvent | typeof keysLost)[] = [];
  for (let at = 0; at + evdevRecordBytes <= bytes.length; at += evdevRecordBytes) {
    const type = bytes.readUInt16LE(at + 16);
    const code = bytes.readUInt16LE(at + 18);
    const value = bytes.readInt32LE(at + 20);
    if (type === typeSync && code === codeDropped) events.push(keysLost);
    if (type !== typeKey || value === valueRepeat) continue;
    const timeUs = Number(bytes.readBigInt64LE(at)) * 1e6 + Number(bytes.readBigInt64LE(at + 8));
    events.push({ timeUs, key: code, isPressed: value !== 0 });
  }
  return events;
}
