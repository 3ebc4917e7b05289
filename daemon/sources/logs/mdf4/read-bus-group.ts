import { chain } from './block-chain.js';
import type { BlockFile, Mdf4Block } from './block-file.js';
import {
  type BusFieldName,
  type BusFrameKind,
  type BusGroup,
  busFieldNames,
  type PayloadPlace,
} from './bus-group.js';
import { fieldBytes, fieldKind, type RecordField } from './record-field.js';

const channelFixed = 0;
const channelVariable = 1;
const channelMaster = 2;
const channelMaximum = 5;
const syncTime = 1;
const conversionLinear = 1;
const depthMax = 4;
const kindPattern = /^(CAN_DataFrame|CAN_RemoteFrame|CAN_ErrorFrame)(_\d+)?(\.|$)/;

interface Channel {
  readonly name: string;
  readonly type: number;
  readonly syncType: number;
  readonly dataType: number;
  readonly byteOffset: number;
  readonly bitOffset: number;
  readonly bitCount: number;
  readonly conversion: number;
  readonly data: number;
}

/**
 * Reads a channel group of ASAM bus logging: a master channel of time and a structure named after the frame,
 * whose members are named `CAN_DataFrame.ID` and so on. Null where the group is of another kind.
 */
export function readBusGroup(
  file: BlockFile,
  group: Mdf4Block,
  recordBytes: number,
  recordIds: ReadonlyMap<number, number>,
  damaged: () => void,
): BusGroup | null {
  const channels: Channel[] = [];
  readChannels(file, group.links[1] ?? 0, '', channels, damaged, 0);
  let kind: BusFrameKind | null = null;
  let time: Channel | null = null;
  let payload: Channel | null = null;
  const fields: Partial<Record<BusFieldName, RecordField>> = {};
  for (const channel of channels) {
    if (channel.type === channelMaster && channel.syncType === syncTime) time ??= channel;
    const frame = kindPattern.exec(channel.name)?.[1];
    if (frame === undefined) continue;
    kind ??= frame as BusFrameKind;
    const member = channel.name.slice(channel.name.lastIndexOf('.') + 1);
    if (member === 'DataBytes') payload ??= channel;
    const name = busFieldNames.find((known) => known === member);
    const field = name === undefined ? null : fieldOf(channel, recordBytes);
    if (name !== undefined && field !== null) fields[name] ??= field;
  }
  if (kind === null) return null;
  const timeField = time === null ? null : fieldOf(time, recordBytes);
  if (time === null || timeField === null || (kind !== 'CAN_ErrorFrame' && fields.ID === undefined)) {
    damaged();
    return null;
  }
  const place = payload === null ? null : payloadPlace(payload, recordBytes, recordIds);
  if (kind === 'CAN_DataFrame' && place === null) {
    damaged();
    return null;
  }
  const { factor, offset } = linearConversion(file, time.conversion);
  return {
    kind,
    time: timeField,
    timeFactor: factor,
    timeOffset: offset,
    fields,
    payload: place,
    sourceName: sourceName(file, group),
  };
}

/** All channels of a chain, members of structures behind their structure. */
function readChannels(
  file: BlockFile,
  address: number,
  structure: string,
  channels: Channel[],
  damaged: () => void,
  depth: number,
): void {
  for (const block of chain(file, address, 'CN', damaged)) {
    const data = file.data(block, 24);
    if (data.length < 24 || channels.length > 10_000) {
      damaged();
      return;
    }
    const name = file.text(block.links[2] ?? 0);
    // Members carry the name of their structure in front; some recorders leave it out.
    const path = structure === '' || name.includes('.') ? name : `${structure}.${name}`;
    channels.push({
      name: path,
      type: data.readUInt8(0),
      syncType: data.readUInt8(1),
      dataType: data.readUInt8(2),
      bitOffset: data.readUInt8(3),
      byteOffset: data.readUInt32LE(4),
      bitCount: data.readUInt32LE(8),
      conversion: block.links[4] ?? 0,
      data: block.links[5] ?? 0,
    });
    const composition = block.links[1] ?? 0;
    if (composition !== 0 && depth < depthMax && file.block(composition)?.type === 'CN') {
      readChannels(file, composition, path, channels, damaged, depth + 1);
    }
  }
}

/** Null where the channel is no number or lies outside of the record. */
function fieldOf(channel: Channel, recordBytes: number): RecordField | null {
  const kind = fieldKind(channel.dataType, channel.bitCount);
  const { byteOffset, bitOffset, bitCount } = channel;
  if (kind === null || bitCount < 1 || bitCount > 64 || bitOffset > 7) return null;
  const field = { byteOffset, bitOffset, bitCount, kind };
  return fieldBytes(field) <= 8 && byteOffset + fieldBytes(field) <= recordBytes ? field : null;
}

function payloadPlace(
  channel: Channel,
  recordBytes: number,
  recordIds: ReadonlyMap<number, number>,
): PayloadPlace | null {
  const { byteOffset, bitCount } = channel;
  const bytes = Math.floor(bitCount / 8);
  if (channel.type === channelFixed || channel.type === channelMaximum) {
    return byteOffset + bytes <= recordBytes ? { kind: 'record', byteOffset, bytes } : null;
  }
  if (channel.type !== channelVariable) return null;
  const offset = fieldOf({ ...channel, dataType: 0, bitOffset: 0, bitCount: 64 }, recordBytes);
  if (offset === null || channel.data === 0) return null;
  const recordId = recordIds.get(channel.data);
  return recordId === undefined
    ? { kind: 'signalData', offset, address: channel.data }
    : { kind: 'group', offset, recordId };
}

function linearConversion(file: BlockFile, address: number): { factor: number; offset: number } {
  const block = address === 0 ? null : file.blockOf(address, 'CC');
  const data = block === null ? null : file.data(block, 40);
  if (data === null || data.length < 40 || data.readUInt8(0) !== conversionLinear)
    return { factor: 1, offset: 0 };
  return { offset: data.readDoubleLE(24), factor: data.readDoubleLE(32) };
}

/** Name of the acquisition source, else of the group. */
function sourceName(file: BlockFile, group: Mdf4Block): string {
  const source = file.blockOf(group.links[3] ?? 0, 'SI');
  return source === null ? '' : file.text(source.links[0] ?? 0).slice(0, 60);
}
