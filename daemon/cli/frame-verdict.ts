import type { JsonObject, SignalSample, SourceState } from '../core/tick.js';
import type { FrameReplayResult, InputDifference } from '../runtime/frame-replay.js';
import { printable } from '../runtime/printable.js';

export interface FrameVerdict {
  readonly isEqual: boolean;
  readonly text: string;
  readonly difference: InputDifference | null;
  /** for --json */
  readonly object: JsonObject;
}

/** What a frame replay came to, for people and for programs. */
export function frameVerdict(result: FrameReplayResult): FrameVerdict {
  const { frames, ticks, firstDifference, void: lost } = result;
  const object: JsonObject = {
    frames,
    ticks_compared: ticks,
    equal: firstDifference === null && lost === null,
    first_difference:
      firstDifference === null
        ? null
        : {
            tick: firstDifference.tick,
            path: firstDifference.path,
            recorded: sampleObject(firstDifference.recorded),
            rebuilt: sampleObject(firstDifference.rebuilt),
          },
    void_after_tick: lost?.afterTick ?? null,
    void_reason: lost?.reason ?? null,
  };
  const isEqual = firstDifference === null && lost === null;
  return { isEqual, difference: firstDifference, object, text: textOf(result) };
}

function textOf({ frames, ticks, firstDifference, void: lost }: FrameReplayResult): string {
  const amount = `${frames.toLocaleString('en-US')} frames`;
  if (firstDifference !== null) {
    const { tick, path, recorded, rebuilt } = firstDifference;
    return `tick ${tick}: ${printable(path)} was ${shown(recorded)}, the frames now give ${shown(rebuilt)}`;
  }
  if (lost !== null) {
    return `equal for ${ticks} ticks, up to tick ${lost.afterTick}; frames are missing after it (${lost.reason}), so nothing later can be rebuilt`;
  }
  return `equal: ${amount} decoded again give the recorded signals and states of all ${ticks} ticks`;
}

function shown(sample: SignalSample | SourceState | null): string {
  if (sample === null) return 'not there';
  if ('state' in sample)
    return sample.detail === undefined ? sample.state : `${sample.state} (${sample.detail})`;
  const { value, observedAtUs, changes } = sample;
  return `${value === null ? 'invalid' : value} (at ${(observedAtUs / 1e6).toFixed(6)} s, ${changes} changes)`;
}

function sampleObject(sample: SignalSample | SourceState | null): JsonObject | null {
  if (sample === null) return null;
  if ('state' in sample) return { state: sample.state, detail: sample.detail ?? null };
  return { value: sample.value, observed_at_us: sample.observedAtUs, changes: sample.changes };
}
