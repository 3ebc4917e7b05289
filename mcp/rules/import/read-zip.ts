/**
 * XML files of a zip, as the German publisher hands out its acts (PKWARE APPNOTE 6.3, §§ 4.3.7–4.3.16): plain or deflated
 * entries of one disk. What is unpacked is bounded before it is unpacked; names are only read, no path is ever written.
 */
import { crc32, inflateRawSync } from 'node:zlib';
import type { DriveMcpError } from '../../../daemon/core/errors.js';
import { lawError } from './law-error.js';
import type { RawLawFile } from './law-text.js';
import { xmlBounds } from './xml-tree.js';

const endOfDirectory = { signature: 0x06054b50, length: 22, commentMaxLength: 65_535 } as const;
const directoryEntry = { signature: 0x02014b50, length: 46 } as const;
const localHeader = { signature: 0x04034b50, length: 30 } as const;
const entryMaxCount = 4_000;

/** @throws DriveMcpError LAW_FORMAT_UNKNOWN, LAW_XML_TOO_LARGE */
export function* readZip(bytes: Buffer, file: string): Generator<RawLawFile> {
  const damaged = (message: string): DriveMcpError =>
    lawError(
      'LAW_FORMAT_UNKNOWN',
      `not a whole zip: ${message}`,
      file,
      undefined,
      'unpack it yourself and give the XML',
    );
  const end = findEnd(bytes);
  if (end === null) throw damaged('it has no directory');
  const count = bytes.readUInt16LE(end + 10);
  const start = bytes.readUInt32LE(end + 16);
  if (count > entryMaxCount) throw damaged(`more than ${entryMaxCount} entries`);
  let isFound = false;
  for (let i = 0, at = start; i < count; i++) {
    if (at + directoryEntry.length > end || bytes.readUInt32LE(at) !== directoryEntry.signature)
      throw damaged('its directory is cut');
    const flags = bytes.readUInt16LE(at + 8);
    const method = bytes.readUInt16LE(at + 10);
    const sum = bytes.readUInt32LE(at + 16);
    const packed = bytes.readUInt32LE(at + 20);
    const size = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const header = bytes.readUInt32LE(at + 42);
    const name = bytes
      .subarray(at + directoryEntry.length, at + directoryEntry.length + nameLength)
      .toString('utf8');
    at += directoryEntry.length + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (!/\.xml$/i.test(name)) continue;
    const place = `${file}: ${name.replace(/[^\w./-]/g, '?').slice(0, 100)}`;
    if ((flags & 1) !== 0) throw lawError('LAW_FORMAT_UNKNOWN', 'the entry is encrypted', place);
    if (size > xmlBounds.fileMaxBytes)
      throw lawError(
        'LAW_XML_TOO_LARGE',
        `unpacks to more than ${xmlBounds.fileMaxBytes / 1024 / 1024} MiB`,
        place,
      );
    if (header + localHeader.length > bytes.length || bytes.readUInt32LE(header) !== localHeader.signature)
      throw damaged('an entry lies outside');
    const data =
      header + localHeader.length + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    if (data + packed > bytes.length) throw damaged('an entry is cut');
    const content = unpack(bytes.subarray(data, data + packed), method, size);
    if (content === null || content.length !== size || crc32(content) !== sum)
      throw damaged('an entry does not unpack to what its directory says');
    isFound = true;
    yield { file: place, bytes: content };
  }
  if (!isFound) throw lawError('LAW_EMPTY', 'the zip holds no .xml file', file);
}

/** The last record of its kind that ends with the file. */
function findEnd(bytes: Buffer): number | null {
  const first = Math.max(0, bytes.length - endOfDirectory.length - endOfDirectory.commentMaxLength);
  for (let at = bytes.length - endOfDirectory.length; at >= first; at--) {
    if (bytes.readUInt32LE(at) === endOfDirectory.signature) return at;
  }
  return null;
}

function unpack(packed: Buffer, method: number, size: number): Buffer | null {
  if (method === 0) return packed;
  if (method !== 8) return null;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch {
    return null;
  }
}
