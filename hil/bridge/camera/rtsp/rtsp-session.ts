/** One connection of a player: what it asks, and the packets it gets. At most one stream of pictures a connection. */
import { randomBytes } from 'node:crypto';
import type { Socket as DatagramSocket, RemoteInfo } from 'node:dgram';
import type { Socket } from 'node:net';
import type { CameraFrame, CameraFrames, CameraSize } from '../camera-frame.js';
import { type ViewerAccess, viewerRealm } from '../viewer-access.js';
import { PictureSender } from './picture-sender.js';
import { ok, type RtspReply, refusal, replyText } from './rtsp-reply.js';
import { RtspReader, type RtspRequest, type RtspTransport, readTransport } from './rtsp-request.js';
import { sessionDescription, trackName } from './session-description.js';

/** RTP and RTCP of all sessions over UDP leave through these two. */
export interface UdpPair {
  readonly rtp: DatagramSocket;
  readonly rtcp: DatagramSocket;
}

export interface SessionSurroundings {
  readonly frames: CameraFrames;
  readonly access: ViewerAccess;
  readonly size: CameraSize;
  readonly udp: UdpPair;
  readonly wallUs: () => number;
  /** whether one more player may be set up */
  readonly hasRoom: () => boolean;
  /** `unfit`: a picture that RTP cannot carry */
  readonly count: (what: 'sent' | 'skipped' | 'unfit' | 'refused') => void;
}

const methods = 'OPTIONS, DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN, GET_PARAMETER';
/** Pictures are skipped, and requests wait, while more than this waits for the client: three of the largest usual pictures. */
const maxWaitingBytes = 512 * 1024;
export const sessionTimeoutS = 60;
const path = '/camera';
const paths = [path, `${path}/`, `${path}/${trackName}`];

export class RtspSession {
  readonly #socket: Socket;
  readonly #surroundings: SessionSurroundings;
  readonly #reader = new RtspReader();
  readonly #id = randomBytes(8).toString('hex');
  readonly #nonce = randomBytes(16).toString('hex');
  readonly #sender: PictureSender;
  #transport: RtspTransport | null = null;
  #unsubscribe: (() => void) | null = null;

  constructor(socket: Socket, surroundings: SessionSurroundings) {
    this.#socket = socket;
    this.#surroundings = surroundings;
    this.#sender = new PictureSender(surroundings.wallUs);
  }

  get isSetUp(): boolean {
    return this.#transport !== null;
  }

  get isPlaying(): boolean {
    return this.#unsubscribe !== null;
  }

  /** @throws RangeError for what is no RTSP */
  receive(chunk: Buffer): void {
    for (const request of this.#reader.push(chunk)) {
      const reply = this.#answer(request);
      if (!reply.status.startsWith('200')) this.#surroundings.count('refused');
      this.#socket.write(replyText(request, reply));
    }
    // Who asks without reading the answers is not read either.
    if (this.#socket.writableLength <= maxWaitingBytes) return;
    this.#socket.pause();
    this.#socket.once('drain', () => this.#socket.resume());
  }

  /** Whether a report that came over UDP is this player's. */
  isFrom({ address, port }: RemoteInfo): boolean {
    const transport = this.#transport;
    return transport?.kind === 'udp' && transport.rtcp === port && address === this.#socket.remoteAddress;
  }

  end(): void {
    this.#pause();
    this.#sender.bye((what, packet) => this.#emit(what, packet));
    this.#transport = null;
  }

  #answer(request: RtspRequest): RtspReply {
    const { method, url, headers } = request;
    if (method === 'OPTIONS') return ok({ Public: methods });
    const context = { nonce: this.#nonce, method, url };
    if (!this.#surroundings.access.allows(headers.get('authorization'), context))
      return refusal('401 Unauthorized', {
        'WWW-Authenticate': [
          `Digest realm="${viewerRealm}", nonce="${this.#nonce}"`,
          `Basic realm="${viewerRealm}"`,
        ],
      });
    const named = headers.get('session')?.split(';')[0]?.trim();
    if (named !== undefined && (named !== this.#id || !this.isSetUp)) return refusal('454 Session Not Found');
    const isWhole = url === '*' && method === 'GET_PARAMETER';
    if (!isWhole && !paths.includes(/^rtsp:\/\/[^/]*(\/.*)$/i.exec(url)?.[1] ?? ''))
      return refusal('404 Not Found');
    switch (method) {
      case 'DESCRIBE':
        return this.#describe(request);
      case 'SETUP':
        return this.#setUp(request);
      case 'PLAY':
        return this.#play(request);
      case 'PAUSE':
        if (!this.isSetUp) return refusal('455 Method Not Valid in This State');
        this.#pause();
        return ok(this.#sessionHeader());
      case 'TEARDOWN':
        this.end();
        return ok();
      case 'GET_PARAMETER':
        return ok(this.isSetUp ? this.#sessionHeader() : {});
      default:
        return refusal('501 Not Implemented', { Public: methods });
    }
  }

  #describe({ url }: RtspRequest): RtspReply {
    const { localAddress: address = '0.0.0.0' } = this.#socket;
    const body = sessionDescription({ id: this.#sender.ssrc, address, size: this.#surroundings.size });
    return ok({ 'Content-Base': url.replace(/\/?$/, '/'), 'Content-Type': 'application/sdp' }, body);
  }

  #setUp(request: RtspRequest): RtspReply {
    if (this.isPlaying) return refusal('455 Method Not Valid in This State');
    const transport = readTransport(request.headers.get('transport') ?? '');
    if (transport === null) return refusal('461 Unsupported Transport');
    if (!this.isSetUp && !this.#surroundings.hasRoom()) return refusal('453 Not Enough Bandwidth');
    this.#transport = transport;
    const { udp } = this.#surroundings;
    const ports = `${transport.rtp}-${transport.rtcp}`;
    const ssrc = this.#sender.ssrc.toString(16).padStart(8, '0').toUpperCase();
    const described =
      transport.kind === 'interleaved'
        ? `RTP/AVP/TCP;unicast;interleaved=${ports};ssrc=${ssrc}`
        : `RTP/AVP;unicast;client_port=${ports};server_port=${udp.rtp.address().port}-${udp.rtcp.address().port};ssrc=${ssrc}`;
    return ok({ ...this.#sessionHeader(), Transport: described });
  }

  #play({ url }: RtspRequest): RtspReply {
    if (!this.isSetUp) return refusal('455 Method Not Valid in This State');
    this.#unsubscribe ??= this.#surroundings.frames.subscribe({ offer: (frame) => this.#send(frame) });
    const info = `url=${url};seq=${this.#sender.sequence}`;
    return ok({ ...this.#sessionHeader(), Range: 'npt=now-', 'RTP-Info': info });
  }

  #pause(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  #send(frame: CameraFrame): void {
    const { count } = this.#surroundings;
    if (this.#socket.writableLength > maxWaitingBytes) {
      count('skipped');
      return;
    }
    this.#socket.cork();
    count(this.#sender.send(frame, (what, packet) => this.#emit(what, packet)) ? 'sent' : 'unfit');
    this.#socket.uncork();
  }

  #emit(what: 'rtp' | 'rtcp', packet: Buffer): void {
    const transport = this.#transport;
    if (transport === null) return;
    if (transport.kind === 'udp') {
      // Only ever to the machine that asked over TCP: a forged address cannot be flooded from here.
      const { remoteAddress } = this.#socket;
      if (remoteAddress !== undefined)
        this.#surroundings.udp[what].send(packet, transport[what], remoteAddress, () => {});
    } else if (this.#socket.writable) {
      this.#socket.write(Buffer.of(0x24, transport[what], packet.length >> 8, packet.length & 0xff));
      this.#socket.write(packet);
    }
  }

  #sessionHeader(): Readonly<Record<string, string>> {
    return { Session: `${this.#id};timeout=${sessionTimeoutS}` };
  }
}
