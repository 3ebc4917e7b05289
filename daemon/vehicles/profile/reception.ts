/** What has been received so far: one record a mapped signal, one a message. Mutable, reused, counted. */
import type { DecodePlan } from '../dbc/decode-plan.js';
import type { MappedMessage, MappedSignal } from './compile-profile.js';

/** `length` shorter than the DBC says · `checksum` wrong · `counter` repeated · `rate` faster than possible */
export type FrameFaultKind = 'length' | 'checksum' | 'counter' | 'rate';

/** A message (for `rate`: `MESSAGE.SIGNAL`) became faulty or good again. */
export interface FrameFault {
  readonly message: string;
  readonly kind: FrameFaultKind;
  readonly isActive: boolean;
  readonly tUs: number;
}

export class SignalRecord {
  /** position in the message's decoded values */
  readonly index: number;
  readonly scale: number;
  readonly offset: number;
  readonly mul: number;
  readonly div: number;
  readonly add: number;
  readonly min: number;
  readonly max: number;
  readonly coreMin: number;
  readonly coreMax: number;
  /** decoded values that mean "not available" */
  readonly unavailable: Float64Array;
  readonly maxRatePerUs: number;

  value = 0;
  isValid = false;
  observedAtUs = 0;
  /** since the last drain */
  hasArrived = false;
  changes = 0;
  rejectedInRow = 0;
  #hasValue = false;
  #acceptedAtUs = 0;

  arrived = 0;
  accepted = 0;
  notAvailable = 0;
  notFinite = 0;
  outOfRange = 0;
  tooFast = 0;
  /** of accepted values, core's unit */
  lowest = Number.POSITIVE_INFINITY;
  highest = Number.NEGATIVE_INFINITY;

  constructor(
    readonly mapped: MappedSignal,
    plan: DecodePlan,
  ) {
    const { spec, vss, conversion } = mapped;
    this.index = mapped.signal - plan.messageFirstSignal[mapped.message]!;
    this.scale = spec.scale ?? 1;
    this.offset = spec.offset ?? 0;
    this.mul = conversion.mul;
    this.div = conversion.div;
    this.add = conversion.add;
    this.min = spec.min ?? Number.NEGATIVE_INFINITY;
    this.max = spec.max ?? Number.POSITIVE_INFINITY;
    this.coreMin = vss.min;
    this.coreMax = vss.max;
    this.unavailable = mapped.unavailable;
    this.maxRatePerUs = (vss.maxRatePerS ?? Number.POSITIVE_INFINITY) / 1e6;
  }

  isUnavailable(decoded: number): boolean {
    for (let i = 0; i < this.unavailable.length; i++) if (this.unavailable[i] === decoded) return true;
    return false;
  }

  /**
   * Compared with the last accepted value: the allowance grows with its age, so that a value that was wrong
   * once (a control unit that starts) is left behind after the time the quantity would need.
   */
  changesTooFast(value: number, tUs: number, windowUs: number): boolean {
    if (!this.#hasValue || this.maxRatePerUs === Number.POSITIVE_INFINITY) return false;
    const elapsedUs = Math.max(windowUs, tUs - this.#acceptedAtUs);
    return Math.abs(value - this.value) > this.maxRatePerUs * elapsedUs;
  }

  accept(value: number, tUs: number): void {
    if (this.#hasValue && value !== this.value) this.changes++;
    this.value = value;
    this.isValid = true;
    this.#hasValue = true;
    this.#acceptedAtUs = tUs;
    this.observedAtUs = tUs;
    this.hasArrived = true;
    this.accepted++;
    if (value < this.lowest) this.lowest = value;
    if (value > this.highest) this.highest = value;
  }

  invalidate(tUs: number): void {
    this.isValid = false;
    this.observedAtUs = tUs;
    this.hasArrived = true;
  }
}

export class MessageRecord {
  frames = 0;
  accepted = 0;
  short = 0;
  long = 0;
  checksum = 0;
  stuck = 0;
  /** frames that never arrived, by the alive counter */
  lost = 0;
  badInRow = 0;
  fault: FrameFaultKind | null = null;
  firstUs = 0;
  lastUs = 0;

  constructor(
    readonly mapped: MappedMessage,
    readonly signals: readonly SignalRecord[],
  ) {}

  seen(tUs: number): void {
    if (this.frames === 0) this.firstUs = tUs;
    this.lastUs = tUs;
    this.frames++;
  }

  /** mean cycle time in ms, or null before the second frame */
  get periodMs(): number | null {
    return this.frames < 2 ? null : (this.lastUs - this.firstUs) / (this.frames - 1) / 1000;
  }
}
