import type { ByteInput } from './byte-input.js';

/**
 * A window on a stream of bytes: filled at its end, used up at its start. It holds no more than what is asked
 * for at once plus one read.
 */
export class ByteQueue {
  #bytes = Buffer.allocUnsafe(65_536);
  #start = 0;
  #end = 0;
  /** position of the window's start in the stream */
  position = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** The bytes of the window; valid until the next `append`, `ensure` or `drop`. */
  get view(): Buffer {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Reads until the window holds `count` bytes; false where the input ends before. */
  async ensure(count: number, input: ByteInput): Promise<boolean> {
    while (this.length < count) {
      this.#reserve(Math.max(count - this.length, 16_384));
      const read = await input.read(this.#bytes, this.#end);
      if (read === 0) return false;
      this.#end += read;
    }
    return true;
  }

  drop(count: number): void {
    this.#start += count;
    this.position += count;
  }

  #reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const { length } = this;
    const wanted = length + count;
    const target = wanted > this.#bytes.length ? Buffer.allocUnsafe(wanted) : this.#bytes;
    target.set(this.view, 0);
    this.#bytes = target;
    this.#start = 0;
    this.#end = length;
  }
}
