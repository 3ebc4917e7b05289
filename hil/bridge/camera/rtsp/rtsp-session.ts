/** One connection of a player: what it asks, and the packets it gets. At most one stream of pictures a connection. */
import { randomBytes, randomInt } from 'node:crypto';
import type { Socket as DatagramSocket } from 'node:dgram';
import { isIPv6, type Socket } from 'node:net';
import type { CameraFrame, CameraFrames } from '../camera-frame.js';
import type { ViewerAccess } from '../viewer-access.js';
import { readJpegScan } from './jpeg-scan.js';
import { packetiseJpeg, rtpClockHz, senderReport } from './rtp-jpeg.js';
import { RtspReader, type RtspRequest, type RtspTransport, readTransport } from './rtsp-request.js';

/** RTP and RTCP of all sessions over UDP leave through these two. */
export interface UdpPair {
  readonly rtp: DatagramSocket;
  readonly rtcp: DatagramSocket;
}

export interface SessionSurroundings {
  readonly frames: CameraFrames;
  readonly access: ViewerAccess;
  readonly rateHz: number;
  readonly udp: UdpPair;
  readonly wallUs: () => number;
  readonly count: (what: 'sent' | 'skipped' | 'refused') => void;
}

const methods = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER';
/** Ethernet without fragments, and room for tunnels. */
const packetBytes = 1400;
/** pictures are skipped while more than this waits for the client: three of the largest usual ones */
const maxWaitingBytes = 512 * 1024;
const reportPeriodUs = 5_000_000;
export const sessionTimeoutS = 60;

export class RtspSession {
  readonly #socket: Socket;
  readonly #surroundings: SessionSurroundings;
  readonly #reader = new RtspReader();
  readonly #id = randomBytes(8).toString('hex');
  readonly #ssrc = randomInt(0x1_0000_0000);
  readonly #firstTimestamp = randomInt(0x1_0000_0000);
  #transport: RtspTransport | null = null;
  #unsubscribe: (() => void) | null = null;
  #sequence = randomInt(0x1_0000);
  #packets = 0;
  #payloadBytes = 0;
  #reportedUs = 0;

  constructor(socket: Socket, surroundings: SessionSurroundings) {
    this.#socket = socket;
    this.#surroundings = surroundings;
  }

  get isPlaying(): boolean {
    return this.#unsubscribe !== null;
  }

  /** @throws RangeError for what is no RTSP */
  receive(chunk: Buffer): void {
    for (const request of this.#reader.push(chunk)) {
      const reply = this.#answer(request);
      if (!reply.status.startsWith('200')) this.#surroundings.count('refused');
      this.#write(request, reply);
    }
  }

  end(): void {
    this.#pause();
    this.#transport = null;
  }

  #answer(request: RtspRequest): Reply {
    const { access } = this.#surroundings;
    if (request.method !== 'OPTIONS' && !access.allows(request.headers.get('authorization')))
      return refusal('401 Unauthorized', { 'WWW-Authenticate': 'Basic realm="camera"' });
    const named = request.headers.get('session')?.split(';')[0]?.trim();
    if (named !== undefined && (named !== this.#id || this.#transport === null))
      return refusal('454 Session Not Found');
    switch (request.method) {
      case 'OPTIONS':
        return ok({ Public: methods });
      case 'DESCRIBE':
        return this.#describe(request);
      case 'SETUP':
        return this.#setUp(request);
      case 'PLAY':
        return this.#play(request);
      case 'PAUSE':
        this.#pause();
        return ok(this.#sessionHeader());
      case 'TEARDOWN':
        this.end();
        return ok({});
      case 'GET_PARAMETER':
        return ok(this.#transport === null ? {} : this.#sessionHeader());
      default:
        return refusal('501 Not Implemented', { Public: methods });
    }
  }

  #describe({ url }: RtspRequest): Reply {
    const { frames, rateHz } = this.#surroundings;
    const frame = frames.latest;
    if (frame === null) return refusal('503 Service Unavailable', { 'Retry-After': '1' });
    const { localAddress = '0.0.0.0' } = this.#socket;
    const family = isIPv6(localAddress) ? 'IP6' : 'IP4';
    const body = [
      'v=0',
      `o=- ${this.#ssrc} 1 IN ${family} ${localAddress}`,
      's=Camera of a simulated ego',
      't=0 0',
      'a=control:*',
      'm=video 0 RTP/AVP 26',
      `c=IN ${family} ${family === 'IP6' ? '::' : '0.0.0.0'}`,
      `a=framerate:${rateHz}`,
      `a=x-dimensions:${frame.widthPx},${frame.heightPx}`,
      'a=control:camera',
      '',
    ].join('\r\n');
    const base = `${url.replace(/\/?$/, '/')}`;
    return { ...ok({ 'Content-Base': base, 'Content-Type': 'application/sdp' }), body };
  }

  #setUp(request: RtspRequest): Reply {
    if (this.#unsubscribe !== null) return refusal('455 Method Not Valid in This State');
    const transport = readTransport(request.headers.get('transport') ?? '');
    if (transport === null) return refusal('461 Unsupported Transport');
    this.#transport = transport;
    const { udp } = this.#surroundings;
    const ports = `${transport.rtp}-${transport.rtcp}`;
    const ssrc = this.#ssrc.toString(16).padStart(8, '0').toUpperCase();
    const described =
      transport.kind === 'interleaved'
        ? `RTP/AVP/TCP;unicast;interleaved=${ports};ssrc=${ssrc}`
        : `RTP/AVP;unicast;client_port=${ports};server_port=${udp.rtp.address().port}-${udp.rtcp.address().port};ssrc=${ssrc}`;
    return ok({ ...this.#sessionHeader(), Transport: described });
  }

  #play({ url }: RtspRequest): Reply {
    if (this.#transport === null) return refusal('455 Method Not Valid in This State');
    this.#unsubscribe ??= this.#surroundings.frames.subscribe({ offer: (frame) => this.#send(frame) });
    const info = `url=${url};seq=${this.#sequence}`;
    return ok({ ...this.#sessionHeader(), Range: 'npt=now-', 'RTP-Info': info });
  }

  #pause(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  #send(frame: CameraFrame): void {
    const { count, wallUs } = this.#surroundings;
    if (this.#socket.writableLength > maxWaitingBytes) {
      count('skipped');
      return;
    }
    const timestamp = (this.#firstTimestamp + Math.round((frame.tUs * rtpClockHz) / 1e6)) % 0x1_0000_0000;
    const place = { sequence: this.#sequence, timestamp, ssrc: this.#ssrc };
    const packets = packetiseJpeg(readJpegScan(frame.jpeg), place, packetBytes);
    this.#socket.cork();
    if (wallUs() - this.#reportedUs >= reportPeriodUs) {
      this.#reportedUs = wallUs();
      const { readyWallUs } = frame;
      const state = { ssrc: this.#ssrc, wallUs: readyWallUs, timestamp };
      this.#emit(
        'rtcp',
        senderReport({ ...state, packets: this.#packets, payloadBytes: this.#payloadBytes }),
      );
    }
    for (const packet of packets) {
      this.#emit('rtp', packet);
      this.#payloadBytes += packet.length - 12;
    }
    this.#socket.uncork();
    this.#packets += packets.length;
    this.#sequence = (this.#sequence + packets.length) & 0xffff;
    count('sent');
  }

  #emit(what: 'rtp' | 'rtcp', packet: Buffer): void {
    const transport = this.#transport;
    if (transport === null) return;
    if (transport.kind === 'udp') {
      // Only ever to the machine that asked over TCP: a forged address cannot be flooded from here.
      const { remoteAddress } = this.#socket;
      if (remoteAddress !== undefined)
        this.#surroundings.udp[what].send(packet, transport[what], remoteAddress, () => {});
      return;
    }
    const head = Buffer.of(0x24, transport[what], packet.length >> 8, packet.length & 0xff);
    this.#socket.write(head);
    this.#socket.write(packet);
  }

  #sessionHeader(): Readonly<Record<string, string>> {
    return { Session: `${this.#id};timeout=${sessionTimeoutS}` };
  }

  #write({ cseq }: RtspRequest, { status, headers, body }: Reply): void {
    const all = {
      CSeq: cseq,
      Server: 'drivemcp',
      ...headers,
      ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`RTSP/1.0 ${status}\r\n${lines.join('')}\r\n${body}`);
  }
}

interface Reply {
  readonly status: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const ok = (headers: Reply['headers']): Reply => ({ status: '200 OK', headers, body: '' });
const refusal = (status: string, headers: Reply['headers'] = {}): Reply => ({ status, headers, body: '' });
