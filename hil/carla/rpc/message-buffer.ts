/**
 * Cuts a byte stream into msgpack values. RPC has no framing: a value ends where its own structure says, and arrives in
 * any number of pieces. Values are measured without being built, so that a bound holds before memory is spent.
 */
import { decodeMsgpack } from '../wire/codec.js';
import { wireError } from '../wire/wire-error.js';

export class MessageBuffer {
  readonly #maxBytes: number;
  readonly #name: string;
  #held: Buffer = Buffer.alloc(0);

  /** `name` for messages; a value of more than `maxBytes` is an error. */
  constructor(name: string, maxBytes: number) {
    this.#name = name;
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#held.length;
  }

  /** Takes a chunk and returns the values that are complete now; throws CARLA_WIRE where the bytes are no msgpack. */
  push(chunk: Uint8Array): unknown[] {
    this.#held = this.#held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#held, chunk]);
    const values: unknown[] = [];
    let from = 0;
    while (from < this.#held.length) {
      const end = measure(this.#held, from, this.#name);
      if (end === null) break;
      if (end - from > this.#maxBytes) throw this.#tooLong(end - from);
      values.push(decodeMsgpack(this.#held.subarray(from, end), this.#name));
      from = end;
    }
    this.#held = this.#held.subarray(from);
    if (this.#held.length > this.#maxBytes) throw this.#tooLong(this.#held.length);
    return values;
  }

  #tooLong(bytes: number): Error {
    return wireError(this.#name, `a message of ${bytes} bytes; at most ${this.#maxBytes} are taken`);
  }
}

/** Fixed sizes behind the marker byte; -1: not of that kind. */
const fixedBytes: Readonly<Record<number, number>> = {
  192: 0, // nil
  194: 0, // false
  195: 0, // true
  202: 4, // float32
  203: 8, // float64
  204: 1,
  205: 2,
  206: 4,
  207: 8, // unsigned
  208: 1,
  209: 2,
  210: 4,
  211: 8, // signed
  212: 2,
  213: 3,
  214: 5,
  215: 9,
  216: 17, // fixext
};

/** Bytes of the length, and how many bytes of type follow it, by marker. */
const sized: Readonly<Record<number, readonly [lengthBytes: number, extra: number]>> = {
  196: [1, 0],
  197: [2, 0],
  198: [4, 0], // bin
  199: [1, 1],
  200: [2, 1],
  201: [4, 1], // ext
  217: [1, 0],
  218: [2, 0],
  219: [4, 0], // str
};

/** Bytes of the count and values per item, by marker. */
const containers: Readonly<Record<number, readonly [countBytes: number, perItem: number]>> = {
  220: [2, 1],
  221: [4, 1], // array
  222: [2, 2],
  223: [4, 2], // map
};

/** Where the value that begins at `from` ends; null while it is not all there. */
export function measure(bytes: Buffer, from: number, name: string): number | null {
  let at = from;
  for (let left = 1; left > 0; left--) {
    const marker = bytes[at++];
    if (marker === undefined) return null;
    if (marker < 0x80 || marker >= 0xe0) continue;
    if (marker < 0x90) {
      left += 2 * (marker & 0x0f);
    } else if (marker < 0xa0) {
      left += marker & 0x0f;
    } else if (marker < 0xc0) {
      at += marker & 0x1f;
    } else if (marker in fixedBytes) {
      at += fixedBytes[marker] as number;
    } else if (marker in sized) {
      const [lengthBytes, extra] = sized[marker] as readonly [number, number];
      if (at + lengthBytes > bytes.length) return null;
      at += lengthBytes + extra + bytes.readUIntBE(at, lengthBytes);
    } else if (marker in containers) {
      const [countBytes, perItem] = containers[marker] as readonly [number, number];
      if (at + countBytes > bytes.length) return null;
      left += perItem * bytes.readUIntBE(at, countBytes);
      at += countBytes;
    } else {
      throw wireError(name, `byte 0x${marker.toString(16)} begins no msgpack value`);
    }
    if (at > bytes.length) return null;
  }
  return at;
}
