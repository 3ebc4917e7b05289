/** RTP packets of one JPEG (RFC 3550, RFC 2435). */
import type { JpegScan } from './jpeg-scan.js';

export const rtpClockHz = 90_000;
export const jpegPayloadType = 26;

export interface RtpPlace {
  /** of the first packet; counts on modulo 65,536 */
  readonly sequence: number;
  /** of the picture, on the 90 kHz clock modulo 2^32 */
  readonly timestamp: number;
  readonly ssrc: number;
  /** whole header extension of the first packet (RFC 3550, 5.3.1), a multiple of four bytes */
  readonly extension?: Buffer;
}

const nothing = Buffer.alloc(0);
const rtpHeaderBytes = 12;
const jpegHeaderBytes = 8;
const tableHeaderBytes = 4;
/** Q above 127 says that the tables are in the packet; 255 that they may change from picture to picture. */
const tablesInBand = 255;

/** Packets of at most `maxBytes` each; the last one is marked. */
export function packetiseJpeg(scan: JpegScan, place: RtpPlace, maxBytes: number): readonly Buffer[] {
  const packets: Buffer[] = [];
  for (let offset = 0; offset < scan.data.length; ) {
    const isFirst = offset === 0;
    const extension = isFirst ? (place.extension ?? nothing) : nothing;
    const tables = isFirst ? tableHeader(scan.tables) : nothing;
    const room = maxBytes - rtpHeaderBytes - extension.length - jpegHeaderBytes - tables.length;
    const part = scan.data.subarray(offset, offset + room);
    const rtp = Buffer.alloc(rtpHeaderBytes);
    rtp[0] = extension.length > 0 ? 0x90 : 0x80;
    rtp[1] = jpegPayloadType | (offset + part.length === scan.data.length ? 0x80 : 0);
    rtp.writeUInt16BE((place.sequence + packets.length) & 0xffff, 2);
    rtp.writeUInt32BE(place.timestamp >>> 0, 4);
    rtp.writeUInt32BE(place.ssrc >>> 0, 8);
    const jpeg = Buffer.alloc(jpegHeaderBytes);
    // Type-specific 0: progressive, whole frames.
    jpeg.writeUIntBE(offset, 1, 3);
    jpeg[4] = scan.type;
    jpeg[5] = tablesInBand;
    jpeg[6] = scan.widthPx / 8;
    jpeg[7] = scan.heightPx / 8;
    packets.push(Buffer.concat([rtp, extension, jpeg, tables, part]));
    offset += part.length;
  }
  return packets;
}

function tableHeader(tables: Buffer): Buffer {
  const header = Buffer.alloc(tableHeaderBytes);
  header.writeUInt16BE(tables.length, 2);
  return Buffer.concat([header, tables]);
}
