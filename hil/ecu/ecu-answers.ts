/** What a simulated control unit says to a request: messages with the time after which they leave. */
import type { ScriptedEcu } from './ecu-script.js';

export interface EcuMessage {
  readonly afterMs: number;
  readonly answerId: number;
  readonly payload: Uint8Array;
  readonly damage?: 'breaks_off' | 'skips_a_frame';
}

/** beyond P2 and every allowance for it */
const slowMs = 400;
const promptMs = 5;
const pendingEveryMs = 30;

/** The right answer, or null where an ECU stays silent (ISO 15031-5: no answer to what it does not support). */
export function rightAnswer(ecu: ScriptedEcu, request: Uint8Array): Uint8Array | null {
  const [service = 0, parameter = 0] = request;
  switch (service) {
    case 0x01: {
      if (parameter % 0x20 === 0) return supportMap(service, parameter, pidsOf(ecu));
      const data = ecu.pids[hex2(parameter)];
      return data === undefined ? null : Uint8Array.of(0x41, parameter, ...Buffer.from(data, 'hex'));
    }
    case 0x03:
      return codes(0x43, ecu.confirmed);
    case 0x07:
      return codes(0x47, ecu.pending);
    case 0x0a:
      return codes(0x4a, ecu.permanent);
    case 0x09: {
      if (ecu.vin === undefined) return null;
      if (parameter === 0) return supportMap(service, 0, [2]);
      return parameter === 2 ? Uint8Array.of(0x49, 2, 1, ...Buffer.from(ecu.vin, 'latin1')) : null;
    }
    case 0x22: {
      if (ecu.vin === undefined || request[1] !== 0xf1 || request[2] !== 0x90)
        return Uint8Array.of(0x7f, 0x22, 0x31);
      return Uint8Array.of(0x62, 0xf1, 0x90, ...Buffer.from(ecu.vin, 'latin1'));
    }
    default:
      return Uint8Array.of(0x7f, service, 0x11);
  }
}

/** All that leaves after the `turn`-th request to this ECU. */
export function answersTo(ecu: ScriptedEcu, request: Uint8Array, turn: number): EcuMessage[] {
  const answerId = Number.parseInt(ecu.answer, 16);
  const right = rightAnswer(ecu, request);
  if (right === null || request[0] === undefined) return [];
  const service = request[0];
  const say = (payload: Uint8Array, afterMs = promptMs): EcuMessage => ({ afterMs, answerId, payload });
  const negative = (nrc: number, afterMs = promptMs) => say(Uint8Array.of(0x7f, service, nrc), afterMs);
  switch (ecu.behaviour[turn % ecu.behaviour.length]) {
    case 'silent':
      return [];
    case 'slow':
      return [say(right, slowMs)];
    case 'twice':
      return [say(right), say(right, promptMs + 1)];
    case 'for_another':
      return [say(Uint8Array.of(0x41, 0xfe, 0))];
    case 'wrong_source':
      return [{ ...say(right), answerId: answerId === 0x7ef ? 0x7ee : answerId + 1 }];
    case 'pending':
      return [negative(0x78), negative(0x78, 1000), say(right, 2000)];
    case 'pending_for_ever':
      return Array.from({ length: 40 }, (_, i) => negative(0x78, promptMs + i * pendingEveryMs));
    case 'busy':
      return [negative(0x21)];
    case 'refuses':
      return [negative(0x12)];
    case 'breaks_off':
      return [{ ...say(right), damage: 'breaks_off' }];
    case 'skips_a_frame':
      return [{ ...say(right), damage: 'skips_a_frame' }];
    case 'short':
      return [say(right.slice(0, 2))];
    default:
      return [say(right)];
  }
}

function pidsOf(ecu: ScriptedEcu): number[] {
  return Object.keys(ecu.pids).map((pid) => Number.parseInt(pid, 16));
}

function supportMap(service: number, block: number, pids: readonly number[]): Uint8Array | null {
  const largest = pids.reduce((most, pid) => Math.max(most, pid), 0);
  if (block > 0 && largest <= block) return null;
  const bytes = [0, 0, 0, 0];
  const mark = (bit: number) => {
    bytes[bit >> 3] = bytes[bit >> 3]! | (0x80 >> (bit & 7));
  };
  for (const pid of pids) if (pid > block && pid <= block + 32) mark(pid - block - 1);
  if (largest > block + 32) mark(31);
  return Uint8Array.of(service + 0x40, block, ...bytes);
}

function codes(answer: number, list: readonly string[]): Uint8Array {
  return Uint8Array.of(answer, list.length, ...list.flatMap((code) => [...Buffer.from(code, 'hex')]));
}

function hex2(value: number): string {
  return value.toString(16).toUpperCase().padStart(2, '0');
}
