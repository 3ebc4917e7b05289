/** Reads the raw value of one signal from a payload, as decode-plan.ts describes. */
import {
  type DecodePlan,
  OP_FLOAT32,
  OP_FLOAT64,
  OP_WIDE,
  SIGNAL_FLOAT,
  SIGNAL_MOTOROLA,
  SIGNAL_SIGNED,
} from './decode-plan.js';

const two32 = 4294967296;

// Results of loadWide: a value of up to 64 bits as two words. Module state, so that nothing is allocated.
let wideHigh = 0;
let wideLow = 0;
const floatWords = new Uint32Array(2);
const float32 = new Float32Array(floatWords.buffer, 0, 1);
const float64 = new Float64Array(floatWords.buffer);
const lowWord = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1;

/**
 * Raw value as float64: exact up to ±2^53, one rounding beyond. Signed signals are negative where their top
 * bit is set; float signals give their IEEE value. The caller has checked that the signal is present:
 * `data[start + signalLastByte]` exists.
 */
export function readRaw(plan: DecodePlan, signal: number, data: Uint8Array, start: number): number {
  const op = plan.signalOp[signal]!;
  if (op >= OP_WIDE) return readWideRaw(plan, signal, op, data, start);
  const at = start + plan.signalFirstByte[signal]!;
  let word = 0;
  switch (op) {
    case 1:
      word = data[at]!;
      break;
    case 2:
      word = data[at]! | (data[at + 1]! << 8);
      break;
    case 3:
      word = data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16);
      break;
    case 4:
      word = data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (data[at + 3]! << 24);
      break;
    case 6:
      word = (data[at]! << 8) | data[at + 1]!;
      break;
    case 7:
      word = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
      break;
    case 8:
      word = (data[at]! << 24) | (data[at + 1]! << 16) | (data[at + 2]! << 8) | data[at + 3]!;
      break;
    default:
      return Number.NaN;
  }
  const right = 32 - plan.signalBits[signal]!;
  const left = right - plan.signalShift[signal]!;
  return (plan.signalFlags[signal]! & SIGNAL_SIGNED) !== 0
    ? (word << left) >> right
    : (word << left) >>> right;
}

function readWideRaw(plan: DecodePlan, signal: number, op: number, data: Uint8Array, start: number): number {
  loadWide(plan, signal, data, start);
  if (op === OP_FLOAT32) {
    floatWords[0] = wideLow;
    return float32[0]!;
  }
  if (op === OP_FLOAT64) {
    floatWords[lowWord] = wideLow;
    floatWords[1 - lowWord] = wideHigh;
    return float64[0]!;
  }
  const bits = plan.signalBits[signal]!;
  if ((plan.signalFlags[signal]! & SIGNAL_SIGNED) === 0) return (wideHigh >>> 0) * two32 + (wideLow >>> 0);
  if (bits <= 32) return (wideLow << (32 - bits)) >> (32 - bits);
  return ((wideHigh << (64 - bits)) >> (64 - bits)) * two32 + (wideLow >>> 0);
}

/** The raw value of an integer signal, exact; for float signals its bit pattern. */
export function readExact(plan: DecodePlan, signal: number, data: Uint8Array, start: number): bigint {
  loadWide(plan, signal, data, start);
  const bits = plan.signalBits[signal]!;
  const value = (BigInt(wideHigh >>> 0) << 32n) | BigInt(wideLow >>> 0);
  const flags = plan.signalFlags[signal]!;
  return (flags & (SIGNAL_SIGNED | SIGNAL_FLOAT)) === SIGNAL_SIGNED ? BigInt.asIntN(bits, value) : value;
}

/** The bits of any integer signal read as unsigned (selectors are compared this way). */
export function readUnsigned(plan: DecodePlan, signal: number, data: Uint8Array, start: number): number {
  loadWide(plan, signal, data, start);
  return (wideHigh >>> 0) * two32 + (wideLow >>> 0);
}

function loadWide(plan: DecodePlan, signal: number, data: Uint8Array, start: number): void {
  const first = start + plan.signalFirstByte[signal]!;
  const last = start + plan.signalLastByte[signal]!;
  const isMotorola = (plan.signalFlags[signal]! & SIGNAL_MOTOROLA) !== 0;
  const step = isMotorola ? 1 : -1;
  const lowest = isMotorola ? last : first;
  const shift = plan.signalShift[signal]!;
  let high = 0;
  let low = 0;
  // All bytes above the lowest one, most significant first: at most 8 (a 64-bit signal may touch 9 bytes).
  for (let at = isMotorola ? first : last; at !== lowest; at += step) {
    high = (high << 8) | (low >>> 24);
    low = (low << 8) | data[at]!;
  }
  const up = 8 - shift;
  high = (high << up) | (low >>> (32 - up));
  low = (low << up) | (data[lowest]! >>> shift);
  const bits = plan.signalBits[signal]!;
  if (bits <= 32) {
    high = 0;
    if (bits < 32) low &= (1 << bits) - 1;
  } else if (bits < 64) {
    high &= (1 << (bits - 32)) - 1;
  }
  wideHigh = high;
  wideLow = low;
}
