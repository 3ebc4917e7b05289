/**
 * What a packet says of its picture beyond RTP, as header extensions of one-byte headers (RFC 8285) in the first packet:
 * when the picture came to the bridge, for players that place streams on a common clock (RFC 6051), and the simulator's
 * frame with the time at which it was sent, for whoever measures latencies.
 */
import { writeNtp } from './ntp-time.js';

/** numbers of the extensions and what they are, for the session description */
export const frameExtensions = [
  [1, 'urn:ietf:params:rtp-hdrext:ntp-64'],
  [2, 'urn:x-drivemcp:simulated-frame'],
] as const;

const oneByteProfile = 0xbede;
const words = 7;

export interface FrameStamp {
  readonly frame: number;
  /** µs since the epoch on this machine's clock */
  readonly receivedWallUs: number;
  readonly sentWallUs: number;
}

/** Element 2 is the frame as 64 bits and the sending time as 64 bits of NTP. */
export function frameExtension({ frame, receivedWallUs, sentWallUs }: FrameStamp): Buffer {
  const bytes = Buffer.alloc(4 + 4 * words);
  bytes.writeUInt16BE(oneByteProfile, 0);
  bytes.writeUInt16BE(words, 2);
  bytes[4] = (1 << 4) | 7;
  writeNtp(bytes, 5, receivedWallUs);
  bytes[13] = (2 << 4) | 15;
  bytes.writeBigUInt64BE(BigInt(frame), 14);
  writeNtp(bytes, 22, sentWallUs);
  return bytes;
}
