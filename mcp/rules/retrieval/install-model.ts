/**
 * Installs an encoder into `STATE/models/NAME`: checked, written beside it, renamed. A crash at any point leaves the old
 * model, the new one or none, never half of one.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { knownEncoders } from './bundled-encoders.js';
import {
  type EncoderManifest,
  encoderId,
  encoderManifestSchema,
  manifestFile,
  modelFile,
  modelName,
  parseManifest,
  tokenizerFile,
} from './encoder-manifest.js';
import { sha256 } from './model-folder.js';
import { type ModelSource, readModelSource, sumsFile } from './model-source.js';

export interface InstallModelOptions {
  readonly from: string;
  readonly stateDir: string;
  /** which published encoder it is, where it brings no model.json */
  readonly as?: string;
  /** take the digests from the files themselves where nobody gives them */
  readonly pin: boolean;
}

export interface InstalledModel {
  readonly id: string;
  readonly manifest: EncoderManifest;
  readonly folder: string;
  readonly bytes: number;
}

/** @throws DriveMcpError MODEL_INVALID, MODEL_UNKNOWN, FILE_MISSING, STATE_UNWRITABLE */
export async function installModel(options: InstallModelOptions): Promise<InstalledModel> {
  const source = await readModelSource(options.from);
  const manifest = manifestOf(source, options);
  const [model, tokenizer] = [modelFile, tokenizerFile].map((name) => {
    const bytes = fileOf(source, options.from, name as typeof modelFile);
    const found = sha256(bytes);
    const expected = manifest.files[name as typeof modelFile];
    if (found !== expected) {
      throw new DriveMcpError('MODEL_INVALID', `has the digest ${found}, not ${expected}`, {
        location: { file: join(options.from, name), key: 'sha256' },
        context: { expected, found, bytes: bytes.length },
        hint: 'the download is cut or another version: fetch it again',
      });
    }
    return bytes;
  }) as [Buffer, Buffer];
  const root = join(options.stateDir, 'models');
  const folder = join(root, manifest.name);
  try {
    replaceFolder(root, manifest.name, [
      [manifestFile, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
      [modelFile, model],
      [tokenizerFile, tokenizer],
    ]);
  } catch (cause) {
    throw new DriveMcpError('STATE_UNWRITABLE', 'the model cannot be written', {
      location: { file: folder },
      cause,
    });
  }
  return { id: encoderId(manifest), manifest, folder, bytes: model.length + tokenizer.length };
}

/** Takes an installed model away; false = there is none. */
export function removeModel(stateDir: string, name: string): boolean {
  const root = join(stateDir, 'models');
  if (!modelName.safeParse(name).success || !existsSync(join(root, name))) return false;
  const gone = join(root, `.old-${randomBytes(6).toString('hex')}`);
  renameSync(join(root, name), gone);
  rmSync(gone, { recursive: true, force: true });
  return true;
}

/** Names of installed models, also of damaged ones. */
export function installedModels(stateDir: string): string[] {
  const root = join(stateDir, 'models');
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => modelName.safeParse(name).success)
    .sort();
}

function manifestOf(source: ModelSource, { from, as, pin }: InstallModelOptions): EncoderManifest {
  const own = source.files.get(manifestFile);
  if (own) {
    const manifest = parseManifest(join(from, manifestFile), own.toString('utf8'));
    if (as !== undefined && as !== manifest.name)
      throw new DriveMcpError('MODEL_INVALID', `is ${manifest.name}, not ${as}`, {
        location: { file: join(from, manifestFile), key: 'name' },
      });
    return manifest;
  }
  const name =
    as ??
    from
      .split('/')
      .at(-1)
      ?.replace(/\.(tar|tar\.gz|tgz)$/, '')
      .toLowerCase() ??
    '';
  const known = knownEncoders().get(name);
  if (!known) {
    throw new DriveMcpError(
      'MODEL_UNKNOWN',
      `has no model.json, and '${name}' is no encoder that is known here`,
      {
        location: { file: from },
        hint: 'write a model.json beside it, or say which it is with --as NAME (drivemcp models list)',
      },
    );
  }
  const given = digestsOf(source, from);
  if (!given && !pin) {
    throw new DriveMcpError('MODEL_INVALID', 'nobody says which digests its files should have', {
      location: { file: join(from, sumsFile) },
      hint: 'put the SHA256SUMS of the publisher beside them, or take the files as they are with --pin',
    });
  }
  const digest = (file: typeof modelFile | typeof tokenizerFile): string =>
    given?.get(file) ?? sha256(fileOf(source, from, file));
  return encoderManifestSchema.parse({
    ...known,
    files: { [modelFile]: digest(modelFile), [tokenizerFile]: digest(tokenizerFile) },
    ...(given ? {} : { pinned_here: true }),
  });
}

/** `SHA256SUMS` as sha256sum writes it; both files must stand there. */
function digestsOf(source: ModelSource, from: string): ReadonlyMap<string, string> | null {
  const text = source.files.get(sumsFile)?.toString('utf8');
  if (text === undefined) return null;
  const digests = new Map<string, string>();
  for (const [, digest, path] of text.matchAll(/^([0-9a-f]{64})[ ][ *](?:\.\/)?(\S+)$/gm)) {
    if (digest !== undefined && path !== undefined) digests.set(path.replace(/^onnx\//, ''), digest);
  }
  for (const file of [modelFile, tokenizerFile]) {
    if (!digests.has(file))
      throw new DriveMcpError('MODEL_INVALID', `names no digest of ${file}`, {
        location: { file: join(from, sumsFile) },
      });
  }
  return digests;
}

function fileOf(source: ModelSource, from: string, name: typeof modelFile | typeof tokenizerFile): Buffer {
  const bytes = source.files.get(name);
  if (bytes) return bytes;
  throw new DriveMcpError('FILE_MISSING', 'the model lacks this file', {
    location: { file: join(from, name) },
  });
}

function replaceFolder(root: string, name: string, files: readonly (readonly [string, Buffer])[]): void {
  mkdirSync(root, { recursive: true, mode: 0o750 });
  const mark = randomBytes(6).toString('hex');
  const staging = join(root, `.new-${mark}`);
  const old = join(root, `.old-${mark}`);
  mkdirSync(staging, { mode: 0o750 });
  try {
    for (const [file, bytes] of files) {
      const handle = openSync(join(staging, file), 'wx', 0o640);
      writeFileSync(handle, bytes);
      fsyncSync(handle);
      closeSync(handle);
    }
    syncFolder(staging);
    if (existsSync(join(root, name))) renameSync(join(root, name), old);
    renameSync(staging, join(root, name));
    syncFolder(root);
  } finally {
    rmSync(staging, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/** A rename is durable when its folder is on disk. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
