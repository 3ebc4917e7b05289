import { join } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import type { DriveSource, VehicleProfile } from '../ports.js';
import { RecordingWriter } from '../record/recording-writer.js';
import type { LoadedConfig } from './config.js';
import { packageVersion } from './package-root.js';
import { pruneRecordings } from './prune-recordings.js';
import type { RunContext } from './run-context.js';
import { recordingsDir } from './state-dir.js';
import type { TapedProfile } from './taped-profile.js';

/** Frames are recorded: by whom, and what a replay decodes them with. */
export interface RecordedFrames {
  readonly profile: TapedProfile;
  readonly vehicle: JsonObject;
}

export interface TapeOptions {
  readonly loaded: LoadedConfig;
  readonly stateDir: string;
  readonly source: DriveSource;
  readonly profile: VehicleProfile;
  readonly frames: RecordedFrames | null;
  readonly notice: (text: string) => void;
}

/**
 * Opens the recording of a run, after deleting the oldest ones beyond the configured number; null where none
 * is wanted, or where none can be written: a run without a recording is told, not refused.
 */
export async function openTape(
  options: TapeOptions,
  runId: string,
  context: RunContext,
  digests: Readonly<Record<string, string>>,
): Promise<RecordingWriter | null> {
  const { loaded, stateDir, source, profile, frames } = options;
  const { config, digest } = loaded;
  if (!config.record.enabled) return null;
  const folder = recordingsDir(stateDir);
  try {
    await pruneRecordings(folder, config.record.keep_max_count - 1);
    const tape = await RecordingWriter.open(join(folder, `${runId}.drec`), {
      kind: 'run',
      productVersion: packageVersion,
      runId,
      description: source.description,
      preset: config.core.preset,
      tickPeriodUs: context.settings.periodUs,
      isSimulated: source.isSimulated,
      startWallMs: source.startWallMs,
      digests: { config: digest, source: source.digest, profile: profile.digest, ...digests },
      context: { ...context, ...(frames ? { vehicle: frames.vehicle } : {}) },
    });
    frames?.profile.record(tape);
    return tape;
  } catch (error) {
    if (!(error instanceof DriveMcpError) || error.code !== 'RECORDING_FAILED') throw error;
    options.notice(`this run is not recorded, it cannot be replayed: ${error.message}`);
    return null;
  }
}
