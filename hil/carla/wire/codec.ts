/**
 * How one C++ type of CARLA's RPC looks as msgpack. Writing is exact (the bytes of CARLA's own serializers); reading is
 * lenient in the two ways CARLA is: a struct that is too short leaves the rest at its defaults, a longer one is cut, so
 * that a newer or older peer is understood (a version adds fields at the end).
 */
import { decode } from '@msgpack/msgpack';
import { MsgpackWriter } from './msgpack-writer.js';
import { wireError } from './wire-error.js';

export interface Codec<T> {
  /** for messages: `float`, `Transform`, `vector<Actor>` */
  readonly name: string;
  write(writer: MsgpackWriter, value: T): void;
  /** `value` is what msgpack decoded (64-bit integers as bigint); throws CARLA_WIRE with `path`. */
  read(value: unknown, path: string): T;
  /** what a peer means that leaves the field out */
  readonly absent: T;
}

export type ValueOf<C> = C extends Codec<infer T> ? T : never;

export function encode<T>(codec: Codec<T>, value: T): Buffer {
  const writer = new MsgpackWriter();
  codec.write(writer, value);
  return writer.finish();
}

/** Reads exactly one value; more bytes behind it are an error. */
export function decodeOne<T>(codec: Codec<T>, bytes: Uint8Array): T {
  return codec.read(decodeMsgpack(bytes, codec.name), codec.name);
}

/** One msgpack value with 64-bit integers as bigint. */
export function decodeMsgpack(bytes: Uint8Array, path: string): unknown {
  try {
    return decode(bytes, { useBigInt64: true });
  } catch (cause) {
    throw wireError(path, `no msgpack value (${(cause as Error).message})`);
  }
}

function number(value: unknown, path: string): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  throw wireError(path, `a number is expected, not ${kindOf(value)}`);
}

function scalar(name: string, write: (writer: MsgpackWriter, value: number) => void): Codec<number> {
  return { name, write, read: number, absent: 0 };
}

export const float = scalar('float', (writer, value) => writer.float32(value));
export const double = scalar('double', (writer, value) => writer.float64(value));

function integer(name: string, low: number, high: number): Codec<number> {
  return {
    name,
    absent: 0,
    write: (writer, value) => writer.int(value),
    read(value, path) {
      const read = number(value, path);
      if (!Number.isInteger(read) || read < low || read > high)
        throw wireError(path, `${read} is no ${name}`);
      return read;
    },
  };
}

export const u8 = integer('uint8', 0, 0xff);
export const u16 = integer('uint16', 0, 0xffff);
export const u32 = integer('uint32', 0, 0xffff_ffff);
export const i32 = integer('int32', -0x8000_0000, 0x7fff_ffff);

/** Frame numbers and episode ids: an id is random over all 64 bits, so a float64 would confuse two of them. */
export const u64: Codec<bigint> = {
  name: 'uint64',
  absent: 0n,
  write: (writer, value) => writer.int(value),
  read(value, path) {
    const read = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value;
    if (typeof read !== 'bigint' || read < 0n) throw wireError(path, `${kindOf(value)} is no uint64`);
    return read;
  },
};

export const bool: Codec<boolean> = {
  name: 'bool',
  absent: false,
  write: (writer, value) => writer.bool(value),
  read(value, path) {
    if (typeof value !== 'boolean') throw wireError(path, `a boolean is expected, not ${kindOf(value)}`);
    return value;
  },
};

export const str: Codec<string> = {
  name: 'string',
  absent: '',
  write: (writer, value) => writer.str(value),
  read(value, path) {
    if (typeof value === 'string') return value;
    if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
    throw wireError(path, `text is expected, not ${kindOf(value)}`);
  },
};

/** `vector<unsigned char>`: bin, not an array. */
export const bin: Codec<Uint8Array> = {
  name: 'bytes',
  absent: new Uint8Array(0),
  write: (writer, value) => writer.bin(value),
  read(value, path) {
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'string') return Buffer.from(value, 'latin1');
    throw wireError(path, `bytes are expected, not ${kindOf(value)}`);
  },
};

export function list<T>(item: Codec<T>): Codec<readonly T[]> {
  return {
    name: `vector<${item.name}>`,
    absent: [],
    write(writer, values) {
      writer.array(values.length);
      for (const value of values) item.write(writer, value);
    },
    read: (value, path) => array(value, path).map((entry, i) => item.read(entry, `${path}[${i}]`)),
  };
}

/** `[false]` or `[true, value]`. */
export function optional<T>(item: Codec<T>): Codec<T | null> {
  return {
    name: `optional<${item.name}>`,
    absent: null,
    write(writer, value) {
      writer.array(value === null ? 1 : 2);
      writer.bool(value !== null);
      if (value !== null) item.write(writer, value);
    },
    read(value, path) {
      const [has, held] = array(value, path);
      return bool.read(has, `${path}[0]`) ? item.read(held, `${path}[1]`) : null;
    },
  };
}

/** Fields in the order of the C++ struct; a peer of an older version is sent the first `written` of them only. */
export function struct<T extends object>(
  name: string,
  fields: { readonly [K in keyof T]: Codec<T[K]> },
  written: number = Object.keys(fields).length,
): Codec<Readonly<T>> {
  const entries = Object.entries(fields) as unknown as readonly (readonly [
    keyof T & string,
    Codec<unknown>,
  ])[];
  return {
    name,
    absent: Object.fromEntries(entries.map(([key, codec]) => [key, codec.absent])) as T,
    write(writer, value) {
      writer.array(written);
      for (const [key, codec] of entries.slice(0, written)) codec.write(writer, value[key]);
    },
    read(value, path) {
      const values = array(value, path);
      const read: Partial<Record<keyof T, unknown>> = {};
      for (const [i, [key, codec]] of entries.entries())
        read[key] = i < values.length ? codec.read(values[i], `${path}.${key}`) : codec.absent;
      return read as T;
    },
  };
}

export function array(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wireError(path, `an array is expected, not ${kindOf(value)}`);
  return value;
}

/** What something is, without repeating what a peer sent. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof Uint8Array) return `${value.length} bytes`;
  return typeof value === 'object' ? 'a map' : `a ${typeof value}`;
}
