/**
 * Bytes of an XML file → text. UTF-8 and UTF-16 with its mark are decoded strictly, ISO-8859-1 and ASCII where declared;
 * anything else is named and refused: a wrong guess would change letters without a word.
 */
import type { DriveMcpError } from '../../../daemon/core/errors.js';
import { lawError } from './law-error.js';

/** @throws DriveMcpError LAW_ENCODING_INVALID with the place of the first byte that does not fit */
export function decodeXml(bytes: Uint8Array, file: string): string {
  const mark = byteOrderMark(bytes);
  const body = bytes.subarray(mark?.length ?? 0);
  const declared = mark?.encoding.startsWith('utf-16') ? null : declaredEncoding(body);
  if (mark === null && bytes.length > 1 && (bytes[0] === 0 || bytes[1] === 0))
    throw invalid(file, 'looks like UTF-16 without its byte order mark');
  if (mark !== null && declared !== null && !/^utf-?8$/i.test(declared))
    throw invalid(file, `begins with the mark of UTF-8 and declares ${declared}`);
  const encoding = mark?.encoding ?? (declared ?? 'utf-8').toLowerCase();
  switch (encoding) {
    case 'utf-8':
    case 'utf8':
    case 'us-ascii':
    case 'ascii':
      return decodeStrictly(body, 'utf-8', file);
    case 'utf-16le':
    case 'utf-16be':
      return decodeStrictly(body, encoding, file);
    case 'iso-8859-1':
    case 'latin1':
      // Byte by byte: a decoder of the web would read windows-1252 instead.
      return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
    default:
      throw invalid(
        file,
        `declares the encoding ${encoding.slice(0, 40)}`,
        `convert it: iconv -f ${/^[a-z0-9_-]{1,40}$/.test(encoding) ? encoding : 'ENCODING'} -t UTF-8, and change the declaration`,
      );
  }
}

interface Mark {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  readonly length: number;
}

function byteOrderMark([a, b, c]: Uint8Array): Mark | null {
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: 'utf-8', length: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: 'utf-16le', length: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: 'utf-16be', length: 2 };
  return null;
}

function declaredEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  return /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(head)?.[1] ?? null;
}

function decodeStrictly(bytes: Uint8Array, encoding: Mark['encoding'], file: string): string {
  const decode = (part: Uint8Array, stream: boolean): string =>
    new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(part, { stream });
  try {
    return decode(bytes, false);
  } catch {
    // The longest beginning that decodes ends where the first wrong byte stands.
    let [good, bad] = [0, bytes.length];
    while (bad - good > 1) {
      const middle = (good + bad) >> 1;
      try {
        decode(bytes.subarray(0, middle), true);
        good = middle;
      } catch {
        bad = middle;
      }
    }
    const before = decode(bytes.subarray(0, good), true);
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    throw lawError('LAW_ENCODING_INVALID', `a byte that is not ${encoding.toUpperCase()}`, file, {
      line,
      column,
    });
  }
}

function invalid(file: string, message: string, hint?: string): DriveMcpError {
  return lawError('LAW_ENCODING_INVALID', message, file, { line: 1, column: 1 }, hint);
}
