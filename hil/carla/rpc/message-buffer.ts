/**
 * Cuts a byte stream into msgpack values. RPC has no framing: a value ends where its own structure says, and arrives in
 * any number of pieces.
 */
import { decodeMsgpack } from '../wire/codec.js';
import { type ScanBounds, ValueScanner } from './value-scanner.js';

const firstBytes = 64 * 1024;
/** A buffer that grew for one large message is not kept for small ones. */
const keptBytes = 1024 * 1024;
/** A city's map with 10,000 actors has some 500,000. */
const maxValues = 4_000_000;
/** CARLA's structs are ten levels deep, and a command holds commands. */
const maxDepth = 64;

export class MessageBuffer {
  readonly #name: string;
  readonly #scanner: ValueScanner;
  #bytes: Buffer = Buffer.allocUnsafe(firstBytes);
  #from = 0;
  #to = 0;

  /** `name` for messages; a value of more than `maxBytes` is an error. */
  constructor(name: string, maxBytes: number, bounds: Partial<ScanBounds> = {}) {
    this.#name = name;
    this.#scanner = new ValueScanner(name, { maxBytes, maxValues, maxDepth, ...bounds });
  }

  get heldBytes(): number {
    return this.#to - this.#from;
  }

  /** Takes a chunk and returns the values that are complete now; throws CARLA_WIRE where the bytes are no msgpack. */
  push(chunk: Uint8Array): unknown[] {
    this.#append(chunk);
    const values: unknown[] = [];
    while (this.#from < this.#to) {
      const length = this.#scanner.scan(this.#bytes.subarray(this.#from, this.#to));
      if (length === null) break;
      // Byte strings come out as views: into a copy, because this buffer is written again.
      const value = Buffer.from(this.#bytes.subarray(this.#from, this.#from + length));
      values.push(decodeMsgpack(value, this.#name));
      this.#from += length;
      this.#scanner.reset();
    }
    if (this.#from === this.#to) {
      this.#from = 0;
      this.#to = 0;
      if (this.#bytes.length > keptBytes) this.#bytes = Buffer.allocUnsafe(firstBytes);
    }
    return values;
  }

  /** Room is made by doubling, so that a message of many pieces is copied a few times and not once a piece. */
  #append(chunk: Uint8Array): void {
    const held = this.heldBytes;
    if (this.#to + chunk.length > this.#bytes.length) {
      const wanted = held + chunk.length;
      let capacity = this.#bytes.length;
      while (capacity < wanted) capacity *= 2;
      const bytes = capacity === this.#bytes.length ? this.#bytes : Buffer.allocUnsafe(capacity);
      this.#bytes.copy(bytes, 0, this.#from, this.#to);
      this.#bytes = bytes;
      this.#from = 0;
      this.#to = held;
    }
    this.#bytes.set(chunk, this.#to);
    this.#to += chunk.length;
  }
}
