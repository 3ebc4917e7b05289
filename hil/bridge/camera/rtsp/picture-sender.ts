/** Pictures of one player as RTP with RTCP beside it: sequence, clock, reports. Where they go is somebody else's. */
import { randomInt } from 'node:crypto';
import { DriveMcpError } from '../../../../daemon/core/errors.js';
import type { CameraFrame } from '../camera-frame.js';
import { frameExtension } from './frame-extension.js';
import { readJpegScan } from './jpeg-scan.js';
import { goodbye, type SenderState, senderReport } from './rtcp.js';
import { packetiseJpeg, rtpClockHz } from './rtp-jpeg.js';

/** Ethernet without fragments, and room for tunnels. */
const packetBytes = 1400;
const reportPeriodUs = 5_000_000;
const wordEnd = 0x1_0000_0000;

export type RtpEmit = (what: 'rtp' | 'rtcp', packet: Buffer) => void;

export class PictureSender {
  readonly ssrc = randomInt(wordEnd);
  readonly #wallUs: () => number;
  readonly #firstTimestamp = randomInt(wordEnd);
  #sequence = randomInt(0x1_0000);
  #packets = 0;
  #payloadBytes = 0;
  #reportedUs = Number.NEGATIVE_INFINITY;
  #last: Pick<SenderState, 'wallUs' | 'timestamp'> | null = null;

  constructor(wallUs: () => number) {
    this.#wallUs = wallUs;
  }

  /** of the next packet */
  get sequence(): number {
    return this.#sequence;
  }

  /** False where RTP cannot carry the picture: nothing was sent. */
  send(frame: CameraFrame, emit: RtpEmit): boolean {
    const { frame: number, tUs, receivedWallUs } = frame;
    const sentWallUs = this.#wallUs();
    const timestamp = (this.#firstTimestamp + Math.round((tUs * rtpClockHz) / 1e6)) % wordEnd;
    const extension = frameExtension({ frame: number, receivedWallUs, sentWallUs });
    const place = { sequence: this.#sequence, timestamp, ssrc: this.ssrc, extension };
    let packets: readonly Buffer[];
    try {
      packets = packetiseJpeg(readJpegScan(frame.jpeg), place, packetBytes);
    } catch (error) {
      if (error instanceof DriveMcpError) return false;
      throw error;
    }
    this.#last = { wallUs: receivedWallUs, timestamp };
    if (sentWallUs - this.#reportedUs >= reportPeriodUs) {
      this.#reportedUs = sentWallUs;
      emit('rtcp', senderReport(this.#state(this.#last)));
    }
    for (const [i, packet] of packets.entries()) {
      emit('rtp', packet);
      this.#payloadBytes += packet.length - 12 - (i === 0 ? extension.length : 0);
    }
    this.#packets += packets.length;
    this.#sequence = (this.#sequence + packets.length) & 0xffff;
    return true;
  }

  /** Tells the player that no more pictures come, where it has got some. */
  bye(emit: RtpEmit): void {
    if (this.#last !== null) emit('rtcp', goodbye(this.#state(this.#last)));
    this.#last = null;
  }

  #state(at: Pick<SenderState, 'wallUs' | 'timestamp'>): SenderState {
    return { ...at, ssrc: this.ssrc, packets: this.#packets, payloadBytes: this.#payloadBytes };
  }
}
