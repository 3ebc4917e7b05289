/** Checks that signals fit their message and do not share bits; a flaw is marked and reported, not repaired. */
import type { DiagnosticLog } from './diagnostic-log.js';
import type { Draft, DraftMessage, DraftSignal } from './draft.js';
import { areExclusive } from './mux-exclusion.js';
import { bitsInByte, signalLayout } from './signal-layout.js';

/** CAN FD carries 64 bytes, J1939 transport protocol 1,785. */
const maxFrameBytes = 64;
const maxTransportBytes = 1785;
/** Comparisons for overlap in one file: far above what real files need, bounded for hostile ones. */
const maxComparisons = 3_000_000;

export function checkLayout(draft: Draft, log: DiagnosticLog): void {
  const names = new Map<string, DraftMessage>();
  const budget = { left: maxComparisons };
  for (const message of draft.messages.values()) {
    const namesake = names.get(message.name);
    if (namesake) {
      log.report(
        message,
        'duplicate_message_name',
        `the name ${message.name} is also that of the message in line ${namesake.line}`,
      );
    } else names.set(message.name, message);
    if (message.length > (message.ext ? maxTransportBytes : maxFrameBytes)) {
      log.report(message, 'message_length_unusual', `${message.name}: no frame has ${message.length} bytes`);
    }
    for (const signal of message.signals) checkSignal(message, signal, log);
    checkOverlap(message, log, budget);
  }
}

function checkSignal(message: DraftMessage, signal: DraftSignal, log: DiagnosticLog): void {
  const { bitLength, floatBits } = signal;
  const name = `${message.name}.${signal.name}`;
  if (bitLength < 1 || bitLength > 64) {
    signal.flaw ??= 'length';
    log.report(signal, 'signal_length_invalid', `${name} has ${bitLength} bits; it is never decoded`);
    return;
  }
  if (floatBits > 0 && floatBits !== bitLength) {
    signal.flaw ??= 'float_length';
    log.report(
      signal,
      'float_length_mismatch',
      `${name} is an IEEE ${floatBits}-bit number of ${bitLength} bits; it is never decoded`,
    );
  }
  const layout = signalLayout(signal.startBit, bitLength, signal.byteOrder);
  if (layout.lastByte >= message.length) {
    signal.flaw ??= 'outside';
    log.report(
      signal,
      'signal_outside_message',
      `${name} ends in byte ${layout.lastByte} of a message of ${message.length} bytes; it is never decoded`,
    );
  }
}

function checkOverlap(message: DraftMessage, log: DiagnosticLog, budget: { left: number }): void {
  const bySignalName = new Map(message.signals.map((signal) => [signal.name, signal]));
  // Signals that touch each byte: only those can share bits.
  const byByte: DraftSignal[][] = [];
  for (const signal of message.signals) {
    if (signal.flaw !== null) continue;
    const { firstByte, lastByte } = signalLayout(signal.startBit, signal.bitLength, signal.byteOrder);
    let other: DraftSignal | undefined;
    for (let byte = firstByte; byte <= lastByte; byte++) {
      byByte[byte] ??= [];
      const present = byByte[byte]!;
      for (let i = 0; other === undefined && i < present.length && budget.left > 0; i++) {
        budget.left--;
        const candidate = present[i]!;
        if ((bitsInByte(signal, byte) & bitsInByte(candidate, byte)) === 0) continue;
        if (!areExclusive(signal, candidate, bySignalName, budget)) other = candidate;
      }
      present.push(signal);
    }
    if (other) {
      log.report(
        signal,
        'signal_overlap',
        `${message.name}.${signal.name} shares bits with ${other.name} of line ${other.line}; both are decoded`,
      );
    }
  }
  if (budget.left <= 0) {
    log.report(
      message,
      'signal_overlap_unchecked',
      `the file is too entangled to check all signals of ${message.name} for overlap`,
    );
  }
}
