import { deflateSync } from 'node:zlib';

/** A frame as BLF stores it; only what a test needs to say. */
export interface BlfRecord {
  readonly type: number;
  readonly tNs: number;
  /** payload of the object, behind its header */
  readonly body: Buffer;
  /** time in units of 10 µs instead of 1 ns */
  readonly isCoarse?: boolean;
  /** header of 40 bytes (version 2) instead of 32 */
  readonly hasLongHeader?: boolean;
}

/** Writes one object with its header and padding. */
export function blfObject(record: BlfRecord): Buffer {
  const headerBytes = record.hasLongHeader === true ? 40 : 32;
  const size = headerBytes + record.body.length;
  const header = Buffer.alloc(headerBytes);
  header.write('LOBJ', 'latin1');
  header.writeUInt16LE(headerBytes, 4);
  header.writeUInt16LE(record.hasLongHeader === true ? 2 : 1, 6);
  header.writeUInt32LE(size, 8);
  header.writeUInt32LE(record.type, 12);
  header.writeUInt32LE(record.isCoarse === true ? 1 : 2, 16);
  header.writeBigUInt64LE(BigInt(record.isCoarse === true ? record.tNs / 10_000 : record.tNs), 24);
  return Buffer.concat([header, record.body, Buffer.alloc(size % 4)]);
}

/** A container around bytes of the inner row of objects, which may end in the middle of one. */
export function blfContainer(content: Buffer, isPacked = true): Buffer {
  const packed = isPacked ? deflateSync(content) : content;
  const size = 32 + packed.length;
  const header = Buffer.alloc(32);
  header.write('LOBJ', 'latin1');
  header.writeUInt16LE(16, 4);
  header.writeUInt16LE(1, 6);
  header.writeUInt32LE(size, 8);
  header.writeUInt32LE(10, 12);
  header.writeUInt16LE(isPacked ? 2 : 0, 16);
  header.writeUInt32LE(content.length, 24);
  return Buffer.concat([header, packed, Buffer.alloc(size % 4)]);
}

/** A file of containers of `containerBytes` unpacked bytes each. */
export function blfFile(records: readonly BlfRecord[], containerBytes = 1000, isPacked = true): Buffer {
  const content = Buffer.concat(records.map(blfObject));
  const containers: Buffer[] = [];
  for (let at = 0; at < content.length; at += containerBytes) {
    containers.push(blfContainer(content.subarray(at, at + containerBytes), isPacked));
  }
  return blfFileOf(containers);
}

/** A file header before parts that are written already. */
export function blfFileOf(parts: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(144);
  const file = Buffer.concat([header, ...parts]);
  file.write('LOGG', 'latin1');
  file.writeUInt32LE(144, 4);
  file.writeBigUInt64LE(BigInt(file.length), 16);
  return file;
}

/** CAN_MESSAGE or CAN_MESSAGE2. */
export function canMessageBody(
  channel: number,
  id: number,
  data: readonly number[],
  options: { flags?: number; dlc?: number; isSecond?: boolean } = {},
): Buffer {
  const body = Buffer.alloc(options.isSecond === true ? 24 : 16);
  body.writeUInt16LE(channel, 0);
  body[2] = options.flags ?? 0;
  body[3] = options.dlc ?? data.length;
  body.writeUInt32LE(id, 4);
  body.set(data, 8);
  return body;
}

/** CAN_FD_MESSAGE. */
export function canFdMessageBody(
  channel: number,
  id: number,
  data: readonly number[],
  dlc: number,
  fdFlags: number,
): Buffer {
  const body = Buffer.alloc(84);
  body.writeUInt16LE(channel, 0);
  body[3] = dlc;
  body.writeUInt32LE(id, 4);
  body[13] = fdFlags;
  body[14] = data.length;
  body.set(data, 20);
  return body;
}

/** CAN_FD_MESSAGE_64. `stored`: bytes that are really written, fewer where the rest is zero. */
export function canFdMessage64Body(
  channel: number,
  id: number,
  data: readonly number[],
  options: { dlc: number; flags: number; direction?: number; stored?: number; extra?: Buffer },
): Buffer {
  const stored = options.stored ?? data.length;
  const body = Buffer.alloc(40 + stored);
  body[0] = channel;
  body[1] = options.dlc;
  body[2] = data.length;
  body.writeUInt32LE(id, 4);
  body.writeUInt32LE(options.flags, 12);
  body[34] = options.direction ?? 0;
  body[35] = options.extra === undefined ? 0 : 32 + body.length;
  body.set(data.slice(0, stored), 40);
  return options.extra === undefined ? body : Buffer.concat([body, options.extra]);
}
