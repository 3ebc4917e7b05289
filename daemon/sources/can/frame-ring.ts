/**
 * The consumer's side of the ring that the native receive thread fills: 88-byte slots, layout in
 * native/can_rx/frame_slot.h. Frames are copied into a FrameBatch without creating an object a frame.
 */
import { FRAME_STRIDE, type FrameBatch } from '../../core/can/frame-batch.js';

export const slotBytes = 88;
/** Words are read as the machine has them: both supported architectures are little-endian. */
const driveWord = 2;
const idWord = 4;
const flagsAt = 20;
const lengthAt = 21;
const dlcAt = 22;
const busAt = 23;
const dataAt = 24;

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
    const words = this.#words;
    for (let k = 0; k < count; k++) {
      const at = ((start + k) & this.#mask) * slotBytes;
      const word = at >>> 2;
      // Two words instead of a BigInt, which would be an object a frame. The sum is rounded to 256 ns.
      const timeNs = words[word + 1]! * 4294967296 + words[word]!;
      const i = this.#move(batch, at, bus, (start + k + 1) >>> 0);
      timesUs[i] = Math.floor(timeNs / 1000);
      batch.tS[i] = timesUs[i]! / 1e6;
    }
    Atomics.store(this.control, 1, (start + count) | 0);
    return count;
  }

  /**
   * Moves at most `most` frames of a ring that several interfaces share and whose frames have been decoded. Each has its
   * own bus; `timesUs[i]` gets the drive time that it was decoded with.
   */
  drainDecoded(batch: FrameBatch, timesUs: Float64Array, most: number): number {
    const start = Atomics.load(this.control, 1);
    const count = Math.min(most, batch.capacity - batch.count);
    const words = this.#words;
    for (let k = 0; k < count; k++) {
      const at = ((start + k) & this.#mask) * slotBytes;
      const word = (at >>> 2) + driveWord;
      const i = this.#move(batch, at, this.slots[at + busAt]!, (start + k + 1) >>> 0);
      timesUs[i] = words[word + 1]! * 4294967296 + words[word]!;
      batch.tS[i] = timesUs[i]! / 1e6;
    }
    Atomics.store(this.control, 1, (start + count) | 0);
    return count;
  }

  #move(batch: FrameBatch, at: number, bus: number, line: number): number {
    const { slots } = this;
    const { data } = batch;
    const i = batch.count++;
    const length = slots[at + lengthAt]!;
    batch.id[i] = this.#words[(at >>> 2) + idWord]!;
    batch.flags[i] = slots[at + flagsAt]!;
    batch.length[i] = length;
    batch.dlc[i] = slots[at + dlcAt]!;
    batch.bus[i] = bus;
    batch.line[i] = line;
    const to = i * FRAME_STRIDE;
    for (let b = 0; b < length; b++) data[to + b] = slots[at + dataAt + b]!;
    return i;
  }
}
