/** What RTP needs of a JPEG file (ITU-T T.81): size, sampling, quantisation tables and the entropy-coded scan. */
import { DriveMcpError } from '../../../../daemon/core/errors.js';

export interface JpegScan {
  readonly widthPx: number;
  readonly heightPx: number;
  /** RFC 2435, 4.1: 0 = 4:2:2, 1 = 4:2:0 */
  readonly type: 0 | 1;
  /** luma, then chroma: 64 bytes each, zigzag order */
  readonly tables: Buffer;
  /** from behind the header of the scan up to the end marker */
  readonly data: Buffer;
}

const [startOfFrame, quantisation, startOfScan, restartInterval] = [0xc0, 0xdb, 0xda, 0xdd];

/** @throws DriveMcpError CAMERA_UNAVAILABLE where RFC 2435 cannot carry it */
export function readJpegScan(jpeg: Buffer): JpegScan {
  const fail = (problem: string): DriveMcpError =>
    new DriveMcpError('CAMERA_UNAVAILABLE', `a picture is no JPEG that RTP can carry: ${problem}`);
  const tables = new Map<number, Buffer>();
  let size: Omit<JpegScan, 'tables' | 'data'> | null = null;
  if (jpeg.length < 4 || jpeg.readUInt16BE(0) !== 0xffd8) throw fail('no start');
  for (let at = 2; at + 4 <= jpeg.length; ) {
    if (jpeg[at] !== 0xff) throw fail(`no marker at byte ${at}`);
    const marker = jpeg[at + 1] as number;
    const length = jpeg.readUInt16BE(at + 2);
    const body = jpeg.subarray(at + 4, at + 2 + length);
    if (length < 2 || at + 2 + length > jpeg.length) throw fail(`a segment of ${length} bytes at byte ${at}`);
    at += 2 + length;
    if (marker === quantisation) {
      for (let i = 0; i + 65 <= body.length; i += 65) {
        const id = body[i] as number;
        if (id > 15) throw fail('a quantisation table of 16 bits');
        tables.set(id, body.subarray(i + 1, i + 65));
      }
    } else if (marker === startOfFrame) size = readFrame(body, fail);
    else if (marker > startOfFrame && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      throw fail('it is not baseline');
    else if (marker === restartInterval) throw fail('it has restart markers');
    else if (marker === startOfScan) {
      const [luma, chroma] = [tables.get(0), tables.get(1)];
      if (size === null || luma === undefined || chroma === undefined) throw fail('a scan before its tables');
      const end = jpeg.lastIndexOf(Buffer.of(0xff, 0xd9));
      if (end < at) throw fail('no end');
      return { ...size, tables: Buffer.concat([luma, chroma]), data: jpeg.subarray(at, end) };
    }
  }
  throw fail('no scan');
}

function readFrame(
  body: Buffer,
  fail: (problem: string) => DriveMcpError,
): Pick<JpegScan, 'widthPx' | 'heightPx' | 'type'> {
  if (body.length !== 15 || body[0] !== 8 || body[5] !== 3) throw fail('not three components of 8 bits');
  const sampling = body[7];
  const type = sampling === 0x22 ? 1 : sampling === 0x21 ? 0 : null;
  if (type === null || body[10] !== 0x11 || body[13] !== 0x11) throw fail('sampled neither 4:2:0 nor 4:2:2');
  const [heightPx, widthPx] = [body.readUInt16BE(1), body.readUInt16BE(3)];
  if (widthPx % 8 !== 0 || heightPx % 8 !== 0 || widthPx > 2040 || heightPx > 2040)
    throw fail(`${widthPx}×${heightPx}: RTP carries multiples of 8 up to 2040`);
  return { widthPx, heightPx, type };
}
