/**
 * A vehicle profile as typed arrays: all that `ProfileDecoder` knows when it accepts or refuses a frame or a value, for
 * the native executor. Whatever decides is computed here, once, in TypeScript; the executor compares and counts.
 */
import { counterRestartUs } from './frame-checks.js';
import {
  badFramesToFault,
  maxPendingFaults,
  minRateWindowUs,
  type ProfileDecoder,
} from './profile-decoder.js';
import { checksumKinds } from './profile-schema.js';
import type { SignalRecord } from './reception.js';

/** Places follow `ProfileDecoder.messages` and `ProfileDecoder.signals`; arrays named `first…` have one more. */
export interface ReceptionPlan {
  /** plan message */
  readonly message: Uint32Array;
  /** 0 = none, else 1 + the place in `checksumKinds` */
  readonly checksumKind: Uint8Array;
  /** plan signal, −1 = none */
  readonly checksumSignal: Int32Array;
  readonly firstSummed: Uint32Array;
  readonly summed: Uint32Array;
  /** plan signal, −1 = none */
  readonly counterSignal: Int32Array;
  readonly counterModulo: Uint32Array;
  readonly firstMember: Uint32Array;
  /** mapped signals of the message */
  readonly member: Uint32Array;
  /** plan signal */
  readonly signal: Uint32Array;
  readonly scale: Float64Array;
  readonly offset: Float64Array;
  readonly mul: Float64Array;
  readonly div: Float64Array;
  readonly add: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly coreMin: Float64Array;
  readonly coreMax: Float64Array;
  readonly maxRatePerUs: Float64Array;
  readonly firstUnavailable: Uint32Array;
  readonly unavailable: Float64Array;
  readonly badFramesToFault: number;
  readonly minRateWindowUs: number;
  readonly counterRestartUs: number;
  readonly maxPendingFaults: number;
  readonly isClassic: boolean;
}

export function receptionPlan({ messages, signals, isClassic }: ProfileDecoder): ReceptionPlan {
  const mapped = messages.map((record) => record.mapped);
  const placeOf = new Map(signals.map((record, place) => [record, place]));
  const summed = grouped(mapped.map(({ checksum }) => checksum?.of ?? []));
  const members = grouped(messages.map((record) => record.signals.map((signal) => placeOf.get(signal)!)));
  const unavailable = grouped(signals.map((record) => [...record.unavailable]));
  const each = (of: (record: SignalRecord) => number) => Float64Array.from(signals, of);
  return {
    message: Uint32Array.from(mapped, ({ message }) => message),
    checksumKind: Uint8Array.from(mapped, ({ checksum }) =>
      checksum === null ? 0 : 1 + checksumKinds.indexOf(checksum.kind),
    ),
    checksumSignal: Int32Array.from(mapped, ({ checksum }) => checksum?.signal ?? -1),
    firstSummed: summed.first,
    summed: Uint32Array.from(summed.items),
    counterSignal: Int32Array.from(mapped, ({ counter }) => counter?.signal ?? -1),
    counterModulo: Uint32Array.from(mapped, ({ counter }) => counter?.modulo ?? 1),
    firstMember: members.first,
    member: Uint32Array.from(members.items),
    signal: Uint32Array.from(signals, (record) => record.mapped.signal),
    scale: each((record) => record.scale),
    offset: each((record) => record.offset),
    mul: each((record) => record.mul),
    div: each((record) => record.div),
    add: each((record) => record.add),
    min: each((record) => record.min),
    max: each((record) => record.max),
    coreMin: each((record) => record.coreMin),
    coreMax: each((record) => record.coreMax),
    maxRatePerUs: each((record) => record.maxRatePerUs),
    firstUnavailable: unavailable.first,
    unavailable: Float64Array.from(unavailable.items),
    badFramesToFault,
    minRateWindowUs,
    counterRestartUs,
    maxPendingFaults,
    isClassic,
  };
}

/** Lists one after the other, and where each begins. */
function grouped(lists: readonly (readonly number[])[]): { first: Uint32Array; items: number[] } {
  const first = new Uint32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) first[i + 1] = first[i]! + list.length;
  return { first, items: lists.flat() };
}
