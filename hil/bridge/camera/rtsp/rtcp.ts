/** What a sender says beside its packets (RFC 3550, 6): reports of the clock, and that it has ended. */
import { writeNtp } from './ntp-time.js';

export interface SenderState {
  readonly ssrc: number;
  readonly wallUs: number;
  /** RTP timestamp of the picture at `wallUs` */
  readonly timestamp: number;
  readonly packets: number;
  readonly payloadBytes: number;
}

const [senderReportType, descriptionType, goodbyeType] = [200, 202, 203];

/** A sender report with an SDES: which wall clock belongs to which RTP timestamp (6.4.1, 6.5). */
export function senderReport({ ssrc, wallUs, timestamp, packets, payloadBytes }: SenderState): Buffer {
  const report = packet(senderReportType, 0, 7);
  report.writeUInt32BE(ssrc >>> 0, 4);
  writeNtp(report, 8, wallUs);
  report.writeUInt32BE(timestamp >>> 0, 16);
  report.writeUInt32BE(packets >>> 0, 20);
  report.writeUInt32BE(payloadBytes >>> 0, 24);
  const name = Buffer.from('drivemcp');
  const description = packet(descriptionType, 1, 5);
  description.writeUInt32BE(ssrc >>> 0, 4);
  description[8] = 1;
  description[9] = name.length;
  name.copy(description, 10);
  return Buffer.concat([report, description]);
}

/** The last report with a BYE behind it (6.6). */
export function goodbye(state: SenderState): Buffer {
  const bye = packet(goodbyeType, 1, 2);
  bye.writeUInt32BE(state.ssrc >>> 0, 4);
  return Buffer.concat([senderReport(state), bye]);
}

function packet(type: number, count: number, words: number): Buffer {
  const bytes = Buffer.alloc(4 * words);
  bytes[0] = 0x80 | count;
  bytes[1] = type;
  bytes.writeUInt16BE(words - 1, 2);
  return bytes;
}
