/** The car's controllers on the bus: measured signals, counter and checksum, encoded by the DBC. */
import { DriveMcpError } from '../../daemon/core/errors.js';
import { compilePlan } from '../../daemon/vehicles/dbc/compile-plan.js';
import type { DbcDatabase } from '../../daemon/vehicles/dbc/database.js';
import type { DecodePlan } from '../../daemon/vehicles/dbc/decode-plan.js';
import { encodeMessage } from '../../daemon/vehicles/dbc/encode-message.js';
import type { CanBus } from './can-bus.js';
import { createCanBus, runBus } from './can-bus.js';
import type { CarState, SignalValues } from './car-signals.js';
import { signalsOf } from './car-signals.js';
import type { Prng } from './prng.js';
import { createPrng } from './prng.js';

/** Scratch space to encode one message. */
interface MessageEncoder {
  readonly index: number;
  /** place in `values` by signal name */
  readonly slots: ReadonlyMap<string, number>;
  readonly values: Float64Array;
  readonly present: Uint8Array;
  /** range of each signal by the DBC: a sensor saturates there */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** the payload as it was sent last */
  readonly data: Uint8Array;
}

export interface CanOutput {
  readonly bus: CanBus;
  readonly plan: DecodePlan;
  readonly encoders: ReadonlyMap<string, MessageEncoder>;
  readonly noise: Prng;
}

export function createCanOutput(database: DbcDatabase, seed: string): CanOutput {
  const plan = compilePlan([database]);
  const encoders = new Map<string, MessageEncoder>();
  for (const [index, name] of plan.messageName.entries()) encoders.set(name, messageEncoder(plan, index));
  return {
    bus: createCanBus(database.messages, seed),
    plan,
    encoders,
    noise: createPrng(seed, 'inertial sensors'),
  };
}

function messageEncoder(plan: DecodePlan, index: number): MessageEncoder {
  const first = plan.messageFirstSignal[index]!;
  const count = plan.messageFirstSignal[index + 1]! - first;
  const slots = new Map<string, number>();
  for (let k = 0; k < count; k++) slots.set(plan.signalName[first + k]!, k);
  return {
    index,
    slots,
    values: new Float64Array(count),
    present: new Uint8Array(count),
    low: Float64Array.from({ length: count }, (_, k) => plan.signalMin[first + k] ?? -Infinity),
    high: Float64Array.from({ length: count }, (_, k) => plan.signalMax[first + k] ?? Infinity),
    data: new Uint8Array(plan.messageLength[index]!),
  };
}

/** Sends every frame that is complete before `untilUs`; the payload is valid during the call. */
export function emitFrames(
  output: CanOutput,
  car: CarState,
  untilUs: number,
  emit: (tUs: number, id: number, data: Uint8Array) => void,
): void {
  runBus(output.bus, untilUs, (message, tUs, sent) => {
    const encoder = output.encoders.get(message.name);
    const values = signalsOf(message.name, car, output.noise);
    if (encoder === undefined || values === undefined) return;
    const fault = car.faults.frames.get(message.name);
    if (fault === 'lost') return;
    if (fault !== 'frozen' || sent === 0) encode(output.plan, message.name, encoder, values, sent);
    emit(tUs, message.id, fault === 'corrupt' ? withWrongBit(encoder.data, sent) : encoder.data);
  });
}

function encode(
  plan: DecodePlan,
  message: string,
  encoder: MessageEncoder,
  values: SignalValues,
  sent: number,
): void {
  const { slots, present, data } = encoder;
  data.fill(0);
  present.fill(0);
  for (const [name, value] of Object.entries(values)) set(encoder, name, value);
  const counter = slots.get(`${message}_CNT`);
  if (counter !== undefined) set(encoder, `${message}_CNT`, sent % 16);
  encodeMessage(plan, encoder.index, encoder.values, present, data, 0);
  // The protected messages of this car carry their CRC in the last byte.
  if (slots.has(`${message}_CRC`)) data[data.length - 1] = crc8SaeJ1850(data, data.length - 1);
}

/** A copy with one bit inverted, another one each time: behind the checksum's back, as a faulty controller does it. */
function withWrongBit(data: Uint8Array, sent: number): Uint8Array {
  const copy = data.slice();
  const bit = (sent * 37) % (8 * copy.length);
  copy[bit >> 3] = copy[bit >> 3]! ^ (1 << (bit & 7));
  return copy;
}

function set(encoder: MessageEncoder, name: string, value: number): void {
  const slot = encoder.slots.get(name);
  if (slot === undefined) {
    throw new DriveMcpError('INVARIANT', `the simulated car's DBC has no signal ${name}`);
  }
  encoder.values[slot] = Math.min(encoder.high[slot]!, Math.max(encoder.low[slot]!, value));
  encoder.present[slot] = 1;
}

/** CRC-8 SAE J1850 (polynomial 0x1D, start 0xFF, final XOR 0xFF) of the first `length` bytes. */
export function crc8SaeJ1850(data: Uint8Array, length: number): number {
  let crc = 0xff;
  for (let i = 0; i < length; i++) {
    crc ^= data[i]!;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ ((crc & 0x80) === 0 ? 0 : 0x1d)) & 0xff;
  }
  return crc ^ 0xff;
}
