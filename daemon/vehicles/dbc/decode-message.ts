import {
  type DecodePlan,
  FRAME_LONG,
  FRAME_MUX_UNKNOWN,
  FRAME_SHORT,
  OP_NONE,
  SIGNAL_EXACT,
} from './decode-plan.js';
import { readExact, readRaw, readUnsigned } from './read-raw.js';

/**
 * Decodes one payload: `data[start] … data[start + length − 1]` against message `messageIndex`. Fills
 * `values[k]` (physical, in the unit of the DBC) and `present[k]` (1 or 0) for the k-th signal of the message,
 * that is plan signal messageFirstSignal[messageIndex] + k. A signal is present iff it lies within both the
 * received bytes and the message, and its multiplexer condition holds. Where `present` is 0, `values` keeps
 * what it held. Allocates nothing. Returns FRAME_… bits.
 */
export function decodeMessage(
  plan: DecodePlan,
  messageIndex: number,
  data: Uint8Array,
  start: number,
  length: number,
  values: Float64Array,
  present: Uint8Array,
): number {
  const messageLength = plan.messageLength[messageIndex]!;
  const usable = Math.min(length, messageLength);
  const base = plan.messageFirstSignal[messageIndex]!;
  // The length of a message without signals is nobody's concern.
  if (plan.messageFirstSignal[messageIndex + 1] === base) return 0;
  let findings = length < messageLength ? FRAME_SHORT : length > messageLength ? FRAME_LONG : 0;
  const lastBlock = plan.messageFirstBlock[messageIndex + 1]!;
  const { blockFirstSignal, blockSelector, signalOp, signalLastByte, signalScale, signalOffset } = plan;
  let selector = -1;
  let selectorValue = 0;
  let isSelectorPresent = false;
  let isSelected = true;
  for (let block = plan.messageFirstBlock[messageIndex]!; block < lastBlock; block++) {
    const firstSignal = blockFirstSignal[block]!;
    const endSignal = blockFirstSignal[block + 1]!;
    if (blockSelector[block]! !== selector) {
      if (isSelectorPresent && !isSelected) findings |= FRAME_MUX_UNKNOWN;
      selector = blockSelector[block]!;
      isSelectorPresent = present[selector - base] === 1;
      isSelected = false;
      if (isSelectorPresent) selectorValue = readUnsigned(plan, selector, data, start);
    }
    if (selector >= 0) {
      if (!isSelectorPresent || !isInRanges(plan, block, selectorValue)) {
        for (let s = firstSignal; s < endSignal; s++) present[s - base] = 0;
        continue;
      }
      isSelected = true;
    }
    for (let s = firstSignal; s < endSignal; s++) {
      if (signalLastByte[s]! >= usable || signalOp[s] === OP_NONE) {
        present[s - base] = 0;
        continue;
      }
      values[s - base] = readRaw(plan, s, data, start) * signalScale[s]! + signalOffset[s]!;
      present[s - base] = 1;
    }
  }
  if (isSelectorPresent && !isSelected) findings |= FRAME_MUX_UNKNOWN;
  return findings;
}

function isInRanges(plan: DecodePlan, block: number, value: number): boolean {
  const end = plan.blockFirstRange[block + 1]!;
  for (let range = plan.blockFirstRange[block]!; range < end; range++) {
    if (value >= plan.rangeFrom[range]! && value <= plan.rangeTo[range]!) return true;
  }
  return false;
}

/**
 * The physical value of a present signal where a float64 cannot hold it: an integer signal with scale 1 and
 * offset 0 whose raw value lies beyond ±2^53. Undefined for all others; `value` is what decodeMessage gave.
 */
export function exactPhysical(
  plan: DecodePlan,
  signal: number,
  value: number,
  data: Uint8Array,
  start: number,
): bigint | undefined {
  if ((plan.signalFlags[signal]! & SIGNAL_EXACT) === 0 || Math.abs(value) < Number.MAX_SAFE_INTEGER) {
    return undefined;
  }
  const exact = readExact(plan, signal, data, start);
  return exact > 2n ** 53n || exact < -(2n ** 53n) ? exact : undefined;
}
