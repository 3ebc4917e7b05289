/** The vehicle profile in the head of a recording, by value: what decodes its frames again, wherever it is replayed. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import type { JsonObject } from '../core/tick.js';
import type { RecordingHeader } from '../record/recording-header.js';
import { type DbcFile, readDbcFile } from '../vehicles/profile/dbc-set.js';
import { type LoadedProfile, useProfile } from '../vehicles/profile/load-profile.js';
import { parseProfile } from '../vehicles/profile/parse-profile.js';

/** What a head says of the vehicle. DBC files are named and hashed, not copied: they may be large, and not ours to pass on. */
export function vehicleRecord(loaded: LoadedProfile): JsonObject {
  return {
    profile: JSON.parse(JSON.stringify(loaded.parsed.profile)) as JsonObject,
    dbc: loaded.dbcFiles.map((file) => ({ path: resolve(file.path), sha256: file.sha256 })),
  };
}

/**
 * The profile that decoded the frames of a recording.
 * @param dbcPaths files given by the user; without them those of the run are looked for where they were
 * @throws DriveMcpError RECORDING_INVALID where no frames were recorded; PROFILE_DBC_MISMATCH where a DBC is another
 *   one now; FILE_MISSING where it is gone
 */
export function recordedVehicle(
  header: RecordingHeader,
  file: string,
  dbcPaths: readonly string[],
): LoadedProfile {
  const vehicle = header.context?.['vehicle'];
  if (!isVehicle(vehicle)) {
    throw new DriveMcpError('RECORDING_INVALID', 'this run was recorded without its frames', {
      location: { file },
      hint: 'run with --record-frames, or set [record] frames = "on"; the decisions replay without --frames',
    });
  }
  const parsed = parseProfile(JSON.stringify(vehicle.profile), `${file} (its head)`);
  const given =
    dbcPaths.length > 0 ? dbcPaths.map(readDbcFile) : vehicle.dbc.map((entry) => find(entry, file));
  const loaded = useProfile(parsed, given);
  const recorded = header.digests['profile'];
  if (loaded.profile.digest !== recorded) {
    throw new DriveMcpError(
      'PROFILE_DBC_MISMATCH',
      'with these DBC files the profile is not the one of the run',
      {
        location: { file },
        context: { recorded, found: loaded.profile.digest },
        hint: `give the files of the run with --dbc: ${vehicle.dbc.map(({ path, sha256 }) => `${path} (sha256 ${sha256.slice(0, 12)}…)`).join(', ')}`,
      },
    );
  }
  return loaded;
}

interface RecordedDbc {
  readonly path: string;
  readonly sha256: string;
}

function find({ path, sha256 }: RecordedDbc, file: string): DbcFile {
  if (!existsSync(path)) {
    throw new DriveMcpError('FILE_MISSING', `the DBC file of the run is gone: ${path}`, {
      location: { file },
      hint: `give it with --dbc; its sha256 is ${sha256}`,
    });
  }
  return readDbcFile(path);
}

function isVehicle(
  value: unknown,
): value is { readonly profile: unknown; readonly dbc: readonly RecordedDbc[] } {
  if (typeof value !== 'object' || value === null) return false;
  const { profile, dbc } = value as { profile?: unknown; dbc?: unknown };
  if (typeof profile !== 'object' || profile === null || !Array.isArray(dbc)) return false;
  return dbc.every(
    (entry: unknown) =>
      typeof entry === 'object' &&
      entry !== null &&
      typeof (entry as RecordedDbc).path === 'string' &&
      typeof (entry as RecordedDbc).sha256 === 'string',
  );
}
