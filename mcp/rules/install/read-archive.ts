/**
 * Reads a pack from a tar, plain or gzip, entry by entry: kind, name and size are checked before a byte is kept, and what
 * an archive unpacks to is bounded, so that a small file cannot fill memory or a disk.
 */
import { createReadStream, statSync } from 'node:fs';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { PackFileCollector, type PackFiles, packBounds, refused } from '../integrity/pack-files.js';

/** The files and half as much again for headers and padding. */
const unpackedMaxBytes = packBounds.packMaxBytes * 1.5;

/**
 * The one folder around everything (`DEU/pack.yaml`), where there is one, is taken off.
 * @throws DriveMcpError FILE_MISSING, RULEPACK_INVALID
 */
export async function readPackArchive(file: string): Promise<PackFiles> {
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined)
    throw new DriveMcpError('FILE_MISSING', 'there is no such archive', { location: { file } });
  // A FIFO or a device might give nothing for ever.
  if (!status.isFile()) throw new DriveMcpError('RULEPACK_INVALID', 'is no file', { location: { file } });
  if (status.size > unpackedMaxBytes)
    throw refused(file, '', `the archive is larger than ${unpackedMaxBytes / 1024 / 1024} MiB`);
  const collector = new PackFileCollector(file);
  const entries = extract();
  const reading = readEntries(file, entries, collector);
  const steps = [
    createReadStream(file),
    ...((await isGzip(file)) ? [createGunzip()] : []),
    bounded(file),
  ] as const;
  // tar-stream's streams come from streamx, whose types differ from Node's in name alone.
  const sink = entries as unknown as NodeJS.WritableStream;
  try {
    await Promise.all([pipeline([...steps, sink]), reading]);
  } catch (cause) {
    // Whichever side failed first says why; the other one only that its stream was closed.
    const told =
      cause instanceof DriveMcpError
        ? cause
        : await reading.then(
            () => cause,
            (inner) => (inner instanceof DriveMcpError ? inner : cause),
          );
    if (told instanceof DriveMcpError) throw told;
    throw new DriveMcpError('RULEPACK_INVALID', `not a whole tar: ${causeText(cause)}`, {
      location: { file },
      cause,
    });
  }
  return withoutTopFolder(collector.files());
}

async function readEntries(
  file: string,
  entries: ReturnType<typeof extract>,
  collector: PackFileCollector,
): Promise<void> {
  for await (const entry of entries) {
    const { name, type, size } = entry.header;
    const path = name.replace(/^(\.\/)+/, '').replace(/\/$/, '');
    if (type === 'directory') {
      entry.resume();
      continue;
    }
    if (type !== 'file') throw refused(file, name, `is a ${type}; a pack holds files alone`);
    collector.admit(path, size);
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk as Buffer);
    collector.add(path, Buffer.concat(chunks));
  }
}

function bounded(file: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes > unpackedMaxBytes)
        done(refused(file, '', `unpacks to more than ${unpackedMaxBytes / 1024 / 1024} MiB`));
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

function withoutTopFolder(files: PackFiles): PackFiles {
  if (files.has('pack.yaml')) return files;
  const tops = new Set([...files.keys()].map((path) => path.slice(0, path.indexOf('/') + 1)));
  const [top = ''] = tops;
  if (tops.size !== 1 || !files.has(`${top}pack.yaml`)) return files;
  return new Map([...files].map(([path, bytes]) => [path.slice(top.length), bytes]));
}
