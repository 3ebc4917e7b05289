import { dirname, join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { DbcFile } from '../../../daemon/vehicles/profile/dbc-set.js';
import { bundledProfiles, findProfile, useProfile } from '../../../daemon/vehicles/profile/load-profile.js';
import { parseProfile, readProfile } from '../../../daemon/vehicles/profile/parse-profile.js';
import type { ProfileDecoder } from '../../../daemon/vehicles/profile/profile-decoder.js';
import type { DbcShelf } from '../files/dbc-shelf.js';
import type { FileFolders } from '../files/file-folders.js';

const profileMaxBytes = 4_000_000;

/**
 * A profile that comes with the program, by name, or a file of a configured folder. Its DBC files are those given, else those
 * beside it; every file is opened through the folders, whatever the profile says.
 * @throws DriveMcpError as FileFolders.open, PROFILE_INVALID, PROFILE_DBC_MISMATCH, DBC_INVALID
 */
export async function openProfile(
  folders: FileFolders,
  shelf: DbcShelf,
  name: string,
  dbc: readonly string[],
): Promise<ProfileDecoder> {
  const given: DbcFile[] = [];
  for (const file of dbc) given.push(await shelf.read(file));
  if (bundledProfiles().includes(name)) return useProfile(readProfile(findProfile(name)), given).profile;
  const file = await folders.open(name, profileMaxBytes);
  let text: string;
  try {
    text = String(await file.handle.readFile());
  } finally {
    await file.close();
  }
  const parsed = parseProfile(text, name);
  for (const [index, wanted] of parsed.profile.dbc.entries()) {
    const isGiven = given.some((each) => each.sha256 === wanted.sha256 || each.name === wanted.file);
    if (isGiven || (parsed.profile.dbc.length === 1 && given.length === 1)) continue;
    try {
      given.push({ ...(await shelf.read(join(dirname(name), wanted.file))), name: wanted.file });
    } catch (error) {
      if (!(error instanceof DriveMcpError) || error.code !== 'FILE_MISSING') throw error;
      throw new DriveMcpError('FILE_MISSING', `the profile needs the DBC file ${wanted.file}`, {
        location: parsed.fault(['dbc', index], '').location,
        hint: 'name it with dbc',
      });
    }
  }
  return useProfile(parsed, given).profile;
}
