/**
 * Frame replay: the recorded frames of a run are decoded again, and what each tick saw of them must be what was
 * recorded. It shows that decoding is as reproducible as deciding is.
 */
import type { SignalSample, SourceState, TickInputs } from '../core/tick.js';
import type { VehicleProfile } from '../ports.js';
import type { UnpackedFrames } from '../record/packed-frames.js';
import { RequiredSignals } from './required-signals.js';

/** The first signal, or state of a source, of the first tick that came out otherwise. */
export interface InputDifference {
  readonly tick: number;
  /** VSS path of a signal; name of a message, signal or requirement whose state it is */
  readonly path: string;
  /** null: not in that tick */
  readonly recorded: SignalSample | SourceState | null;
  readonly rebuilt: SignalSample | SourceState | null;
}

export interface FrameReplayResult {
  readonly frames: number;
  /** ticks whose signals and states were rebuilt and compared */
  readonly ticks: number;
  readonly firstDifference: InputDifference | null;
  /** from where nothing can be rebuilt, because frames before it are missing; null = nowhere */
  readonly void: { readonly afterTick: number; readonly reason: string } | null;
}

export class FrameReplay {
  #frames = 0;
  #ticks = 0;
  #lastTick = -1;
  #difference: InputDifference | null = null;
  readonly #required: RequiredSignals;
  #void: FrameReplayResult['void'] = null;

  /** @param profile a fresh one: what it has seen before would show */
  constructor(readonly profile: VehicleProfile) {
    this.#required = new RequiredSignals(profile.required);
  }

  take({ batch, tUs }: UnpackedFrames): void {
    this.#frames += batch.count;
    this.profile.consume(batch, 0, batch.count, tUs);
  }

  /**
   * The inputs of a tick with its signals rebuilt from the frames; as recorded once they cannot be rebuilt any more
   * or have come out otherwise, so that one difference is not told twice.
   */
  rebuild(inputs: TickInputs): TickInputs {
    const signals = this.profile.drain(inputs.tUs);
    this.#required.see(signals);
    const states = [...this.profile.states(), ...this.#required.states(inputs.tUs)];
    this.#lastTick = inputs.tick;
    if (this.#void !== null || this.#difference !== null) return inputs;
    this.#ticks++;
    this.#difference = differenceOf(inputs.tick, inputs.signals, signals) ?? stateDifference(inputs, states);
    if (this.#difference !== null) return inputs;
    return { ...inputs, signals, sources: withStates(inputs.sources, states) };
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
): InputDifference | null {
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

/**
 * Of the sources of a tick, the frames make those that say what is not believed and what is required; they stand behind
 * the interfaces. States of interfaces are reports of the kernel (link messages), raw inputs themselves, and stay.
 */
function reported(sources: readonly SourceState[], rebuilt: number): number {
  return sources.filter(({ kind }) => kind === 'can').length - rebuilt;
}

function withStates(sources: readonly SourceState[], states: readonly SourceState[]): SourceState[] {
  const from = reported(sources, states.length);
  return [...sources.slice(0, from), ...states, ...sources.slice(from + states.length)];
}

function stateDifference(inputs: TickInputs, states: readonly SourceState[]): InputDifference | null {
  const from = Math.max(0, reported(inputs.sources, states.length));
  for (const [i, rebuilt] of states.entries()) {
    const recorded = inputs.sources[from + i] ?? null;
    if (recorded !== null && isSameState(recorded, rebuilt)) continue;
    return { tick: inputs.tick, path: rebuilt.name, recorded, rebuilt };
  }
  return null;
}

function isSameState(a: SourceState, b: SourceState): boolean {
  return (
    a.name === b.name &&
    a.kind === b.kind &&
    a.required === b.required &&
    a.state === b.state &&
    a.detail === b.detail
  );
}

function isSame(a: SignalSample, b: SignalSample): boolean {
  return (
    a.path === b.path &&
    Object.is(a.value, b.value) &&
    a.observedAtUs === b.observedAtUs &&
    a.changes === b.changes
  );
}
