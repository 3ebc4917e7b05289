import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../../core/canonical.js';
import { DriveMcpError } from '../../core/errors.js';
import { shippedFolder } from '../shipped-folder.js';
import { compileProfile } from './compile-profile.js';
import { type DbcFile, planOf, readDbcFile } from './dbc-set.js';
import { nearestName } from './nearest-name.js';
import { type ParsedProfile, readProfile } from './parse-profile.js';
import { ProfileDecoder } from './profile-decoder.js';
import type { Profile } from './profile-schema.js';

export interface LoadedProfile {
  readonly profile: ProfileDecoder;
  /** as it was read, for whoever keeps it */
  readonly parsed: ParsedProfile;
  /** the file it was read from */
  readonly file: string;
  readonly dbcFiles: readonly DbcFile[];
  /** for people: damage in a DBC that does not stop the profile, ids defined twice */
  readonly warnings: readonly string[];
}

export interface LoadProfileOptions {
  /** name of a bundled profile, or path of a `profile.json` or of the folder that holds it */
  readonly profile: string;
  /** DBC files given by the user; those beside the profile are found without being named */
  readonly dbcFiles: readonly string[];
}

/**
 * Loads a vehicle profile with its DBC files, compiled and ready for frames.
 * @throws DriveMcpError FILE_MISSING, PROFILE_INVALID (located), PROFILE_DBC_MISMATCH, DBC_INVALID
 */
export async function loadProfile(options: LoadProfileOptions): Promise<LoadedProfile> {
  const file = findProfile(options.profile);
  return useProfile(readProfile(file), options.dbcFiles.map(readDbcFile));
}

/** Compiles a profile that has been read already, for example a drafted one. */
export function useProfile(parsed: ParsedProfile, given: readonly DbcFile[]): LoadedProfile {
  const { files, warnings } = matchDbcFiles(parsed, given);
  const planned = planOf(files);
  const compiled = compileProfile(parsed, planned.plan);
  return {
    profile: new ProfileDecoder(compiled, profileDigest(parsed.profile, files)),
    parsed,
    file: parsed.file,
    dbcFiles: files,
    warnings: [...warnings, ...planned.warnings],
  };
}

/** SHA-256 over what decides how frames become signals: the profile and the DBC files actually used. */
export function profileDigest(profile: Profile, files: readonly DbcFile[]): string {
  const content = { profile, dbc: files.map((file) => file.sha256) };
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}

/** Names of the profiles that come with this package. */
export function bundledProfiles(): string[] {
  const folder = shippedFolder('profiles');
  if (folder === null) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'profile.json')))
    .map((entry) => entry.name)
    .sort();
}

/** The file of a profile: a bundled name, a file, or a folder with a `profile.json`. */
export function findProfile(nameOrPath: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(nameOrPath)) {
    const folder = shippedFolder('profiles');
    const bundled = folder === null ? null : join(folder, nameOrPath, 'profile.json');
    if (bundled !== null && existsSync(bundled)) return bundled;
  }
  if (existsSync(join(nameOrPath, 'profile.json'))) return join(nameOrPath, 'profile.json');
  if (existsSync(nameOrPath)) return nameOrPath;
  const known = bundledProfiles();
  throw new DriveMcpError(
    'FILE_MISSING',
    `there is no vehicle profile '${nameOrPath}'${nearestName(nameOrPath, known)}`,
    {
      location: { file: nameOrPath },
      hint: `bundled profiles: ${known.length === 0 ? 'none' : known.join(', ')}; or give the path of a profile.json`,
    },
  );
}

/** Each DBC that the profile names, from what was given (by hash, then by name) or from beside the profile. */
function matchDbcFiles(
  parsed: ParsedProfile,
  given: readonly DbcFile[],
): { files: DbcFile[]; warnings: string[] } {
  const warnings: string[] = [];
  const unused = new Set(given);
  const wanted = parsed.profile.dbc;
  const files = wanted.map((entry, i) => {
    const at = ['dbc', i];
    const name = entry.file;
    const named = given.filter((file) => file.name === name);
    const match =
      given.find((file) => file.sha256 === entry.sha256) ??
      named[0] ??
      // A renamed file: with one wanted and one given there is no doubt which is meant.
      (wanted.length === 1 && given.length === 1 ? given[0] : undefined) ??
      beside(parsed, entry.file);
    if (!match) {
      throw new DriveMcpError('FILE_MISSING', `the profile needs the DBC file ${entry.file}`, {
        location: parsed.fault(at, '').location,
        hint: `give it with --dbc PATH/${name}`,
      });
    }
    unused.delete(match);
    if (entry.sha256 !== undefined && match.sha256 !== entry.sha256) {
      throw new DriveMcpError(
        'PROFILE_DBC_MISMATCH',
        `the profile was made for ${entry.file} with sha256 ${entry.sha256}, ${match.path} has ${match.sha256}`,
        { location: parsed.fault([...at, 'sha256'], '').location },
      );
    }
    if (match.name !== name && entry.sha256 === undefined) {
      warnings.push(`${match.path} is used as ${entry.file}, which the profile names`);
    }
    return match;
  });
  for (const file of unused) warnings.push(`${file.path} is not used: the profile does not name it`);
  return { files, warnings };
}

function beside(parsed: ParsedProfile, file: string): DbcFile | undefined {
  const path = join(dirname(parsed.file), file);
  return existsSync(path) ? readDbcFile(path) : undefined;
}
