/**
 * Writes msgpack as msgpack-c does for C++ types: a float field is always a float32 (`ca`), a double always a float64
 * (`cb`), an integer the shortest form of its sign. A general encoder chooses by value, and 1.0 would become an integer:
 * readable for CARLA, but not the bytes of its own serializers.
 */
const growth = 2;

export class MsgpackWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(initialBytes = 256) {
    this.#bytes = Buffer.allocUnsafe(initialBytes);
  }

  /** A copy of what was written. */
  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  nil(): void {
    this.#u8(0xc0);
  }

  bool(value: boolean): void {
    this.#u8(value ? 0xc3 : 0xc2);
  }

  float32(value: number): void {
    const at = this.#reserve(5);
    this.#bytes[at] = 0xca;
    this.#bytes.writeFloatBE(value, at + 1);
  }

  float64(value: number): void {
    const at = this.#reserve(9);
    this.#bytes[at] = 0xcb;
    this.#bytes.writeDoubleBE(value, at + 1);
  }

  /** An integer; bigint for what does not fit into 53 bits. */
  int(value: number | bigint): void {
    if (typeof value === 'bigint') {
      if (value >= -0x8000_0000n && value <= 0xffff_ffffn) this.int(Number(value));
      else this.#wide(value);
      return;
    }
    if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer`);
    if (value < -0x8000_0000 || value > 0xffff_ffff) this.#wide(BigInt(value));
    else if (value >= 0) this.#unsigned(value);
    else this.#negative(value);
  }

  str(value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    if (bytes.length < 32) this.#u8(0xa0 | bytes.length);
    else this.#header(bytes.length, 0xd9, 0xda, 0xdb);
    this.#append(bytes);
  }

  bin(value: Uint8Array): void {
    this.#header(value.length, 0xc4, 0xc5, 0xc6);
    this.#append(value);
  }

  array(length: number): void {
    if (length < 16) this.#u8(0x90 | length);
    else this.#header(length, undefined, 0xdc, 0xdd);
  }

  /** What is msgpack already. */
  raw(value: Uint8Array): void {
    this.#append(value);
  }

  #unsigned(value: number): void {
    if (value < 0x80) this.#u8(value);
    else this.#header(value, 0xcc, 0xcd, 0xce);
  }

  #negative(value: number): void {
    if (value >= -32) {
      this.#u8(value & 0xff);
    } else if (value >= -0x80) {
      const at = this.#reserve(2);
      this.#bytes[at] = 0xd0;
      this.#bytes.writeInt8(value, at + 1);
    } else if (value >= -0x8000) {
      const at = this.#reserve(3);
      this.#bytes[at] = 0xd1;
      this.#bytes.writeInt16BE(value, at + 1);
    } else {
      const at = this.#reserve(5);
      this.#bytes[at] = 0xd2;
      this.#bytes.writeInt32BE(value, at + 1);
    }
  }

  #wide(value: bigint): void {
    const at = this.#reserve(9);
    if (value >= 0n) {
      this.#bytes[at] = 0xcf;
      this.#bytes.writeBigUInt64BE(value, at + 1);
    } else {
      this.#bytes[at] = 0xd3;
      this.#bytes.writeBigInt64BE(value, at + 1);
    }
  }

  /** A marker with a number of 8 (where there is one), 16 or 32 bits. */
  #header(value: number, marker8: number | undefined, marker16: number, marker32: number): void {
    if (marker8 !== undefined && value < 0x100) {
      const at = this.#reserve(2);
      this.#bytes[at] = marker8;
      this.#bytes[at + 1] = value;
    } else if (value < 0x10000) {
      const at = this.#reserve(3);
      this.#bytes[at] = marker16;
      this.#bytes.writeUInt16BE(value, at + 1);
    } else {
      const at = this.#reserve(5);
      this.#bytes[at] = marker32;
      this.#bytes.writeUInt32BE(value, at + 1);
    }
  }

  #append(bytes: Uint8Array): void {
    const at = this.#reserve(bytes.length);
    this.#bytes.set(bytes, at);
  }

  #u8(value: number): void {
    const at = this.#reserve(1);
    this.#bytes[at] = value;
  }

  /** Where the next `count` bytes go. */
  #reserve(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * growth));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}
