/** Reads the folder of an encoder: the files of its manifest, plain ones, within bounds, with the digests they should have. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import {
  type EncoderManifest,
  encoderId,
  manifestFile,
  modelFile,
  parseManifest,
  tokenizerFile,
} from './encoder-manifest.js';

/** The base size of the multilingual E5 family is 1.1 GB as fp32; tokenizer.json of XLM-R vocabularies 17 MB. */
export const modelBounds = {
  [modelFile]: 1536 * 1024 * 1024,
  [tokenizerFile]: 64 * 1024 * 1024,
  [manifestFile]: 64 * 1024,
} as const;
export type ModelFile = keyof typeof modelBounds;

export interface ModelFolder {
  readonly id: string;
  readonly folder: string;
  readonly manifest: EncoderManifest;
  readonly model: Buffer;
  readonly tokenizer: Buffer;
}

/** @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, MODEL_INVALID */
export function readModelFolder(folder: string): ModelFolder {
  const manifest = readManifest(folder);
  const read = (name: typeof modelFile | typeof tokenizerFile): Buffer => {
    const bytes = readModelFile(folder, name);
    const found = sha256(bytes);
    if (found !== manifest.files[name]) {
      throw new DriveMcpError('MODEL_INVALID', `has the digest ${found}, not that of the manifest`, {
        location: { file: join(folder, name), key: 'sha256' },
        context: { expected: manifest.files[name], found, bytes: bytes.length },
      });
    }
    return bytes;
  };
  const tokenizer = read(tokenizerFile);
  return { id: encoderId(manifest), folder, manifest, tokenizer, model: read(modelFile) };
}

/** @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, MODEL_INVALID */
export function readManifest(folder: string): EncoderManifest {
  return parseManifest(join(folder, manifestFile), readModelFile(folder, manifestFile).toString('utf8'));
}

/**
 * One file, no link followed, never more than its bound in memory.
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, MODEL_INVALID
 */
export function readModelFile(folder: string, name: ModelFile): Buffer {
  const file = join(folder, name);
  const refuse = (message: string) => new DriveMcpError('MODEL_INVALID', message, { location: { file } });
  let handle: number | undefined;
  try {
    if (lstatSync(file).isSymbolicLink()) throw refuse('is a link; a model holds plain files');
    handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(handle);
    if (!status.isFile()) throw refuse('is no file');
    if (status.size > modelBounds[name]) throw refuse(`is larger than ${modelBounds[name]} bytes`);
    return readFileSync(handle);
  } catch (cause) {
    if (cause instanceof DriveMcpError) throw cause;
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new DriveMcpError(
      isMissing ? 'FILE_MISSING' : 'FILE_UNREADABLE',
      isMissing ? 'the model lacks this file' : `cannot be read: ${causeText(cause)}`,
      { location: { file }, cause },
    );
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
