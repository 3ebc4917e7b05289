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
}

const rtpHeaderBytes = 12;
const jpegHeaderBytes = 8;
const tableHeaderBytes = 4;
/** Q above 127 says that the tables are in the packet; 255 that they may change from picture to picture. */
const tablesInBand = 255;

/** Packets of at most `maxBytes` each; the last one is marked. */
export function packetiseJpeg(scan: JpegScan, place: RtpPlace, maxBytes: number): readonly Buffer[] {
  const packets: Buffer[] = [];
  for (let offset = 0; offset < scan.data.length; ) {
    const tables = offset === 0 ? tableHeader(scan.tables) : Buffer.alloc(0);
    const room = maxBytes - rtpHeaderBytes - jpegHeaderBytes - tables.length;
    const part = scan.data.subarray(offset, offset + room);
    const isLast = offset + part.length === scan.data.length;
    const header = Buffer.alloc(rtpHeaderBytes + jpegHeaderBytes);
    header[0] = 0x80;
    header[1] = jpegPayloadType | (isLast ? 0x80 : 0);
    header.writeUInt16BE((place.sequence + packets.length) & 0xffff, 2);
    header.writeUInt32BE(place.timestamp >>> 0, 4);
    header.writeUInt32BE(place.ssrc >>> 0, 8);
    // Type-specific 0: progressive, whole frames.
    header.writeUIntBE(offset, rtpHeaderBytes + 1, 3);
    header[rtpHeaderBytes + 4] = scan.type;
    header[rtpHeaderBytes + 5] = tablesInBand;
    header[rtpHeaderBytes + 6] = scan.widthPx / 8;
    header[rtpHeaderBytes + 7] = scan.heightPx / 8;
    packets.push(Buffer.concat([header, tables, part]));
    offset += part.length;
  }
  return packets;
}

function tableHeader(tables: Buffer): Buffer {
  const header = Buffer.alloc(tableHeaderBytes);
  header.writeUInt16BE(tables.length, 2);
  return Buffer.concat([header, tables]);
}

/** Between the epochs of NTP (1900) and Unix (1970), s. */
const ntpOffsetS = 2_208_988_800;

export interface SenderState {
  readonly ssrc: number;
  readonly wallUs: number;
  /** RTP timestamp of the picture at `wallUs` */
  readonly timestamp: number;
  readonly packets: number;
  readonly payloadBytes: number;
}

/** A sender report with an SDES: which wall clock belongs to which RTP timestamp (RFC 3550, 6.4.1 and 6.5). */
export function senderReport({ ssrc, wallUs, timestamp, packets, payloadBytes }: SenderState): Buffer {
  const report = Buffer.alloc(28);
  report[0] = 0x80;
  report[1] = 200;
  report.writeUInt16BE(6, 2);
  report.writeUInt32BE(ssrc >>> 0, 4);
  const seconds = Math.floor(wallUs / 1e6);
  report.writeUInt32BE((seconds + ntpOffsetS) >>> 0, 8);
  report.writeUInt32BE(Math.floor(((wallUs - seconds * 1e6) / 1e6) * 0x1_0000_0000) >>> 0, 12);
  report.writeUInt32BE(timestamp >>> 0, 16);
  report.writeUInt32BE(packets >>> 0, 20);
  report.writeUInt32BE(payloadBytes >>> 0, 24);
  const name = Buffer.from('drivemcp');
  const description = Buffer.alloc(20);
  description[0] = 0x81;
  description[1] = 202;
  description.writeUInt16BE(4, 2);
  description.writeUInt32BE(ssrc >>> 0, 4);
  description[8] = 1;
  description[9] = name.length;
  name.copy(description, 10);
  return Buffer.concat([report, description]);
}
