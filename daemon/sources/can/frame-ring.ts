/**
 * The consumer's side of the ring that the native receive thread fills: 80-byte slots, layout in
 * native/can_rx/frame_slot.h. Frames are copied into a FrameBatch without creating an object a frame.
 */
import { FRAME_STRIDE, type FrameBatch } from '../../core/can/frame-batch.js';

export const slotBytes = 80;
/** Words are read as the machine has them: both supported architectures are little-endian. */
const idWord = 2;
const flagsAt = 12;
const lengthAt = 13;
const dlcAt = 14;
const dataAt = 16;

export class FrameRing {
  /** written, read, dropped: words shared with the native producer */
  readonly control: Int32Array;
  readonly slots: Uint8Array;
  readonly #words: Uint32Array;
  readonly #mask: number;

  /** @param capacity a power of two */
  constructor(readonly capacity: number) {
    this.control = new Int32Array(new SharedArrayBuffer(12));
    this.slots = new Uint8Array(new SharedArrayBuffer(capacity * slotBytes));
    this.#words = new Uint32Array(this.slots.buffer);
    this.#mask = capacity - 1;
  }

  get waiting(): number {
    return (Atomics.load(this.control, 0) - Atomics.load(this.control, 1)) >>> 0;
  }

  get dropped(): number {
    return Atomics.load(this.control, 2) >>> 0;
  }

  /** sequence number of the next frame to be read, modulo 2^32: the watermark of a tick */
  get position(): number {
    return Atomics.load(this.control, 1) >>> 0;
  }

  /**
   * Moves frames into `batch` until one of them is empty or full; returns how many. `timesUs[i]` gets the receive time
   * of the batch's frame i on the realtime clock, in whole µs, and `batch.tS` the same in seconds.
   */
  drain(batch: FrameBatch, bus: number, timesUs: Float64Array): number {
    const start = Atomics.load(this.control, 1);
    const count = Math.min((Atomics.load(this.control, 0) - start) >>> 0, batch.capacity - batch.count);
    const { slots } = this;
    const words = this.#words;
    const { data } = batch;
    for (let k = 0; k < count; k++) {
      const at = ((start + k) & this.#mask) * slotBytes;
      const word = at >>> 2;
      const i = batch.count++;
      // Two words instead of a BigInt, which would be an object a frame. The sum is rounded to 256 ns.
      const timeNs = words[word + 1]! * 4294967296 + words[word]!;
      const timeUs = Math.floor(timeNs / 1000);
      const length = slots[at + lengthAt]!;
      timesUs[i] = timeUs;
      batch.tS[i] = timeUs / 1e6;
      batch.id[i] = words[word + idWord]!;
      batch.flags[i] = slots[at + flagsAt]!;
      batch.length[i] = length;
      batch.dlc[i] = slots[at + dlcAt]!;
      batch.bus[i] = bus;
      batch.line[i] = (start + k + 1) >>> 0;
      const to = i * FRAME_STRIDE;
      for (let b = 0; b < length; b++) data[to + b] = slots[at + dataAt + b]!;
    }
    Atomics.store(this.control, 1, (start + count) | 0);
    return count;
  }
}
