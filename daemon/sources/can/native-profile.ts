/**
 * A vehicle profile whose frames are decoded in the native module: on the receive threads of live interfaces, or in
 * `consume`. The module executes the reception plan and counts; `read` copies its state into the records of the
 * TypeScript decoder, and samples, states and counts are made from those, by the same code, whoever decoded.
 */
import {
  type CanRxModule,
  faultKinds,
  messageColumns,
  type NativePlan,
  type NativeProfileTable,
  type NativeReception,
  signalColumns,
  tableColumns,
} from '../../../native/index.js';
import type { FrameBatch } from '../../core/can/frame-batch.js';
import type { SignalSample, SourceState } from '../../core/tick.js';
import type { MessageIdentifier, VehicleProfile } from '../../ports.js';
import { maxPendingFaults, type ProfileDecoder } from '../../vehicles/profile/profile-decoder.js';
import type { FrameFault, MessageRecord, SignalRecord } from '../../vehicles/profile/reception.js';
import { receptionPlan } from '../../vehicles/profile/reception-plan.js';
import type { FrameRing } from './frame-ring.js';

const ofAll = placesOf(tableColumns);
const ofMessage = placesOf(messageColumns);
const ofSignal = placesOf(signalColumns);
const faultRow = 4;

export class NativeProfile implements VehicleProfile {
  readonly table: NativeProfileTable;
  readonly #state: Float64Array;
  /** `consume` has brought what was not read yet */
  #isBehind = false;

  /**
   * @param decoder compiled from the profile, and fresh; its records show what the module has decoded
   * @param ring takes the frames of receivers that feed the table
   */
  constructor(
    canRx: CanRxModule,
    readonly decoder: ProfileDecoder,
    ring?: FrameRing,
  ) {
    this.table = new canRx.ProfileTable(
      decoder.plan as unknown as NativePlan,
      receptionPlan(decoder) as unknown as NativeReception,
      ring && { ringControl: ring.control, ringSlots: ring.slots },
    );
    this.#state = new Float64Array(this.table.size);
  }

  get name(): string {
    return this.decoder.name;
  }

  get digest(): string {
    return this.decoder.digest;
  }

  get paths(): readonly string[] {
    return this.decoder.paths;
  }

  get required(): ReadonlyMap<string, number> {
    return this.decoder.required;
  }

  get identifiers(): readonly MessageIdentifier[] {
    return this.decoder.identifiers;
  }

  /** Frames that come from elsewhere than a receiver. */
  consume(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void {
    const { id, flags, length, bus, data } = batch;
    this.table.take(id, flags, length, bus, data, from, to, tUs);
    this.#isBehind = true;
  }

  /** Takes over what the module knows at this moment; returns the position of the ring that belongs to it. */
  read(): number {
    const state = this.#state;
    const { decoder } = this;
    const position = this.table.read(state);
    this.#isBehind = false;
    decoder.frames = state[ofAll.frames]!;
    decoder.unmapped = state[ofAll.unmapped]!;
    decoder.ignoredError = state[ofAll.ignoredError]!;
    decoder.ignoredRemote = state[ofAll.ignoredRemote]!;
    decoder.ignoredFd = state[ofAll.ignoredFd]!;
    decoder.faultCount = state[ofAll.faults]!;
    decoder.activeFaults = state[ofAll.activeFaults]!;
    decoder.droppedFaults = state[ofAll.droppedFaults]!;
    let at = tableColumns.length;
    for (const record of decoder.messages) {
      loadMessage(record, state, at);
      at += messageColumns.length;
    }
    for (const record of decoder.signals) {
      loadSignal(record, state, at);
      at += signalColumns.length;
    }
    return position;
  }

  drain(tUs?: number): SignalSample[] {
    this.#catchUp();
    return this.decoder.drain(tUs);
  }

  states(): SourceState[] {
    this.#catchUp();
    return this.decoder.states();
  }

  counts(): Record<string, number> {
    this.#catchUp();
    return this.decoder.counts();
  }

  /** Faults that began or ended since the last call. */
  drainFaults(): FrameFault[] {
    const rows = new Float64Array(maxPendingFaults * faultRow);
    const count = this.table.drainFaults(rows);
    return Array.from({ length: count }, (_, i) => {
      const at = i * faultRow;
      const kind = faultKinds[rows[at + 1]!] ?? 'length';
      const { mapped } =
        kind === 'rate' ? this.decoder.signals[rows[at]!]! : this.decoder.messages[rows[at]!]!;
      const message = 'key' in mapped ? mapped.key : mapped.name;
      return { message, kind, isActive: rows[at + 2] === 1, tUs: rows[at + 3]! };
    });
  }

  #catchUp(): void {
    if (this.#isBehind) this.read();
  }
}

function loadMessage(record: MessageRecord, state: Float64Array, at: number): void {
  record.frames = state[at + ofMessage.frames]!;
  record.accepted = state[at + ofMessage.accepted]!;
  record.short = state[at + ofMessage.short]!;
  record.long = state[at + ofMessage.long]!;
  record.checksum = state[at + ofMessage.checksum]!;
  record.stuck = state[at + ofMessage.stuck]!;
  record.lost = state[at + ofMessage.lost]!;
  record.badInRow = state[at + ofMessage.badInRow]!;
  record.fault = faultKinds[state[at + ofMessage.fault]!] ?? null;
  record.firstUs = state[at + ofMessage.firstUs]!;
  record.lastUs = state[at + ofMessage.lastUs]!;
}

function loadSignal(record: SignalRecord, state: Float64Array, at: number): void {
  record.value = state[at + ofSignal.value]!;
  record.isValid = state[at + ofSignal.isValid] === 1;
  record.observedAtUs = state[at + ofSignal.observedAtUs]!;
  // The module begins anew with each reading; the record, when its sample is drained.
  if (state[at + ofSignal.hasArrived] === 1) record.hasArrived = true;
  record.changes += state[at + ofSignal.changes]!;
  record.rejectedInRow = state[at + ofSignal.rejectedInRow]!;
  record.arrived = state[at + ofSignal.arrived]!;
  record.accepted = state[at + ofSignal.accepted]!;
  record.notAvailable = state[at + ofSignal.notAvailable]!;
  record.notFinite = state[at + ofSignal.notFinite]!;
  record.outOfRange = state[at + ofSignal.outOfRange]!;
  record.tooFast = state[at + ofSignal.tooFast]!;
  record.lowest = state[at + ofSignal.lowest]!;
  record.highest = state[at + ofSignal.highest]!;
}

function placesOf<T extends string>(columns: readonly T[]): Readonly<Record<T, number>> {
  return Object.fromEntries(columns.map((name, place) => [name, place])) as Record<T, number>;
}
