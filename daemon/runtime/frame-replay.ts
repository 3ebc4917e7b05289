/**
 * Frame replay: the recorded frames of a run are decoded again, and what each tick saw of them must be what was
 * recorded. It shows that decoding is as reproducible as deciding is.
 */
import type { SignalSample, TickInputs } from '../core/tick.js';
import type { VehicleProfile } from '../ports.js';
import type { UnpackedFrames } from '../record/packed-frames.js';

/** The first signal of the first tick that came out otherwise. */
export interface SignalDifference {
  readonly tick: number;
  readonly path: string;
  /** null: not in that tick */
  readonly recorded: SignalSample | null;
  readonly rebuilt: SignalSample | null;
}

export interface FrameReplayResult {
  readonly frames: number;
  /** ticks whose signals were rebuilt and compared */
  readonly ticks: number;
  readonly firstDifference: SignalDifference | null;
  /** from where nothing can be rebuilt, because frames before it are missing; null = nowhere */
  readonly void: { readonly afterTick: number; readonly reason: string } | null;
}

export class FrameReplay {
  #frames = 0;
  #ticks = 0;
  #lastTick = -1;
  #difference: SignalDifference | null = null;
  #void: FrameReplayResult['void'] = null;

  /** @param profile a fresh one: what it has seen before would show */
  constructor(readonly profile: VehicleProfile) {}

  take({ batch, tUs }: UnpackedFrames): void {
    this.#frames += batch.count;
    this.profile.consume(batch, 0, batch.count, tUs);
  }

  /**
   * The inputs of a tick with its signals rebuilt from the frames; as recorded once they cannot be rebuilt any more
   * or have come out otherwise, so that one difference is not told twice.
   */
  rebuild(inputs: TickInputs): TickInputs {
    const signals = this.profile.drain();
    this.#lastTick = inputs.tick;
    if (this.#void !== null || this.#difference !== null) return inputs;
    this.#ticks++;
    this.#difference = differenceOf(inputs.tick, inputs.signals, signals);
    return this.#difference === null ? { ...inputs, signals } : inputs;
  }

  /** Records are missing here. Counters, rates and latest values go on from frames, so nothing after it is certain. */
  gap(reason: string): void {
    this.#void ??= { afterTick: this.#lastTick, reason };
  }

  result(): FrameReplayResult {
    return {
      frames: this.#frames,
      ticks: this.#ticks,
      firstDifference: this.#difference,
      void: this.#void,
    };
  }
}

function differenceOf(
  tick: number,
  recorded: readonly SignalSample[],
  rebuilt: readonly SignalSample[],
): SignalDifference | null {
  for (let i = 0; i < Math.max(recorded.length, rebuilt.length); i++) {
    const a = recorded[i] ?? null;
    const b = rebuilt[i] ?? null;
    if (a !== null && b !== null && isSame(a, b)) continue;
    // Both lists are sorted by path: the smaller one is what only one of them has.
    if (a !== null && b !== null && a.path !== b.path) {
      return a.path < b.path
        ? { tick, path: a.path, recorded: a, rebuilt: null }
        : { tick, path: b.path, recorded: null, rebuilt: b };
    }
    return { tick, path: (a ?? b)?.path ?? '', recorded: a, rebuilt: b };
  }
  return null;
}

function isSame(a: SignalSample, b: SignalSample): boolean {
  return (
    a.path === b.path &&
    Object.is(a.value, b.value) &&
    a.observedAtUs === b.observedAtUs &&
    a.changes === b.changes
  );
}
