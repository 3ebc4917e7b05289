import { deflateSync } from 'node:zlib';

/** A frame as a test says it; times in ns since the start of the measurement. */
export interface Mdf4Frame {
  readonly kind?: 'CAN_DataFrame' | 'CAN_RemoteFrame' | 'CAN_ErrorFrame';
  readonly tNs: number;
  readonly bus: number;
  readonly id: number;
  readonly isExt?: boolean;
  readonly isTx?: boolean;
  readonly isFd?: boolean;
  readonly isBrs?: boolean;
  readonly data?: readonly number[];
  readonly dlc?: number;
}

export interface Mdf4Options {
  /** one group for all kinds of frames, with record ids, or one group for each */
  readonly isSorted: boolean;
  readonly payload: 'record' | 'signalData' | 'group';
  /** where payload records of an unsorted file stand */
  readonly payloadOrder?: 'behind' | 'before' | 'atEnd';
  readonly storage: 'DT' | 'DZ' | 'DZ transposed' | 'DL' | 'HL of DZ';
  readonly isUnfinished?: boolean;
  /** time as integer of ns with a conversion, instead of seconds as float */
  readonly hasIntegerTime?: boolean;
  /** the recorder left the offsets of payload records open */
  readonly hasNoOffsets?: boolean;
  /** members are named `ID`, not `CAN_DataFrame.ID` */
  readonly hasShortNames?: boolean;
  /** zeros behind the last record */
  readonly reservedBytes?: number;
}

/** 2021-01-01T00:00:00.5Z */
export const mdf4StartNs = 1_609_459_200_500_000_000n;

type Links = readonly (number | null)[];

/** Blocks in the order they are added; addresses are known as soon as a block is. */
class BlockList {
  readonly parts: Buffer[] = [];
  size = 64;

  add(type: string, links: Links, data: Buffer): number {
    const length = 24 + links.length * 8 + data.length;
    const block = Buffer.alloc(Math.ceil(length / 8) * 8);
    block.write(`##${type}`, 'latin1');
    block.writeBigUInt64LE(BigInt(length), 8);
    block.writeBigUInt64LE(BigInt(links.length), 16);
    for (const [i, link] of links.entries()) block.writeBigUInt64LE(BigInt(link ?? 0), 24 + i * 8);
    data.copy(block, 24 + links.length * 8);
    const address = this.size;
    this.parts.push(block);
    this.size += block.length;
    return address;
  }

  text(text: string): number {
    return this.add('TX', [], Buffer.from(`${text}\0`));
  }

  patchLink(address: number, index: number, target: number): void {
    let at = 64;
    for (const part of this.parts) {
      if (at === address) part.writeBigUInt64LE(BigInt(target), 24 + index * 8);
      at += part.length;
    }
  }
}

interface Field {
  readonly name: string;
  readonly byte: number;
  readonly bit: number;
  readonly bits: number;
}

// A record: time (8), id and IDE (4), flags (1), lengths (1 and 1), channel (1), payload or its offset.
const fields: readonly Field[] = [
  { name: 'ID', byte: 8, bit: 0, bits: 29 },
  { name: 'IDE', byte: 11, bit: 7, bits: 1 },
  { name: 'Dir', byte: 12, bit: 0, bits: 1 },
  { name: 'EDL', byte: 12, bit: 1, bits: 1 },
  { name: 'BRS', byte: 12, bit: 2, bits: 1 },
  { name: 'DLC', byte: 12, bit: 4, bits: 4 },
  { name: 'DataLength', byte: 13, bit: 1, bits: 7 },
  { name: 'BusChannel', byte: 14, bit: 3, bits: 5 },
];
const payloadByte = 16;
const kinds = ['CAN_DataFrame', 'CAN_RemoteFrame', 'CAN_ErrorFrame'] as const;
const payloadRecordId = 9;

export function mdf4File(frames: readonly Mdf4Frame[], options: Mdf4Options): Buffer {
  const blocks = new BlockList();
  const header = Buffer.alloc(32);
  header.writeBigUInt64LE(mdf4StartNs, 0);
  const headerAddress = blocks.add('HD', [0, 0, 0, 0, 0, 0], header);
  let lastGroup = { address: headerAddress, link: 0 };
  const groups = options.isSorted ? kinds.map((kind) => [kind]) : [[...kinds]];
  for (const group of groups) {
    const records = frames.filter((frame) => group.includes(frame.kind ?? 'CAN_DataFrame'));
    if (records.length === 0) continue;
    const signalData: Buffer[] = [];
    const rows = recordRows(records, options, signalData);
    const recordBytes = recordLength(options);
    const signal =
      options.payload === 'signalData' ? store(blocks, 'SD', Buffer.concat(signalData), 0, options) : 0;
    const payloadGroup =
      options.payload === 'group'
        ? blocks.add('CG', [0, 0, 0, 0, 0, 0], groupData(payloadRecordId, 0, 1, 0))
        : 0;
    let channelGroup = payloadGroup;
    for (const kind of group.toReversed()) {
      const payload = options.payload === 'group' ? payloadGroup : signal;
      const channels = channelChain(blocks, kind, options, payload);
      const count = options.isUnfinished === true ? 0 : records.length;
      channelGroup = blocks.add(
        'CG',
        [channelGroup, channels, blocks.text(kind), 0, 0, 0],
        groupData(kinds.indexOf(kind) + 1, count, 6, recordBytes),
      );
    }
    const reserved = Buffer.alloc(options.reservedBytes ?? 0);
    const data = store(
      blocks,
      'DT',
      Buffer.concat([rows, reserved]),
      options.isSorted ? recordBytes : 0,
      options,
    );
    const dataGroup = blocks.add(
      'DG',
      [0, channelGroup, data, 0],
      Buffer.from([options.isSorted ? 0 : 1, 0, 0, 0, 0, 0, 0, 0]),
    );
    blocks.patchLink(lastGroup.address, lastGroup.link, dataGroup);
    lastGroup = { address: dataGroup, link: 0 };
  }
  const id = Buffer.alloc(64);
  id.write(`${options.isUnfinished === true ? 'UnFinMF ' : 'MDF     '}4.10    TEST    `, 'latin1');
  id.writeUInt16LE(410, 28);
  id.writeUInt16LE(
    (options.isUnfinished === true ? 0x25 : 0) + (options.hasNoOffsets === true ? 0x40 : 0),
    60,
  );
  return Buffer.concat([id, ...blocks.parts]);
}

function recordLength(options: Mdf4Options): number {
  return payloadByte + (options.payload === 'record' ? 64 : 8);
}

function recordRows(records: readonly Mdf4Frame[], options: Mdf4Options, signalData: Buffer[]): Buffer {
  const rows: Buffer[] = [];
  const atEnd: Buffer[] = [];
  let offset = 0;
  for (const frame of records) {
    const data = frame.data ?? [];
    const row = Buffer.alloc(recordLength(options));
    if (options.hasIntegerTime === true) row.writeBigUInt64LE(BigInt(frame.tNs), 0);
    else row.writeDoubleLE(frame.tNs / 1e9, 0);
    row.writeUInt32LE(frame.id + (frame.isExt === true ? 0x80000000 : 0), 8);
    const bits =
      (frame.isTx === true ? 1 : 0) + (frame.isFd === true ? 2 : 0) + (frame.isBrs === true ? 4 : 0);
    row[12] = bits + (frame.dlc ?? data.length) * 16;
    row[13] = data.length * 2;
    row[14] = frame.bus * 8;
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    const payload = Buffer.concat([length, Buffer.from(data)]);
    const id = options.isSorted ? [] : [Buffer.from([kinds.indexOf(frame.kind ?? 'CAN_DataFrame') + 1])];
    const payloadRow = Buffer.concat([Buffer.from([payloadRecordId]), payload]);
    const hasOwnRow = options.payload === 'group' && (frame.kind ?? 'CAN_DataFrame') === 'CAN_DataFrame';
    if (options.payload === 'record') row.set(data, payloadByte);
    else if (options.hasNoOffsets !== true) row.writeBigUInt64LE(BigInt(offset), payloadByte);
    if (options.payload === 'signalData') {
      signalData.push(payload);
      offset += payload.length;
    }
    if (hasOwnRow) offset += payload.length;
    if (hasOwnRow && options.payloadOrder === 'before') rows.push(payloadRow);
    rows.push(...id, row);
    if (hasOwnRow && options.payloadOrder === 'atEnd') atEnd.push(payloadRow);
    else if (hasOwnRow && options.payloadOrder !== 'before') rows.push(payloadRow);
  }
  return Buffer.concat([...rows, ...atEnd]);
}

function channelChain(blocks: BlockList, kind: string, options: Mdf4Options, payload: number): number {
  let members = 0;
  const prefix = options.hasShortNames === true ? '' : `${kind}.`;
  if (kind === 'CAN_DataFrame') {
    const isVariable = options.payload !== 'record';
    const data = channelData(isVariable ? 1 : 0, 0, 10, payloadByte, 0, 512);
    members = blocks.add(
      'CN',
      [0, 0, blocks.text(`${prefix}DataBytes`), 0, 0, isVariable ? payload : 0, 0, 0],
      data,
    );
  }
  for (const field of fields) {
    const data = channelData(0, 0, 0, field.byte, field.bit, field.bits);
    members = blocks.add('CN', [members, 0, blocks.text(`${prefix}${field.name}`), 0, 0, 0, 0, 0], data);
  }
  const frame = blocks.add(
    'CN',
    [0, members, blocks.text(kind), 0, 0, 0, 0, 0],
    channelData(0, 0, 10, 8, 0, 8 * 8),
  );
  const linear = Buffer.alloc(40);
  linear[0] = 1;
  linear.writeUInt16LE(2, 6);
  linear.writeDoubleLE(1e-9, 32);
  const conversion = options.hasIntegerTime === true ? blocks.add('CC', [0, 0, 0, 0], linear) : 0;
  const time = channelData(2, 1, options.hasIntegerTime === true ? 0 : 4, 0, 0, 64);
  return blocks.add('CN', [frame, 0, blocks.text('Timestamp'), 0, conversion, 0, 0, 0], time);
}

function channelData(
  type: number,
  sync: number,
  dataType: number,
  byte: number,
  bit: number,
  bits: number,
): Buffer {
  const data = Buffer.alloc(72);
  data.set([type, sync, dataType, bit]);
  data.writeUInt32LE(byte, 4);
  data.writeUInt32LE(bits, 8);
  return data;
}

function groupData(recordId: number, count: number, flags: number, bytes: number): Buffer {
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(BigInt(recordId), 0);
  data.writeBigUInt64LE(BigInt(count), 8);
  data.writeUInt16LE(flags, 16);
  data.writeUInt32LE(bytes, 24);
  return data;
}

/** Writes data in the blocks that the options ask for; returns the address to link to. */
function store(
  blocks: BlockList,
  type: string,
  data: Buffer,
  rowBytes: number,
  options: Mdf4Options,
): number {
  const packed = (part: Buffer, row: number) => {
    const header = Buffer.alloc(24);
    header.write(type, 'latin1');
    header[2] = row > 1 ? 1 : 0;
    header.writeUInt32LE(row, 4);
    header.writeBigUInt64LE(BigInt(part.length), 8);
    const bytes = deflateSync(row > 1 ? transposed(part, row) : part);
    header.writeBigUInt64LE(BigInt(bytes.length), 16);
    return blocks.add('DZ', [], Buffer.concat([header, bytes]));
  };
  const parts = (write: (part: Buffer) => number) => {
    const addresses: number[] = [];
    for (let at = 0; at < data.length; at += 1000) addresses.push(write(data.subarray(at, at + 1000)));
    const half = Math.ceil(addresses.length / 2);
    const list = (some: readonly number[], next: number) => {
      const info = Buffer.alloc(16);
      info[0] = 1;
      info.writeUInt32LE(some.length, 4);
      info.writeBigUInt64LE(1000n, 8);
      return blocks.add('DL', [next, ...some], info);
    };
    return list(addresses.slice(0, half), list(addresses.slice(half), 0));
  };
  switch (options.storage) {
    case 'DT':
      return blocks.add(type, [], data);
    case 'DZ':
      return packed(data, 0);
    case 'DZ transposed':
      return packed(data, rowBytes);
    case 'DL':
      return parts((part) => blocks.add(type, [], part));
    case 'HL of DZ':
      return blocks.add('HL', [parts((part) => packed(part, 0))], Buffer.alloc(8));
  }
}

function transposed(rows: Buffer, rowBytes: number): Buffer {
  const count = Math.floor(rows.length / rowBytes);
  const columns = Buffer.from(rows);
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < rowBytes; column++)
      columns[column * count + row] = rows[row * rowBytes + column]!;
  }
  return columns;
}
