import { join } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import type { DriveSource, VehicleProfile } from '../ports.js';
import { RecordingWriter } from '../record/recording-writer.js';
import type { LoadedConfig } from './config.js';
import { packageVersion } from './package-root.js';
import { pruneRecordings } from './prune-recordings.js';
import type { RunContext } from './run-context.js';
import { recordingsDir } from './state-dir.js';

export interface TapeOptions {
  readonly loaded: LoadedConfig;
  readonly stateDir: string;
  readonly source: DriveSource;
  readonly profile: VehicleProfile;
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
  const { loaded, stateDir, source, profile } = options;
  const { config, digest } = loaded;
  if (!config.record.enabled) return null;
  const folder = recordingsDir(stateDir);
  try {
    await pruneRecordings(folder, config.record.keep_max_count - 1);
    return await RecordingWriter.open(join(folder, `${runId}.drec`), {
      kind: 'run',
      productVersion: packageVersion,
      runId,
      description: source.description,
      preset: config.core.preset,
      tickPeriodUs: context.settings.periodUs,
      isSimulated: source.isSimulated,
      startWallMs: source.startWallMs,
      digests: { config: digest, source: source.digest, profile: profile.digest, ...digests },
      context: { ...context },
    });
  } catch (error) {
    if (!(error instanceof DriveMcpError) || error.code !== 'RECORDING_FAILED') throw error;
    options.notice(`this run is not recorded, it cannot be replayed: ${error.message}`);
    return null;
  }
}
