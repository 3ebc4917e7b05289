/**
 * The flat decode plan: what a set of DBC files compiles to, and what every executor (this one in TypeScript,
 * a native one) reads. All arrays are plain typed arrays in host byte order; an index is an element index.
 *
 * Messages, index m:
 *   messageId[m]           identifier, 11 or 29 bits, without flag bits
 *   messageFlags[m]        MESSAGE_EXT | MESSAGE_FD | MESSAGE_J1939
 *   messageLength[m]       payload bytes by the DBC; bytes beyond are never read
 *   messageFirstSignal[m]  … messageFirstSignal[m + 1] − 1: its signals
 *   messageFirstBlock[m]   … messageFirstBlock[m + 1] − 1: its blocks
 *
 * Blocks, index b: signals that are in the payload under the same condition. Executed in order; a selector
 * always stands in an earlier block than what it selects, and blocks of one selector stand together.
 *   blockFirstSignal[b]    … blockFirstSignal[b + 1] − 1
 *   blockSelector[b]       signal index of the selector, or −1: always in the payload
 *   blockFirstRange[b]     … blockFirstRange[b + 1] − 1: the block is active iff its selector is present and
 *                          the selector's bits, read as unsigned, lie in one of [rangeFrom, rangeTo]
 *
 * Signals, index s (in execution order: for messages without multiplexing, the order of the file):
 *   signalOp[s]            how to read it, OP_…; OP_NONE = never present
 *   signalFirstByte[s]     lowest byte it touches
 *   signalLastByte[s]      highest byte it touches; present iff < min(received length, messageLength)
 *   signalBits[s]          length, 1 … 64
 *   signalShift[s]         bits below its least significant bit in the byte that holds that bit (0 … 7)
 *   signalFlags[s]         SIGNAL_SIGNED | SIGNAL_MOTOROLA | SIGNAL_FLOAT | SIGNAL_EXACT | SIGNAL_SELECTOR
 *   signalScale[s], signalOffset[s]
 *
 * Bytes are joined so that the byte with the least significant bit is lowest (Intel: the first, Motorola:
 * the last), shifted right by signalShift, cut to signalBits, sign-extended where SIGNED, reinterpreted as
 * IEEE 754 where FLOAT. The raw value becomes a float64 in one rounding; physical = raw · scale + offset in
 * two further float64 operations (no fused multiply-add). Where SIGNAL_EXACT is set (integer of more than
 * 53 bits, scale 1, offset 0) a raw value beyond ±2^53 has an exact physical value, read apart.
 *
 * Identifiers: standardMessage[id] for 11 bits (−1 = unknown); for 29 bits a binary search in extendedId
 * (ascending) gives extendedMessage. Only if that fails, J1939: pgnKey (ascending, with repetitions) holds
 * the parameter group number, pgnMessage the message; the choice among them: message-lookup.ts.
 */
import type { DbcLabels } from './database.js';

export const MESSAGE_EXT = 1;
export const MESSAGE_FD = 2;
export const MESSAGE_J1939 = 4;

export const SIGNAL_SIGNED = 1;
export const SIGNAL_MOTOROLA = 2;
export const SIGNAL_FLOAT = 4;
export const SIGNAL_EXACT = 8;
export const SIGNAL_SELECTOR = 16;

/** never present: the signal's layout is unusable */
export const OP_NONE = 0;
/** OP_BYTES + n, n = 1 … 4: n bytes, the first is lowest (Intel; n = 1: either) */
export const OP_BYTES = 0;
/** OP_BYTES_REVERSED + n, n = 2 … 4: n bytes, the last is lowest (Motorola) */
export const OP_BYTES_REVERSED = 4;
/** integer over 5 … 9 bytes */
export const OP_WIDE = 9;
export const OP_FLOAT32 = 10;
export const OP_FLOAT64 = 11;

/** What `decodeMessage` says about a frame as a whole. */
export const FRAME_SHORT = 1; // fewer bytes than the DBC says
export const FRAME_LONG = 2; // more bytes than the DBC says
export const FRAME_MUX_UNKNOWN = 4; // a selector has a value under which nothing is defined

export interface PlanArrays {
  readonly messageId: Uint32Array;
  readonly messageFlags: Uint8Array;
  readonly messageLength: Uint16Array;
  readonly messageFirstSignal: Uint32Array;
  readonly messageFirstBlock: Uint32Array;
  readonly blockFirstSignal: Uint32Array;
  readonly blockSelector: Int32Array;
  readonly blockFirstRange: Uint32Array;
  readonly rangeFrom: Float64Array;
  readonly rangeTo: Float64Array;
  readonly signalOp: Uint8Array;
  readonly signalFirstByte: Uint16Array;
  readonly signalLastByte: Uint16Array;
  readonly signalBits: Uint8Array;
  readonly signalShift: Uint8Array;
  readonly signalFlags: Uint8Array;
  readonly signalScale: Float64Array;
  readonly signalOffset: Float64Array;
  readonly standardMessage: Int32Array;
  readonly extendedId: Uint32Array;
  readonly extendedMessage: Uint32Array;
  readonly pgnKey: Uint32Array;
  readonly pgnMessage: Uint32Array;
}

/** Text and documentation beside the arrays, by the same indices. */
export interface PlanNames {
  readonly messageName: readonly string[];
  /** GenMsgCycleTime, ms */
  readonly messageCycleMs: readonly (number | null)[];
  readonly signalName: readonly string[];
  readonly signalUnit: readonly string[];
  readonly signalMin: readonly (number | null)[];
  readonly signalMax: readonly (number | null)[];
  readonly signalLabels: readonly (DbcLabels | null)[];
  /** position of the signal in its message in the file, from 0 */
  readonly signalOrdinal: readonly number[];
}

/** Two messages of different files with the same identifier: the later file wins. */
export interface PlanCollision {
  readonly id: number;
  readonly ext: boolean;
  readonly kept: string;
  readonly dropped: string;
}

export interface DecodePlan extends PlanArrays, PlanNames {
  readonly messageCount: number;
  readonly signalCount: number;
  /** size that `values` and `present` need for `decodeMessage` */
  readonly maxSignalsPerMessage: number;
  readonly collisions: readonly PlanCollision[];
  /** Message index of an identifier (without flag bits), or −1: exact first, then J1939. */
  find(id: number, ext: boolean): number;
}

/** Index of a signal by name within a message, or −1. */
export function findSignal(plan: DecodePlan, messageIndex: number, name: string): number {
  const end = plan.messageFirstSignal[messageIndex + 1] ?? 0;
  for (let s = plan.messageFirstSignal[messageIndex] ?? end; s < end; s++) {
    if (plan.signalName[s] === name) return s;
  }
  return -1;
}
