/**
 * Installs a pack into the state directory. Every version has its own folder, and `rulepacks/ID` is a link to one of
 * them: replacing a link is one rename, so that a crash at any point leaves the old version or the new one, whole.
 *
 *     STATE/rulepacks/DEU -> .versions/DEU@1.2.0+ab12cd34ef56
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { loadRulepack } from '../format/load-pack.js';
import { compareVersions } from '../format/manifest-schema.js';
import type { Rulepack } from '../format/rulepack.js';
import { type PackFiles, readPackFolder } from '../integrity/pack-files.js';
import { checkSignature, type SignatureState, type Trust } from '../integrity/signature.js';
import { readPackArchive } from './read-archive.js';

export interface InstallOptions {
  /** folder of a pack, or a tar of one */
  readonly from: string;
  readonly stateDir: string;
  readonly trust: Trust;
  readonly allowUnsigned: boolean;
  readonly allowDowngrade: boolean;
  /** all packs that answer now, by id: what the new one extends, and what it replaces */
  readonly packs: ReadonlyMap<string, Rulepack>;
  /** today as YYYY-MM-DD: a pack of the future is refused */
  readonly today: string;
}

export interface Installed {
  readonly id: string;
  readonly version: string;
  /** that was in its place: installed before, else built in */
  readonly before: string | null;
  readonly signature: SignatureState;
  readonly isDowngrade: boolean;
}

export const versionsFolder = '.versions';

/** @throws DriveMcpError RULEPACK_INVALID, RULEPACK_UNTRUSTED, RULEPACK_DOWNGRADE, FILE_MISSING, STATE_UNWRITABLE */
export async function installPack(options: InstallOptions): Promise<Installed> {
  const { from, stateDir, trust } = options;
  const files = await readPack(from);
  const signature = checkSignature(files, trust);
  if (signature.state === 'tampered' || (signature.state === 'unsigned' && !options.allowUnsigned)) {
    throw new DriveMcpError('RULEPACK_UNTRUSTED', signature.reason, { location: { file: from } });
  }
  const root = join(stateDir, 'rulepacks');
  mkdirSync(join(root, versionsFolder), { recursive: true, mode: 0o750 });
  const staging = join(root, versionsFolder, `.new-${randomBytes(6).toString('hex')}`);
  try {
    writeFiles(staging, files);
    const pack = loadStaged(staging, from, options.packs);
    const { id } = pack.manifest;
    refuseFuture(pack, options.today, from);
    const before = currentVersion(root, id) ?? options.packs.get(id)?.version ?? null;
    const isDowngrade = before !== null && compareVersions(pack.manifest.version, semverOf(before)) < 0;
    if (isDowngrade && !options.allowDowngrade) {
      throw new DriveMcpError('RULEPACK_DOWNGRADE', `${pack.version} is older than ${before}`, {
        location: { file: from },
      });
    }
    const place = join(root, versionsFolder, pack.version);
    // The same version again: its folder may be damaged, the one just checked is not.
    if (existsSync(place))
      renameSync(place, join(root, versionsFolder, `.old-${randomBytes(6).toString('hex')}`));
    renameSync(staging, place);
    syncFolder(join(root, versionsFolder));
    pointTo(root, id, pack.version);
    dropUnlinked(root);
    return { id, version: pack.version, before, signature, isDowngrade };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** The files of a folder or an archive, within bounds. @throws DriveMcpError RULEPACK_INVALID, FILE_MISSING */
export async function readPack(from: string): Promise<PackFiles> {
  return statSync(from, { throwIfNoEntry: false })?.isDirectory()
    ? readPackFolder(from)
    : await readPackArchive(from);
}

/** Takes an installed pack away; a built-in one of this id is in use again. Returns its version, null = there is none. */
export function removePack(stateDir: string, id: string): string | null {
  const root = join(stateDir, 'rulepacks');
  const version = currentVersion(root, id);
  if (version === null) return null;
  rmSync(join(root, id));
  syncFolder(root);
  dropUnlinked(root);
  return version;
}

/** `DEU@1.2.0+ab12cd34ef56` that `rulepacks/DEU` leads to, or null. */
export function currentVersion(root: string, id: string): string | null {
  try {
    return readlinkSync(join(root, id)).replace(`${versionsFolder}/`, '');
  } catch {
    return null;
  }
}

/** Replaces the link in one rename. */
function pointTo(root: string, id: string, version: string): void {
  const link = join(root, versionsFolder, `.link-${randomBytes(6).toString('hex')}`);
  symlinkSync(`${versionsFolder}/${version}`, link);
  renameSync(link, join(root, id));
  syncFolder(root);
}

/** What no link leads to: versions of before, and what a crash has left. */
function dropUnlinked(root: string): void {
  const linked = new Set(readdirSync(root).map((name) => currentVersion(root, name)));
  for (const name of readdirSync(join(root, versionsFolder))) {
    if (!linked.has(name)) rmSync(join(root, versionsFolder, name), { recursive: true, force: true });
  }
}

function loadStaged(staging: string, from: string, packs: ReadonlyMap<string, Rulepack>): Rulepack {
  try {
    return loadRulepack(staging, packs);
  } catch (error) {
    if (!(error instanceof DriveMcpError)) throw error;
    // Told where the person has the file, not where it lay for a moment.
    const file = error.location.file?.replace(staging, from) ?? from;
    throw new DriveMcpError(error.code, error.message, {
      location: { ...error.location, file },
      cause: error,
    });
  }
}

function refuseFuture(pack: Rulepack, today: string, from: string): void {
  const { valid, law_as_of: lawAsOf } = pack.manifest;
  const [key, date] = lawAsOf > today ? ['law_as_of', lawAsOf] : ['valid.from', valid.from];
  if (date <= today) return;
  throw new DriveMcpError('RULEPACK_INVALID', `${date} is in the future (today is ${today})`, {
    location: { file: join(from, 'pack.yaml'), key },
  });
}

function semverOf(version: string): string {
  return /@(\d+\.\d+\.\d+)/.exec(version)?.[1] ?? '0.0.0';
}

function writeFiles(folder: string, files: PackFiles): void {
  const folders = new Set([folder]);
  mkdirSync(folder, { mode: 0o750 });
  for (const [path, bytes] of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true, mode: 0o750 });
    for (let at = dirname(target); at.length > folder.length; at = dirname(at)) folders.add(at);
    const file = openSync(target, 'wx', 0o640);
    writeFileSync(file, bytes);
    fsyncSync(file);
    closeSync(file);
  }
  for (const each of folders) syncFolder(each);
}

/** A rename is durable when its folder is on disk. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
