/**
 * The files of a model as somebody brings them: a folder, or a tar of one. Only the files that a model consists of are
 * looked for, by their names; nothing else is copied and no name of an archive becomes a path.
 */
import { createReadStream, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { manifestFile, modelFile, tokenizerFile } from './encoder-manifest.js';
import { modelBounds } from './model-folder.js';

export const sumsFile = 'SHA256SUMS';

/** As publishers lay them out; the first that is there is taken. */
const places = {
  [manifestFile]: [manifestFile],
  [modelFile]: [modelFile, 'onnx/model.onnx'],
  [tokenizerFile]: [tokenizerFile, 'onnx/tokenizer.json'],
  [sumsFile]: [sumsFile],
} as const;
export type SourceFile = keyof typeof places;

export interface ModelSource {
  readonly files: ReadonlyMap<SourceFile, Buffer>;
}

const boundOf = (name: SourceFile): number => (name === sumsFile ? 64 * 1024 : modelBounds[name]);
const archiveMaxBytes = 2 * modelBounds[modelFile];

/** @throws DriveMcpError FILE_MISSING, MODEL_INVALID */
export async function readModelSource(from: string): Promise<ModelSource> {
  const status = statSync(from, { throwIfNoEntry: false });
  if (status === undefined)
    throw new DriveMcpError('FILE_MISSING', 'there is no such model', { location: { file: from } });
  if (status.isDirectory()) return { files: readFolder(from) };
  if (!status.isFile()) throw refuse(from, 'is neither a folder nor a file');
  return { files: await readArchive(from) };
}

function readFolder(folder: string): Map<SourceFile, Buffer> {
  const files = new Map<SourceFile, Buffer>();
  for (const [name, paths] of entriesOf(places)) {
    for (const path of paths) {
      const file = join(folder, path);
      // Also the folder in between: a link there would lead out as well.
      for (const part of new Set([join(folder, path.split('/')[0] ?? ''), file])) {
        if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink())
          throw refuse(part, 'is a link; a model holds plain files');
      }
      const status = lstatSync(file, { throwIfNoEntry: false });
      if (status === undefined) continue;
      if (!status.isFile()) throw refuse(file, 'is no file');
      if (status.size > boundOf(name)) throw refuse(file, `is larger than ${boundOf(name)} bytes`);
      files.set(name, readFileSync(file));
      break;
    }
  }
  return files;
}

async function readArchive(file: string): Promise<Map<SourceFile, Buffer>> {
  const entries = extract();
  const files = new Map<SourceFile, Buffer>();
  const reading = (async () => {
    for await (const entry of entries) {
      const { name, type, size } = entry.header;
      const path = name.replace(/^(\.\/)+/, '').replace(/\/$/, '');
      if (path.startsWith('/') || path.split('/').includes('..'))
        throw refuse(`${file}: ${name}`, 'leads out of the model');
      if (type !== 'file' && type !== 'directory')
        throw refuse(`${file}: ${name}`, `is a ${type}; a model holds plain files`);
      const known = type === 'file' ? sourceFileOf(path) : undefined;
      if (known === undefined) {
        entry.resume();
        continue;
      }
      if (size > boundOf(known)) throw refuse(`${file}: ${name}`, `is larger than ${boundOf(known)} bytes`);
      if (files.has(known)) throw refuse(`${file}: ${name}`, 'stands twice');
      const chunks: Buffer[] = [];
      for await (const chunk of entry) chunks.push(chunk as Buffer);
      files.set(known, Buffer.concat(chunks));
    }
  })();
  const steps = [
    createReadStream(file),
    ...((await isGzip(file)) ? [createGunzip()] : []),
    bounded(file),
  ] as const;
  try {
    // tar-stream's streams come from streamx, whose types differ from Node's in name alone.
    await Promise.all([pipeline([...steps, entries as unknown as NodeJS.WritableStream]), reading]);
  } catch (cause) {
    // Whichever side failed first says why; the other one only that its stream was closed.
    const inner = await reading.then(
      () => cause,
      (error: unknown) => error,
    );
    for (const error of [cause, inner]) if (error instanceof DriveMcpError) throw error;
    throw refuse(file, `not a whole tar: ${causeText(cause)}`);
  }
  return files;
}

/** In the top folder of the archive or in its only folder. */
function sourceFileOf(path: string): SourceFile | undefined {
  return entriesOf(places).find(([, paths]) =>
    paths.some((place) => path === place || path.replace(/^[^/]+\//, '') === place),
  )?.[0];
}

function bounded(file: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes > archiveMaxBytes) done(refuse(file, `unpacks to more than ${archiveMaxBytes} bytes`));
      else done(null, chunk);
    },
  });
}

async function isGzip(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 1 })) {
    return (chunk as Buffer)[0] === 0x1f && (chunk as Buffer)[1] === 0x8b;
  }
  return false;
}

function entriesOf<K extends string, V>(record: Readonly<Record<K, V>>): [K, V][] {
  return Object.entries(record) as [K, V][];
}

function refuse(file: string, message: string): DriveMcpError {
  return new DriveMcpError('MODEL_INVALID', message, { location: { file } });
}
