import { pgnOf } from '../diagnostics/j1939-id.js';
import type { DbcDatabase, DbcMessage, DbcSignal } from './database.js';
import {
  type DecodePlan,
  MESSAGE_EXT,
  MESSAGE_FD,
  MESSAGE_J1939,
  OP_BYTES,
  OP_BYTES_REVERSED,
  OP_FLOAT32,
  OP_FLOAT64,
  OP_NONE,
  OP_WIDE,
  type PlanArrays,
  type PlanCollision,
  type PlanNames,
  SIGNAL_EXACT,
  SIGNAL_FLOAT,
  SIGNAL_MOTOROLA,
  SIGNAL_SELECTOR,
  SIGNAL_SIGNED,
} from './decode-plan.js';
import { MessageLookup } from './message-lookup.js';
import { groupByCondition } from './signal-groups.js';
import { signalLayout } from './signal-layout.js';

/** Compiles databases to one plan. Of messages with the same (id, ext) the one of the later file wins. */
export function compilePlan(databases: readonly DbcDatabase[]): DecodePlan {
  const { messages, collisions } = mergeMessages(databases);
  const groups = messages.map((message) => groupByCondition(message));
  const signalCount = messages.reduce((sum, message) => sum + message.signals.length, 0);
  const blockCount = groups.reduce((sum, list) => sum + list.length, 0);
  const rangeCount = groups.reduce((sum, list) => sum + list.reduce((n, g) => n + g.ranges.length, 0), 0);

  const arrays: PlanArrays = {
    messageId: new Uint32Array(messages.length),
    messageFlags: new Uint8Array(messages.length),
    messageLength: new Uint16Array(messages.length),
    messageFirstSignal: new Uint32Array(messages.length + 1),
    messageFirstBlock: new Uint32Array(messages.length + 1),
    blockFirstSignal: new Uint32Array(blockCount + 1),
    blockSelector: new Int32Array(blockCount),
    blockFirstRange: new Uint32Array(blockCount + 1),
    rangeFrom: new Float64Array(rangeCount),
    rangeTo: new Float64Array(rangeCount),
    signalOp: new Uint8Array(signalCount),
    signalFirstByte: new Uint16Array(signalCount),
    signalLastByte: new Uint16Array(signalCount),
    signalBits: new Uint8Array(signalCount),
    signalShift: new Uint8Array(signalCount),
    signalFlags: new Uint8Array(signalCount),
    signalScale: new Float64Array(signalCount),
    signalOffset: new Float64Array(signalCount),
    ...lookupTables(messages),
  };
  const order: DbcSignal[] = [];
  const ordinals: number[] = [];
  let block = 0;
  let range = 0;
  for (const [m, message] of messages.entries()) {
    arrays.messageId[m] = message.id;
    arrays.messageFlags[m] =
      (message.ext ? MESSAGE_EXT : 0) |
      (message.isFd ? MESSAGE_FD : 0) |
      (message.isJ1939 ? MESSAGE_J1939 : 0);
    arrays.messageLength[m] = message.length;
    const planIndex = new Map<DbcSignal, number>();
    for (const group of groups[m]!) {
      arrays.blockSelector[block] = group.selector === null ? -1 : planIndex.get(group.selector)!;
      for (const { from, to } of group.ranges) {
        arrays.rangeFrom[range] = from;
        arrays.rangeTo[range] = to;
        range++;
      }
      for (const { signal, ordinal } of group.signals) {
        planIndex.set(signal, order.length);
        compileSignal(arrays, order.length, signal);
        order.push(signal);
        ordinals.push(ordinal);
      }
      block++;
      arrays.blockFirstSignal[block] = order.length;
      arrays.blockFirstRange[block] = range;
    }
    arrays.messageFirstSignal[m + 1] = order.length;
    arrays.messageFirstBlock[m + 1] = block;
  }
  const names: PlanNames = {
    messageName: messages.map((message) => message.name),
    messageCycleMs: messages.map((message) => message.cycleMs),
    signalName: order.map((signal) => signal.name),
    signalUnit: order.map((signal) => signal.unit),
    signalMin: order.map((signal) => signal.min),
    signalMax: order.map((signal) => signal.max),
    signalLabels: order.map((signal) => signal.labels),
    signalOrdinal: ordinals,
  };
  const lookup = new MessageLookup(arrays);
  return {
    ...arrays,
    ...names,
    messageCount: messages.length,
    signalCount,
    maxSignalsPerMessage: messages.reduce((most, message) => Math.max(most, message.signals.length), 0),
    collisions,
    find: (id, ext) => lookup.find(id, ext),
  };
}

function mergeMessages(databases: readonly DbcDatabase[]): {
  messages: DbcMessage[];
  collisions: PlanCollision[];
} {
  const byKey = new Map<number, DbcMessage>();
  const collisions: PlanCollision[] = [];
  for (const database of databases) {
    for (const message of database.messages) {
      const key = message.ext ? message.id + 0x80000000 : message.id;
      const dropped = byKey.get(key);
      if (dropped) {
        collisions.push({ id: message.id, ext: message.ext, kept: message.name, dropped: dropped.name });
        byKey.delete(key);
      }
      byKey.set(key, message);
    }
  }
  return { messages: [...byKey.values()], collisions };
}

function compileSignal(arrays: PlanArrays, index: number, signal: DbcSignal): void {
  arrays.signalScale[index] = signal.scale;
  arrays.signalOffset[index] = signal.offset;
  arrays.signalOp[index] = OP_NONE;
  arrays.signalLastByte[index] = 0xffff;
  const isExact =
    signal.floatBits === 0 && signal.bitLength > 53 && signal.scale === 1 && signal.offset === 0;
  arrays.signalFlags[index] =
    (signal.isSigned ? SIGNAL_SIGNED : 0) |
    (signal.byteOrder === 'motorola' ? SIGNAL_MOTOROLA : 0) |
    (signal.floatBits > 0 ? SIGNAL_FLOAT : 0) |
    (isExact ? SIGNAL_EXACT : 0) |
    (signal.isSelector ? SIGNAL_SELECTOR : 0);
  if (signal.flaw !== null) return;
  const layout = signalLayout(signal.startBit, signal.bitLength, signal.byteOrder);
  arrays.signalFirstByte[index] = layout.firstByte;
  arrays.signalLastByte[index] = layout.lastByte;
  arrays.signalBits[index] = signal.bitLength;
  arrays.signalShift[index] = layout.shift;
  const bytes = layout.lastByte - layout.firstByte + 1;
  if (signal.floatBits === 32) arrays.signalOp[index] = OP_FLOAT32;
  else if (signal.floatBits === 64) arrays.signalOp[index] = OP_FLOAT64;
  else if (bytes > 4) arrays.signalOp[index] = OP_WIDE;
  else if (bytes === 1 || signal.byteOrder === 'intel') arrays.signalOp[index] = OP_BYTES + bytes;
  else arrays.signalOp[index] = OP_BYTES_REVERSED + bytes;
}

function lookupTables(messages: readonly DbcMessage[]) {
  const standardMessage = new Int32Array(2048).fill(-1);
  const extended: { key: number; message: number }[] = [];
  const groups: { key: number; message: number }[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.ext) extended.push({ key: message.id, message: index });
    else standardMessage[message.id] = index;
    if (message.isJ1939) groups.push({ key: pgnOf(message.id), message: index });
  }
  // Stable: of equal groups the later message stays behind the earlier one.
  extended.sort((a, b) => a.key - b.key);
  groups.sort((a, b) => a.key - b.key);
  return {
    standardMessage,
    extendedId: Uint32Array.from(extended, (entry) => entry.key),
    extendedMessage: Uint32Array.from(extended, (entry) => entry.message),
    pgnKey: Uint32Array.from(groups, (entry) => entry.key),
    pgnMessage: Uint32Array.from(groups, (entry) => entry.message),
  };
}
