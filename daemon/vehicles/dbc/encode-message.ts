/** Physical values to payload, the inverse of decodeMessage on the same plan. Checksums and counters are the caller's. */
import { DriveMcpError } from '../../core/errors.js';
import { type DecodePlan, OP_NONE, SIGNAL_FLOAT, SIGNAL_MOTOROLA, SIGNAL_SIGNED } from './decode-plan.js';
import { readUnsigned } from './read-raw.js';

const two32 = 4294967296;
const words = new Uint32Array(2);
const float32 = new Float32Array(words.buffer, 0, 1);
const float64 = new Float64Array(words.buffer);
const lowWord = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 0 : 1;

/**
 * Writes the signals k of message `messageIndex` with `present[k]` = 1 and value `values[k]` (physical, in the
 * unit of the DBC) into `data` from `start` on, and returns the number of payload bytes. Bits of no written
 * signal stay as they are: fill the payload with 0x00 or 0xFF before. Values are rounded to the nearest raw
 * value; a value that decoding gave leads back to the same raw value. Allocates nothing.
 *
 * Throws SIGNAL_UNENCODABLE for a value that the bits cannot hold, for a multiplexed signal whose condition
 * the written selector does not meet, and for a signal that does not fit its message. Nothing is clamped;
 * what was written before the signal that is refused stays.
 */
export function encodeMessage(
  plan: DecodePlan,
  messageIndex: number,
  values: Float64Array,
  present: Uint8Array,
  data: Uint8Array,
  start: number,
): number {
  const base = plan.messageFirstSignal[messageIndex]!;
  const endBlock = plan.messageFirstBlock[messageIndex + 1]!;
  for (let block = plan.messageFirstBlock[messageIndex]!; block < endBlock; block++) {
    const endSignal = plan.blockFirstSignal[block + 1]!;
    for (let s = plan.blockFirstSignal[block]!; s < endSignal; s++) {
      if (present[s - base] !== 1) continue;
      if (!isBlockActive(plan, block, base, present, data, start)) {
        throw unencodable(plan, messageIndex, s, 'is not in the payload under the selector value given');
      }
      encodeSignal(plan, messageIndex, s, values[s - base]!, data, start);
    }
  }
  return plan.messageLength[messageIndex]!;
}

function isBlockActive(
  plan: DecodePlan,
  block: number,
  base: number,
  present: Uint8Array,
  data: Uint8Array,
  start: number,
): boolean {
  const selector = plan.blockSelector[block]!;
  if (selector < 0) return true;
  if (present[selector - base] !== 1) return false;
  const value = readUnsigned(plan, selector, data, start);
  const end = plan.blockFirstRange[block + 1]!;
  for (let range = plan.blockFirstRange[block]!; range < end; range++) {
    if (value >= plan.rangeFrom[range]! && value <= plan.rangeTo[range]!) return true;
  }
  return false;
}

function encodeSignal(
  plan: DecodePlan,
  messageIndex: number,
  signal: number,
  physical: number,
  data: Uint8Array,
  start: number,
): void {
  if (plan.signalOp[signal] === OP_NONE) {
    throw unencodable(plan, messageIndex, signal, 'has no usable place in its message');
  }
  const bits = plan.signalBits[signal]!;
  const flags = plan.signalFlags[signal]!;
  if ((flags & SIGNAL_FLOAT) !== 0) {
    const raw = (physical - plan.signalOffset[signal]!) / plan.signalScale[signal]!;
    if (bits === 32) {
      float32[0] = raw;
      writeBits(plan, signal, 0, words[0]!, data, start);
    } else {
      float64[0] = raw;
      writeBits(plan, signal, words[1 - lowWord]!, words[lowWord]!, data, start);
    }
    return;
  }
  const raw = nearestRaw(physical, plan.signalScale[signal]!, plan.signalOffset[signal]!);
  const isSigned = (flags & SIGNAL_SIGNED) !== 0;
  const bound = 2 ** (isSigned ? bits - 1 : bits);
  if (!(raw < bound && raw >= (isSigned ? -bound : 0))) {
    throw unencodable(plan, messageIndex, signal, `cannot hold ${physical} in ${bits} bits (raw ${raw})`);
  }
  const high = Math.floor(raw / two32);
  writeBits(plan, signal, high, raw - high * two32, data, start);
}

/**
 * The raw integer whose physical value is nearest. Division and subtraction round, so the neighbours are
 * tried for one that decodes to exactly this value. A factor of 0 leaves only raw 0.
 */
function nearestRaw(physical: number, scale: number, offset: number): number {
  if (scale === 0) return 0;
  const raw = Math.round((physical - offset) / scale);
  if (raw * scale + offset === physical) return raw;
  if ((raw + 1) * scale + offset === physical) return raw + 1;
  if ((raw - 1) * scale + offset === physical) return raw - 1;
  return raw;
}

/** Writes a raw integer of up to 64 bits (for float signals: their bit pattern) exactly. */
export function writeExact(
  plan: DecodePlan,
  signal: number,
  raw: bigint,
  data: Uint8Array,
  start: number,
): void {
  const pattern = BigInt.asUintN(64, raw);
  writeBits(plan, signal, Number(pattern >> 32n), Number(pattern & 0xffffffffn), data, start);
}

/** Puts the low `signalBits` bits of high·2^32 + low where the signal lies, the lowest first. */
function writeBits(
  plan: DecodePlan,
  signal: number,
  high: number,
  low: number,
  data: Uint8Array,
  start: number,
): void {
  const isMotorola = (plan.signalFlags[signal]! & SIGNAL_MOTOROLA) !== 0;
  let at = start + (isMotorola ? plan.signalLastByte[signal]! : plan.signalFirstByte[signal]!);
  let shift = plan.signalShift[signal]!;
  let left = plan.signalBits[signal]!;
  while (left > 0) {
    const count = Math.min(8 - shift, left);
    const mask = ((1 << count) - 1) << shift;
    data[at] = (data[at]! & ~mask) | ((low << shift) & mask);
    low = (low >>> count) | (high << (32 - count));
    high >>>= count;
    left -= count;
    shift = 0;
    at += isMotorola ? -1 : 1;
  }
}

function unencodable(plan: DecodePlan, messageIndex: number, signal: number, what: string): DriveMcpError {
  const key = `${plan.messageName[messageIndex]}.${plan.signalName[signal]}`;
  return new DriveMcpError('SIGNAL_UNENCODABLE', `signal ${key} ${what}`, { location: { key } });
}
