import { chain } from './block-chain.js';
import type { BlockFile, Mdf4Block } from './block-file.js';
import type { DataGroup, Mdf4Structure, RecordGroup } from './bus-group.js';
import { readBusGroup } from './read-bus-group.js';

const headerAddress = 64;
const versionOffset = 28;
const unfinishedFlagsOffset = 60;
const flagVariableOffsets = 0x40;
const unfinishedMagic = 'UnFinMF ';
const channelGroupVariable = 1;

/** Version of the file format as a number of three digits (411 is 4.11), 0 where it cannot be read. */
export function mdfVersion(head: Uint8Array): number {
  return (head[versionOffset] ?? 0) + (head[versionOffset + 1] ?? 0) * 256;
}

/** Reads header, data groups, channel groups and channels; null where there is no header block. */
export function readStructure(file: BlockFile): Mdf4Structure | null {
  const head = file.read(0, headerAddress);
  const header = file.blockOf(headerAddress, 'HD');
  if (header === null || head.length < headerAddress) return null;
  const time = file.data(header, 16);
  const startNs = time.length >= 8 ? time.readBigUInt64LE(0) : 0n;
  const isUnfinished = head.toString('latin1', 0, 8) === unfinishedMagic;
  const unfinishedFlags = isUnfinished ? head.readUInt16LE(unfinishedFlagsOffset) : 0;
  const dataGroups: DataGroup[] = [];
  let damagedBlocks = 0;
  for (const block of chain(file, header.links[0] ?? 0, 'DG', () => damagedBlocks++)) {
    const group = readDataGroup(file, block, () => damagedBlocks++);
    if (group !== null) dataGroups.push(group);
  }
  return {
    startWholeS: Number(startNs / 1_000_000_000n),
    startRestS: Number(startNs % 1_000_000_000n) / 1e9,
    isLocalTime: time.length > 12 && (time.readUInt8(12) & 1) !== 0,
    dataGroups,
    isUnfinished,
    hasNoOffsets: (unfinishedFlags & flagVariableOffsets) !== 0,
    damagedBlocks,
  };
}

/** Null where the group holds no CAN frames. */
function readDataGroup(file: BlockFile, block: Mdf4Block, damaged: () => void): DataGroup | null {
  const dataAddress = block.links[2] ?? 0;
  const recordIdBytes = file.data(block, 1)[0] ?? 0;
  const groups = new Map<number, RecordGroup>();
  const idsByAddress = new Map<number, number>();
  const blocks: { block: Mdf4Block; data: Buffer }[] = [];
  for (const group of chain(file, block.links[1] ?? 0, 'CG', damaged)) {
    const data = Buffer.from(file.data(group, 32));
    if (data.length < 32) {
      damaged();
      continue;
    }
    blocks.push({ block: group, data });
    idsByAddress.set(group.address, recordIdOf(data));
  }
  let hasBus = false;
  for (const { block: group, data } of blocks) {
    const isVariable = (data.readUInt16LE(16) & channelGroupVariable) !== 0;
    const dataBytes = data.readUInt32LE(24);
    const bus = isVariable ? null : readBusGroup(file, group, dataBytes, idsByAddress, damaged);
    hasBus ||= bus !== null;
    const recordBytes = isVariable ? 0 : dataBytes + data.readUInt32LE(28);
    if (!isVariable && recordBytes === 0) {
      damaged();
      return null;
    }
    groups.set(recordIdOf(data), {
      recordId: recordIdOf(data),
      recordBytes,
      isVariable,
      cycleCount: Number(data.readBigUInt64LE(8)),
      bus,
    });
  }
  if (!hasBus || dataAddress === 0) return null;
  if (![0, 1, 2, 4, 8].includes(recordIdBytes) || (recordIdBytes === 0 && groups.size > 1)) {
    damaged();
    return null;
  }
  return { dataAddress, recordIdBytes, groups };
}

function recordIdOf(channelGroup: Buffer): number {
  return Number(channelGroup.readBigUInt64LE(0));
}
