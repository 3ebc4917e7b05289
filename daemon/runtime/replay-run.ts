/**
 * Decision replay: the recorded inputs of a run go through the core again, and every tick's hash is compared
 * with the recorded one.
 */
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject, TickInputs, TickOutputs } from '../core/tick.js';
import { DecisionHasher } from '../record/decision-hasher.js';
import { type Recording, readRecording } from '../record/recording-reader.js';
import type { FrameReplay } from './frame-replay.js';
import { checkRecordedInputs } from './recorded-inputs.js';
import { contextOf, Decider } from './run-context.js';

export interface ReplayedTick {
  readonly inputs: TickInputs;
  readonly outputs: TickOutputs;
  /** the audit body in full, where it was asked for */
  readonly record: JsonObject | null;
}

/** One tick with everything that was recorded of it or follows from the inputs before. */
export interface ExplainedTick extends ReplayedTick {
  readonly record: JsonObject;
  /** false: decided otherwise than recorded; null: no hash was recorded for it */
  readonly isAsRecorded: boolean | null;
}

/** What stopped the inputs from being complete: nothing after it can be compared. */
export interface ReplayBreak {
  readonly afterTick: number;
  readonly reason: string;
}

export interface ReplayResult {
  readonly ticks: number;
  /** ticks whose recorded hash was there to compare with */
  readonly compared: number;
  /** first tick whose hash differs, null where none does */
  readonly firstDifference: number | null;
  readonly break: ReplayBreak | null;
  readonly isTruncated: boolean;
  readonly decisionHash: string;
  /** summary at the end of the recording, null where that is missing */
  readonly recorded: JsonObject | null;
}

/** @throws DriveMcpError FILE_*, RECORDING_* and where the recording is one of a drive */
export async function openRun(path: string): Promise<Recording> {
  const recording = await readRecording(path);
  if (recording.header.kind === 'run') return recording;
  await recording.close();
  throw new DriveMcpError('RECORDING_INVALID', 'this is a recorded drive, not the recording of a run', {
    location: { file: path },
    hint: `drivemcp run --source ${path} decides on it`,
  });
}

export interface ReplayOptions {
  readonly signal?: AbortSignal;
  /** every tick comes with its full audit body; decides it once more for that */
  readonly withRecords?: boolean;
  /** also decodes the recorded frames again, and decides on what comes out */
  readonly frames?: FrameReplay | null;
}

/**
 * Replays until the end, the first gap, the abort, or until `onTick` returns false.
 * @param onTick is shown every tick
 */
export async function replayRun(
  recording: Recording,
  onTick: (tick: ReplayedTick) => boolean,
  { signal, withRecords = false, frames = null }: ReplayOptions = {},
): Promise<ReplayResult> {
  const decider = new Decider(contextOf(recording.header.context, recording.path));
  const hasher = new DecisionHasher();
  let ticks = 0;
  let compared = 0;
  let lastTick = -1;
  let firstDifference: number | null = null;
  let broken: ReplayBreak | null = null;
  let recorded: JsonObject | null = null;
  const types = ['inputs', 'decision', 'gap', 'end', ...(frames ? (['frames'] as const) : [])] as const;
  for await (const record of recording.records({ types })) {
    if (signal?.aborted) break;
    if (record.type === 'inputs') {
      checkRecordedInputs(record.inputs, recording.path);
      const inputs = frames?.rebuild(record.inputs) ?? record.inputs;
      const full = withRecords ? decider.fullRecord(inputs) : null;
      const outputs = decider.decide(inputs);
      hasher.add(outputs);
      ticks++;
      lastTick = outputs.tick;
      if (!onTick({ inputs, outputs, record: full })) break;
    } else if (record.type === 'frames') {
      frames?.take(record.frames);
    } else if (record.type === 'decision') {
      if (record.tick !== lastTick) {
        broken = { afterTick: lastTick, reason: `the inputs of tick ${record.tick} are missing` };
        break;
      }
      compared++;
      if (record.hash !== hasher.hex) firstDifference ??= record.tick;
    } else if (record.type === 'gap') {
      const reason = `${record.dropped} records were not recorded`;
      frames?.gap(reason);
      // Records of frames belong to no tick: where only such are missing, the inputs are complete.
      if (record.firstTick < 0) continue;
      broken = { afterTick: lastTick, reason };
      break;
    } else if (record.type === 'damaged') {
      broken = { afterTick: lastTick, reason: `the recording is damaged: ${record.reason}` };
      break;
    } else if (record.type === 'end') {
      recorded = record.summary;
    }
  }
  const isTruncated = recording.isTruncated;
  return { ticks, compared, firstDifference, break: broken, isTruncated, decisionHash: hasher.hex, recorded };
}

/**
 * Decides again up to `tick` and returns that tick with its full record.
 * @throws DriveMcpError TICK_UNKNOWN with the ticks that there are
 */
export async function explainTick(
  recording: Recording,
  tick: number,
  signal?: AbortSignal,
): Promise<ExplainedTick> {
  const { ticks } = recording;
  const unknown = () =>
    new DriveMcpError(
      'TICK_UNKNOWN',
      ticks === null
        ? 'the recording holds no tick'
        : `the recording does not hold tick ${tick}; it holds ${ticks.first} to ${ticks.last}`,
      { location: { file: recording.path } },
    );
  if (ticks !== null && (tick < ticks.first || tick > ticks.last)) throw unknown();
  const decider = new Decider(contextOf(recording.header.context, recording.path));
  const hasher = new DecisionHasher();
  let found: (ReplayedTick & { record: JsonObject }) | null = null;
  for await (const item of recording.records({ types: ['inputs', 'decision', 'gap'] })) {
    signal?.throwIfAborted();
    if (item.type === 'inputs') {
      if (found || item.inputs.tick > tick) break;
      checkRecordedInputs(item.inputs, recording.path);
      const record = item.inputs.tick === tick ? decider.fullRecord(item.inputs) : null;
      const outputs = decider.decide(item.inputs);
      hasher.add(outputs);
      if (record) found = { inputs: item.inputs, outputs, record };
    } else if (item.type === 'decision') {
      if (found && item.tick === tick) return { ...found, isAsRecorded: item.hash === hasher.hex };
    } else if (item.type !== 'gap' || item.firstTick >= 0) break;
  }
  if (found) return { ...found, isAsRecorded: null };
  throw unknown();
}
