/** The bytes of official files: one file, one zip, or a folder of files, each within bounds. */
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { causeText } from '../../../daemon/core/cause-text.js';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { lawError } from './law-error.js';
import type { RawLawFile } from './law-text.js';
import { readZip } from './read-zip.js';
import { xmlBounds } from './xml-tree.js';

/** A code has about 2,000 articles, each in a file of its own. */
const folderMaxFiles = 20_000;

/**
 * One by one, in the order of their names: only one is in memory at a time.
 * @throws DriveMcpError FILE_MISSING, FILE_UNREADABLE, LAW_XML_TOO_LARGE, LAW_FORMAT_UNKNOWN
 */
export function* readLawFiles(path: string): Generator<RawLawFile> {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) throw new DriveMcpError('FILE_MISSING', 'there is no such file', { location: { file: path } });
  if (!status.isDirectory()) {
    yield* unpacked(path, readBounded(path));
    return;
  }
  const files = xmlFilesIn(path, 0);
  if (files.length === 0) throw lawError('LAW_EMPTY', 'the folder holds no .xml file', path);
  if (files.length > folderMaxFiles)
    throw lawError('LAW_XML_TOO_LARGE', `more than ${folderMaxFiles} files`, path);
  for (const file of files) yield* unpacked(file, readBounded(file));
}

function* unpacked(file: string, bytes: Buffer): Generator<RawLawFile> {
  if (bytes.length === 0)
    throw lawError('LAW_XML_INVALID', 'the file is empty', file, { line: 1, column: 1 });
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (isGzip)
    throw lawError(
      'LAW_FORMAT_UNKNOWN',
      'a gzip file',
      file,
      undefined,
      'unpack it first: gunzip, or tar -xzf',
    );
  if (isZip) yield* readZip(bytes, file);
  else yield { file, bytes };
}

/** Piece by piece, so that a pipe or a device that never ends is noticed at the bound. */
function readBounded(file: string): Buffer {
  let handle: number | null = null;
  try {
    handle = openSync(file, 'r');
    if (fstatSync(handle).isDirectory()) throw new Error('a folder behind a link');
    const pieces: Buffer[] = [];
    for (let total = 0; ; ) {
      const piece = Buffer.allocUnsafe(1 << 20);
      const count = readSync(handle, piece, 0, piece.length, null);
      if (count === 0) return Buffer.concat(pieces);
      total += count;
      if (total > xmlBounds.fileMaxBytes)
        throw lawError('LAW_XML_TOO_LARGE', `larger than ${xmlBounds.fileMaxBytes / 1024 / 1024} MiB`, file);
      pieces.push(piece.subarray(0, count));
    }
  } catch (cause) {
    if (cause instanceof DriveMcpError) throw cause;
    throw new DriveMcpError('FILE_UNREADABLE', causeText(cause), { location: { file }, cause });
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

function xmlFilesIn(folder: string, depth: number): string[] {
  if (depth > 16) throw lawError('LAW_XML_TOO_LARGE', 'folders nested deeper than 16 levels', folder);
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return xmlFilesIn(path, depth + 1);
      return entry.isFile() && /\.xml$/i.test(entry.name) ? [path] : [];
    });
}
