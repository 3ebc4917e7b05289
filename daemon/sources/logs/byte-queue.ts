import type { ByteInput } from './byte-input.js';

/**
 * A window on a stream of bytes: filled at its end, used up at its start. It holds no more than what is asked
 * for at once plus one read.
 */
export class ByteQueue {
  #bytes = Buffer.allocUnsafe(65_536);
  #start = 0;
  #end = 0;
  #isInputOver = false;
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
      if (this.#isInputOver) return false;
      this.#reserve(Math.max(count - this.length, 16_384));
      const read = await input.read(this.#bytes, this.#end);
      if (read === 0) this.#isInputOver = true;
      this.#end += read;
    }
    return true;
  }

  drop(count: number): void {
    this.#start += count;
    this.position += count;
  }

  /**
   * Makes room behind the window. Moving it costs its length, so it moves only where at least as much was used up
   * since, and a larger buffer is twice what is needed: all moves together cost no more than the input is long.
   */
  #reserve(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const { length } = this;
    const isMovable = length + count <= this.#bytes.length && length <= this.#start;
    const target = isMovable ? this.#bytes : Buffer.allocUnsafe(2 * (length + count));
    target.set(this.view, 0);
    this.#bytes = target;
    this.#start = 0;
    this.#end = length;
  }
}
