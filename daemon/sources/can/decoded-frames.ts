/**
 * The values of live interfaces that are decoded as they are received, and the frames behind them, for the recorder.
 *
 * One reading a tick: the table says which position of the ring its values belong to, and exactly the frames before it
 * are taken from the ring. So what is recorded before the inputs of a tick is what those inputs were made from.
 */
import { FrameBatch } from '../../core/can/frame-batch.js';
import { type CanInterface, interfaceBatchFrames } from './can-interface.js';
import type { FrameRing } from './frame-ring.js';
import type { NativeProfile } from './native-profile.js';

/** Who keeps frames; `tUs[i − from]` is the drive time that frame i was decoded with. */
export interface FrameKeeper {
  keep(batch: FrameBatch, from: number, to: number, tUs: Float64Array): void;
  /** Frames before the next ones were decoded and not kept: the ring was full. */
  lost(): void;
}

export interface DecodedFramesParts {
  readonly profile: NativeProfile;
  /** the one of the profile's table */
  readonly ring: FrameRing;
  readonly keeper: FrameKeeper;
  /** of the interfaces, by bus */
  readonly names: readonly string[];
  /** the kernel's monotonic clock − the daemon's, µs */
  readonly clockBaseUs: number;
}

export class DecodedFrames {
  readonly #parts: DecodedFramesParts;
  readonly #batch: FrameBatch;
  readonly #tUs = new Float64Array(interfaceBatchFrames);
  #seenDropped = 0;

  constructor(parts: DecodedFramesParts) {
    this.#parts = parts;
    this.#batch = new FrameBatch(interfaceBatchFrames, [...parts.names]);
  }

  /** Frames get the drive's time from now on; drive time 0 is `startUs` of the daemon's clock. */
  start(startUs: number): void {
    this.#parts.profile.table.start(startUs + this.#parts.clockBaseUs);
  }

  /** Takes over the values of this moment and hands on the frames that made them; returns how many. */
  take(interfaces: readonly CanInterface[], tUs: number): number {
    const { profile, ring, keeper } = this.#parts;
    const until = profile.read();
    const count = (until - ring.position) >>> 0;
    if (ring.dropped !== this.#seenDropped) {
      this.#seenDropped = ring.dropped;
      keeper.lost();
    }
    for (let rest = count; rest > 0; ) {
      this.#batch.clear();
      const moved = ring.drainDecoded(this.#batch, this.#tUs, rest);
      rest -= moved;
      for (const [bus, one] of interfaces.entries()) one.look(this.#batch, bus, 0, tUs);
      keeper.keep(this.#batch, 0, moved, this.#tUs);
    }
    return count;
  }
}
