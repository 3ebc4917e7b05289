/**
 * Finds where a msgpack value ends, over any number of pieces: each byte is looked at once, and nothing is built. So a bound
 * on length, depth and number of values holds before memory is spent, and a large value costs its own length, not its square.
 */
import { wireError } from '../wire/wire-error.js';

export interface ScanBounds {
  readonly maxBytes: number;
  readonly maxValues: number;
  readonly maxDepth: number;
}

/** Fixed sizes behind the marker byte. */
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

export class ValueScanner {
  readonly #name: string;
  readonly #bounds: ScanBounds;
  /** values that are still to come, of each container that is open */
  readonly #open: number[] = [];
  #at = 0;
  #values = 0;
  #hasBegun = false;

  /** `name` for messages. */
  constructor(name: string, bounds: ScanBounds) {
    this.#name = name;
    this.#bounds = bounds;
  }

  /** Begins the next value, at the first byte of what is scanned. */
  reset(): void {
    this.#open.length = 0;
    this.#at = 0;
    this.#values = 0;
    this.#hasBegun = false;
  }

  /**
   * Goes on over `bytes`, which begin where the value does and are the same as before but more. Returns where the value
   * ends, null while it is not all there; throws CARLA_WIRE for what is no msgpack or beyond a bound.
   */
  scan(bytes: Uint8Array): number | null {
    for (;;) {
      while (this.#open.at(-1) === 0) this.#open.pop();
      if (this.#hasBegun && this.#open.length === 0) return this.#at <= bytes.length ? this.#at : null;
      if (this.#at >= bytes.length || !this.#take(bytes)) return null;
    }
  }

  /** Takes one marker with its length; false where that is not all there, and then nothing is taken. */
  #take(bytes: Uint8Array): boolean {
    const marker = bytes[this.#at] as number;
    const from = this.#at + 1;
    let skip = 0;
    let inside = -1;
    if (marker < 0x80 || marker >= 0xe0) {
      // a small integer is its own marker
    } else if (marker < 0x90) {
      inside = 2 * (marker & 0x0f);
    } else if (marker < 0xa0) {
      inside = marker & 0x0f;
    } else if (marker < 0xc0) {
      skip = marker & 0x1f;
    } else if (marker in fixedBytes) {
      skip = fixedBytes[marker] as number;
    } else if (marker in sized) {
      const [lengthBytes, extra] = sized[marker] as readonly [number, number];
      if (from + lengthBytes > bytes.length) return false;
      skip = lengthBytes + extra + unsigned(bytes, from, lengthBytes);
    } else if (marker in containers) {
      const [countBytes, perItem] = containers[marker] as readonly [number, number];
      if (from + countBytes > bytes.length) return false;
      skip = countBytes;
      inside = perItem * unsigned(bytes, from, countBytes);
    } else {
      throw wireError(this.#name, `byte 0x${marker.toString(16)} begins no msgpack value`);
    }
    this.#count(inside);
    this.#at = from + skip;
    // What is announced is refused before it comes; a value has at least one byte.
    const leastBytes = this.#at + Math.max(0, inside);
    if (leastBytes > this.#bounds.maxBytes)
      throw wireError(
        this.#name,
        `a message of ${leastBytes} bytes or more; at most ${this.#bounds.maxBytes} are taken`,
      );
    return true;
  }

  #count(inside: number): void {
    const { maxValues, maxDepth } = this.#bounds;
    const last = this.#open.length - 1;
    if (last >= 0) this.#open[last] = (this.#open[last] as number) - 1;
    this.#hasBegun = true;
    this.#values++;
    if (this.#values > maxValues) throw wireError(this.#name, `more than ${maxValues} values in one message`);
    if (inside < 0) return;
    this.#open.push(inside);
    if (this.#open.length > maxDepth) throw wireError(this.#name, `values nested deeper than ${maxDepth}`);
  }
}

function unsigned(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value = value * 256 + (bytes[at + i] as number);
  return value;
}
