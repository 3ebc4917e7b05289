/** The camera over RTSP 1.0 (RFC 2326) as RTP/JPEG (RFC 2435), inside the connection or over UDP to whoever made it. */
import { createSocket, type Socket as DatagramSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import { DriveMcpError } from '../../../../daemon/core/errors.js';
import type { OutputCounters } from '../../bridge-output.js';
import type { CameraFrames, CameraSize } from '../camera-frame.js';
import type { CameraServer } from '../ego-camera.js';
import type { ViewerAccess } from '../viewer-access.js';
import { RtspSession, sessionTimeoutS, type UdpPair } from './rtsp-session.js';

/** who get pictures */
const maxPlayers = 16;
/** Connections beyond it push out the oldest that has set up nothing, so that idle ones keep nobody out. */
const maxConnections = 64;
/** a connection has to set up a stream within this time */
const setUpMs = 10_000;

export interface RtspOptions {
  readonly host: string;
  readonly port: number;
  readonly size: CameraSize;
  readonly wallUs: () => number;
  /** a client that asks for nothing for so long is cut off; default 60 s, as sessions are told */
  readonly idleMs?: number;
  /** a connection that has set up nothing for so long is cut off; default 10 s */
  readonly setUpMs?: number;
}

export class RtspServer implements CameraServer {
  readonly name = 'rtsp';
  readonly #frames: CameraFrames;
  readonly #access: ViewerAccess;
  readonly #options: RtspOptions;
  readonly #server: Server;
  readonly #sessions = new Map<Socket, RtspSession>();
  readonly #counted = { sent: 0, skipped: 0, unfit: 0, refused: 0, cut: 0 };
  #udp: UdpPair | null = null;
  #port = 0;

  constructor(frames: CameraFrames, access: ViewerAccess, options: RtspOptions) {
    this.#frames = frames;
    this.#access = access;
    this.#options = options;
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    const { host, port } = this.#options;
    try {
      this.#server.listen(port, host);
      await once(this.#server, 'listening');
      this.#udp = { rtp: await datagrams(host), rtcp: await datagrams(host) };
      this.#udp.rtcp.on('message', (_, from) => this.#hear(from));
    } catch (cause) {
      await this.close();
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new DriveMcpError('PORT_TAKEN', `RTSP at ${host}:${port}: ${problem}`, { cause });
    }
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : port;
  }

  counters(): OutputCounters {
    return {
      port: this.#port,
      players: [...this.#sessions.values()].filter(({ isPlaying }) => isPlaying).length,
      ...this.#counted,
    };
  }

  async close(): Promise<void> {
    for (const [socket, session] of this.#sessions) {
      session.end();
      socket.destroySoon();
    }
    // The last datagrams leave with the turn of the event loop in which they were handed over.
    await new Promise((resolve) => setImmediate(resolve));
    for (const socket of this.#sessions.keys()) socket.destroy();
    this.#udp?.rtp.close();
    this.#udp?.rtcp.close();
    this.#udp = null;
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(socket: Socket): void {
    const udp = this.#udp;
    if (udp === null || !this.#makeRoom()) {
      this.#counted.refused++;
      socket.destroy();
      return;
    }
    const session = new RtspSession(socket, {
      frames: this.#frames,
      access: this.#access,
      size: this.#options.size,
      udp,
      wallUs: this.#options.wallUs,
      hasRoom: () => [...this.#sessions.values()].filter(({ isSetUp }) => isSetUp).length < maxPlayers,
      count: (what) => {
        this.#counted[what]++;
      },
    });
    this.#sessions.set(socket, session);
    const hurry = setTimeout(() => {
      if (!session.isSetUp) this.#cut(socket);
    }, this.#options.setUpMs ?? setUpMs);
    // Bytes either way keep a connection; over UDP only what the client says does.
    socket.setTimeout(this.#idleMs, () => this.#cut(socket));
    socket.on('data', (chunk) => {
      // What still comes behind a wrong request is not looked at.
      if (!socket.writable) return;
      try {
        session.receive(chunk);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        this.#counted.refused++;
        session.end();
        socket.write('RTSP/1.0 400 Bad Request\r\n\r\n');
        socket.destroySoon();
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(hurry);
      session.end();
      this.#sessions.delete(socket);
    });
  }

  get #idleMs(): number {
    return this.#options.idleMs ?? sessionTimeoutS * 1000;
  }

  #cut(socket: Socket): void {
    this.#counted.cut++;
    socket.destroy();
  }

  /** False where every connection has a stream. */
  #makeRoom(): boolean {
    if (this.#sessions.size < maxConnections) return true;
    for (const [socket, session] of this.#sessions)
      if (!session.isSetUp) {
        this.#cut(socket);
        this.#sessions.delete(socket);
        return true;
      }
    return false;
  }

  /** Receiver reports keep a session that gets its pictures over UDP, as many players expect. */
  #hear(from: RemoteInfo): void {
    for (const [socket, session] of this.#sessions) if (session.isFrom(from)) socket.setTimeout(this.#idleMs);
  }
}

async function datagrams(host: string): Promise<DatagramSocket> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  // Unreachable ports of a client that has gone come back as errors; its connection ends by itself.
  socket.on('error', () => {});
  socket.bind(0, host);
  await once(socket, 'listening');
  return socket;
}
