/**
 * A vehicle profile that also puts every frame it is given on a tape, in the order in which it is given them.
 *
 * That order is the watermark of a tick: whatever stands on the tape before the inputs of tick N and after those of
 * tick N − 1 is what tick N saw. So no sequence number is needed, and frames and inputs cannot disagree about it.
 */
import type { FrameBatch } from '../core/can/frame-batch.js';
import type { SignalSample, SourceState } from '../core/tick.js';
import type { MessageIdentifier, VehicleProfile } from '../ports.js';

/** What is needed of the recorder; `tUs[i]` is the time of frame i of the batch. */
export interface FrameTape {
  frames(batch: FrameBatch, tUs: Float64Array, from: number, to: number): void;
  /** Frames are missing here. */
  framesLost(): void;
}

/** Somebody who looks at every frame and keeps none. */
export type FrameListener = Pick<VehicleProfile, 'consume'>;

export class TapedProfile implements VehicleProfile {
  readonly #profile: VehicleProfile;
  #tape: FrameTape | null = null;
  #listener: FrameListener | null = null;
  #times = new Float64Array(0);

  constructor(profile: VehicleProfile) {
    this.#profile = profile;
  }

  get name(): string {
    return this.#profile.name;
  }

  get digest(): string {
    return this.#profile.digest;
  }

  get paths(): readonly string[] {
    return this.#profile.paths;
  }

  get required(): ReadonlyMap<string, number> {
    return this.#profile.required;
  }

  get identifiers(): readonly MessageIdentifier[] {
    return this.#profile.identifiers;
  }

  /** From now on frames go to the tape as well. To be called before the first one, else a replay begins in the middle. */
  record(tape: FrameTape): void {
    this.#tape = tape;
  }

  /** From now on frames are shown to the listener as well. */
  listen(listener: FrameListener): void {
    this.#listener = listener;
  }

  consume(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void {
    this.keep(batch, from, to, tUs);
    this.#profile.consume(batch, from, to, tUs);
  }

  /** Frames that were decoded already, when they were received: on the tape only. */
  keep(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void {
    this.#listener?.consume(batch, from, to, tUs);
    if (this.#tape !== null && to > from) {
      if (this.#times.length < to) this.#times = new Float64Array(Math.max(to, batch.capacity));
      this.#times.set(tUs.subarray(0, to - from), from);
      this.#tape.frames(batch, this.#times, from, to);
    }
  }

  /** Frames were decoded and cannot be kept. */
  lost(): void {
    this.#tape?.framesLost();
  }

  drain(tUs?: number): SignalSample[] {
    return this.#profile.drain(tUs);
  }

  states(): SourceState[] {
    return this.#profile.states();
  }

  counts(): Readonly<Record<string, number>> {
    return this.#profile.counts();
  }
}
