/**
 * The vehicle profile at work: frames in, latest valid value of each mapped signal out.
 *
 * A frame is not accepted when it is shorter than the DBC says, its checksum is wrong or its counter repeats;
 * the values of the frame before stay until they are stale. A value is not accepted when it changes faster
 * than the quantity can. After five such frames in a row the signals become invalid (null) and a fault is
 * reported. A value that means "not available", is not a number or lies outside its plausible range is
 * invalid at once. Everything is counted.
 */
import {
  FRAME_ERROR,
  FRAME_EXT,
  FRAME_FD,
  FRAME_REMOTE,
  FRAME_STRIDE,
  type FrameBatch,
} from '../../core/can/frame-batch.js';
import type { SignalSample, SourceState } from '../../core/tick.js';
import type { MessageIdentifier, VehicleProfile } from '../../ports.js';
import { decodeMessage } from '../dbc/decode-message.js';
import {
  type DecodePlan,
  FRAME_LONG,
  FRAME_SHORT,
  MESSAGE_EXT,
  MESSAGE_FD,
  MESSAGE_J1939,
} from '../dbc/decode-plan.js';
import type { CompiledProfile, MappedMessage, MappedSignal } from './compile-profile.js';
import { type FrameFault, type FrameFaultKind, MessageRecord, SignalRecord } from './reception.js';

/** Bad frames in a row until the signals of a message become invalid. */
export const badFramesToFault = 5;

/** A value is late after this many cycle times (practice: five), but not before `minStaleUs`. */
const stalePeriods = 5;
const minStaleUs = 200_000;
const defaultStaleUs = 500_000;

/** The rate of change is judged over at least this time, so that jitter of time stamps is no jump. */
export const minRateWindowUs = 100_000;

/** Faults kept until somebody drains them; beyond, the newest are dropped and counted. */
export const maxPendingFaults = 256;

export class ProfileDecoder implements VehicleProfile {
  readonly name: string;
  readonly paths: readonly string[];
  readonly required: ReadonlyMap<string, number>;
  readonly identifiers: readonly MessageIdentifier[];
  /** one per mapped signal, sorted by path */
  readonly signals: readonly SignalRecord[];
  readonly messages: readonly MessageRecord[];
  frames = 0;
  /** frames of messages that the profile does not use */
  unmapped = 0;
  ignoredError = 0;
  ignoredRemote = 0;
  /** CAN FD frames, where the DBC describes a classic bus */
  ignoredFd = 0;
  droppedFaults = 0;
  /** times that a message or signal became faulty */
  faultCount = 0;
  /** how many are faulty now */
  activeFaults = 0;
  readonly plan: DecodePlan;
  /** no message of it is a CAN FD one */
  readonly isClassic: boolean;
  /** plan message → record, or undefined */
  readonly #byMessage: readonly (MessageRecord | undefined)[];
  readonly #values: Float64Array;
  readonly #present: Uint8Array;
  #faults: FrameFault[] = [];

  constructor(
    compiled: CompiledProfile,
    readonly digest: string,
  ) {
    const { plan } = compiled;
    this.name = compiled.name;
    this.plan = plan;
    this.#values = new Float64Array(plan.maxSignalsPerMessage);
    this.#present = new Uint8Array(plan.maxSignalsPerMessage);
    this.signals = compiled.signals.map((mapped) => new SignalRecord(mapped, plan));
    this.messages = compiled.messages.map((mapped) => {
      const own = this.signals.filter((record) => record.mapped.message === mapped.message);
      return new MessageRecord(mapped, own);
    });
    const byMessage: (MessageRecord | undefined)[] = new Array(plan.messageCount).fill(undefined);
    for (const record of this.messages) byMessage[record.mapped.message] = record;
    this.#byMessage = byMessage;
    this.isClassic = compiled.messages.every((mapped) => isClassic(plan, mapped));
    this.paths = compiled.signals.map((mapped) => mapped.vss.path);
    this.identifiers = compiled.messages.map(({ message }) => ({
      id: plan.messageId[message]!,
      ext: (plan.messageFlags[message]! & MESSAGE_EXT) !== 0,
      isGroup: (plan.messageFlags[message]! & MESSAGE_J1939) !== 0,
    }));
    this.required = new Map(
      compiled.signals
        .filter((mapped) => mapped.spec.required === true)
        .map((mapped) => [mapped.vss.path, staleAgeUs(mapped)]),
    );
  }

  consume(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void {
    for (let i = from; i < to; i++) this.#frame(batch, i, tUs[i - from]!);
  }

  drain(tUs = Number.POSITIVE_INFINITY): SignalSample[] {
    const samples: SignalSample[] = [];
    for (const record of this.signals) {
      if (!record.hasArrived) continue;
      samples.push({
        path: record.mapped.vss.path,
        value: record.isValid ? record.value : null,
        observedAtUs: Math.min(record.observedAtUs, tUs),
        changes: record.changes,
      });
      record.hasArrived = false;
      record.changes = 0;
    }
    return samples;
  }

  /** What was received and why it was not used, by name: for summaries and metrics. */
  counts(): Record<string, number> {
    const counts = {
      frames: this.frames,
      unmapped: this.unmapped,
      ignored_error: this.ignoredError,
      ignored_remote: this.ignoredRemote,
      ignored_fd: this.ignoredFd,
      too_short: 0,
      too_long: 0,
      checksum: 0,
      counter: 0,
      lost: 0,
      not_available: 0,
      not_finite: 0,
      out_of_range: 0,
      too_fast: 0,
      faults: this.faultCount,
      dropped_faults: this.droppedFaults,
    };
    for (const message of this.messages) {
      counts.too_short += message.short;
      counts.too_long += message.long;
      counts.checksum += message.checksum;
      counts.counter += message.stuck;
      counts.lost += message.lost;
    }
    for (const signal of this.signals) {
      counts.not_available += signal.notAvailable;
      counts.not_finite += signal.notFinite;
      counts.out_of_range += signal.outOfRange;
      counts.too_fast += signal.tooFast;
    }
    return counts;
  }

  /** Required is none of them: what the absence of a signal means is said of the signal. */
  states(): SourceState[] {
    if (this.activeFaults === 0) return [];
    const states: SourceState[] = [];
    const add = (name: string, detail: FrameFaultKind) =>
      states.push({ name, kind: 'can', required: false, state: 'stale', detail });
    for (const message of this.messages) {
      if (message.fault !== null) add(message.mapped.name, message.fault);
    }
    for (const signal of this.signals) {
      if (signal.rejectedInRow >= badFramesToFault) add(signal.mapped.key, 'rate');
    }
    return states;
  }

  /** Faults of messages that began or ended since the last call. */
  drainFaults(): FrameFault[] {
    const faults = this.#faults;
    this.#faults = [];
    return faults;
  }

  #frame(batch: FrameBatch, i: number, tUs: number): void {
    this.frames++;
    const flags = batch.flags[i]!;
    if ((flags & FRAME_ERROR) !== 0) {
      this.ignoredError++;
      return;
    }
    if ((flags & FRAME_REMOTE) !== 0) {
      this.ignoredRemote++;
      return;
    }
    const message = this.plan.find(batch.id[i]!, (flags & FRAME_EXT) !== 0);
    const record = message < 0 ? undefined : this.#byMessage[message];
    if (record === undefined) {
      this.unmapped++;
      return;
    }
    if ((flags & FRAME_FD) !== 0 && this.isClassic) {
      this.ignoredFd++;
      return;
    }
    record.seen(tUs);
    const start = i * FRAME_STRIDE;
    const length = batch.length[i]!;
    const findings = decodeMessage(
      this.plan,
      message,
      batch.data,
      start,
      length,
      this.#values,
      this.#present,
    );
    if ((findings & FRAME_LONG) !== 0) record.long++;
    if ((findings & FRAME_SHORT) !== 0) {
      record.short++;
      this.#bad(record, 'length', tUs);
      return;
    }
    const { checksum, counter } = record.mapped;
    if (checksum !== null && !checksum.holds(batch.data, start, length)) {
      record.checksum++;
      this.#bad(record, 'checksum', tUs);
      return;
    }
    if (counter !== null) {
      if (!counter.accepts(batch.data, start, tUs, batch.bus[i]!)) {
        record.stuck++;
        this.#bad(record, 'counter', tUs);
        return;
      }
      record.lost += counter.lost;
    }
    record.accepted++;
    this.#good(record, tUs);
    for (let k = 0; k < record.signals.length; k++) {
      const signal = record.signals[k]!;
      if (this.#present[signal.index] === 1) this.#value(signal, this.#values[signal.index]!, tUs);
    }
  }

  #value(signal: SignalRecord, decoded: number, tUs: number): void {
    signal.arrived++;
    if (signal.isUnavailable(decoded)) {
      signal.notAvailable++;
      signal.invalidate(tUs);
      return;
    }
    const scaled = decoded * signal.scale + signal.offset;
    const value = (scaled * signal.mul) / signal.div + signal.add;
    // Written so that NaN fails too.
    if (!Number.isFinite(value)) {
      signal.notFinite++;
      signal.invalidate(tUs);
    } else if (
      scaled < signal.min ||
      scaled > signal.max ||
      value < signal.coreMin ||
      value > signal.coreMax
    ) {
      signal.outOfRange++;
      signal.invalidate(tUs);
    } else if (signal.changesTooFast(value, tUs, minRateWindowUs)) {
      signal.tooFast++;
      signal.rejectedInRow++;
      if (signal.rejectedInRow === badFramesToFault) {
        this.#report({ message: signal.mapped.key, kind: 'rate', isActive: true, tUs });
      }
      if (signal.rejectedInRow >= badFramesToFault) signal.invalidate(tUs);
    } else {
      if (signal.rejectedInRow >= badFramesToFault) {
        this.#report({ message: signal.mapped.key, kind: 'rate', isActive: false, tUs });
      }
      signal.rejectedInRow = 0;
      signal.accept(value, tUs);
    }
  }

  #bad(record: MessageRecord, kind: FrameFaultKind, tUs: number): void {
    record.badInRow++;
    if (record.badInRow < badFramesToFault) return;
    if (record.badInRow === badFramesToFault) {
      record.fault = kind;
      this.#report({ message: record.mapped.name, kind, isActive: true, tUs });
    }
    for (let k = 0; k < record.signals.length; k++) record.signals[k]!.invalidate(tUs);
  }

  #good(record: MessageRecord, tUs: number): void {
    record.badInRow = 0;
    if (record.fault === null) return;
    this.#report({ message: record.mapped.name, kind: record.fault, isActive: false, tUs });
    record.fault = null;
  }

  #report(fault: FrameFault): void {
    this.activeFaults += fault.isActive ? 1 : -1;
    if (fault.isActive) this.faultCount++;
    if (this.#faults.length < maxPendingFaults) this.#faults.push(fault);
    else this.droppedFaults++;
  }
}

function isClassic(plan: DecodePlan, { message }: MappedMessage): boolean {
  return plan.messageLength[message]! <= 8 && (plan.messageFlags[message]! & MESSAGE_FD) === 0;
}

/** Age in µs from which a signal counts as missing. */
function staleAgeUs({ periodUs }: MappedSignal): number {
  return periodUs === null ? defaultStaleUs : Math.max(minStaleUs, stalePeriods * periodUs);
}
