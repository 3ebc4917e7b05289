/**
 * The camera over HTTP as browsers and players read it: `multipart/x-mixed-replace` with one JPEG a part. A
 * client that reads slowly gets fewer pictures, never older ones; nothing is queued for it beyond the socket's own buffer.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { OutputCounters } from '../bridge-output.js';
import type { CameraFrame, CameraFrames } from './camera-frame.js';
import type { CameraServer } from './ego-camera.js';
import { type ViewerAccess, viewerRealm } from './viewer-access.js';

const boundary = 'drivemcp-frame';
const maxConnections = 64;
const maxViewers = 16;

export interface MjpegBounds {
  /** a request has to be whole by then */
  readonly requestMs: number;
  /** a viewer that has taken nothing for so long is gone */
  readonly cutAfterMs: number;
}

const ordinaryBounds: MjpegBounds = { requestMs: 5000, cutAfterMs: 10_000 };

const page = `<!doctype html><meta charset="utf-8"><title>Camera of the simulated ego</title>
<style>body{margin:0;background:#111;color:#ccc;font:14px system-ui}img{display:block;width:100%;max-width:1280px}</style>
<img src="/stream.mjpeg" alt="Camera of the simulated ego"><p>Rendered by a simulator. <a href="/snapshot.jpg">One picture</a>`;

export interface MjpegOptions {
  readonly host: string;
  readonly port: number;
  readonly wallUs: () => number;
  readonly bounds?: MjpegBounds;
}

export class MjpegServer implements CameraServer {
  readonly name = 'mjpeg';
  readonly #frames: CameraFrames;
  readonly #access: ViewerAccess;
  readonly #options: MjpegOptions;
  readonly #cutAfterMs: number;
  readonly #server: Server;
  #port = 0;
  #viewers = 0;
  #skipped = 0;
  #sent = 0;
  #refused = 0;
  #cut = 0;

  constructor(frames: CameraFrames, access: ViewerAccess, options: MjpegOptions) {
    this.#frames = frames;
    this.#access = access;
    this.#options = options;
    const bounds = options.bounds ?? ordinaryBounds;
    this.#cutAfterMs = bounds.cutAfterMs;
    const { requestMs, cutAfterMs } = bounds;
    const times = { headersTimeout: requestMs, requestTimeout: requestMs, keepAliveTimeout: requestMs };
    this.#server = createServer(
      { maxHeaderSize: 8192, ...times, connectionsCheckingInterval: Math.min(1000, requestMs) },
      (request, response) => this.#answer(request, response),
    );
    this.#server.maxConnections = maxConnections;
    this.#server.on('drop', () => this.#refused++);
    // Who neither asks nor reads; streams are watched by themselves.
    this.#server.setTimeout(cutAfterMs, (socket) => {
      this.#cut++;
      socket.destroy();
    });
  }

  get port(): number {
    return this.#port;
  }

  open(): Promise<void> {
    const { host, port } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(new DriveMcpError('PORT_TAKEN', `MJPEG at ${host}:${port}: ${cause.message}`, { cause })),
      );
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        this.#port = typeof address === 'object' && address !== null ? address.port : port;
        resolve();
      });
    });
  }

  counters(): OutputCounters {
    return {
      port: this.#port,
      viewers: this.#viewers,
      sent: this.#sent,
      skipped: this.#skipped,
      refused: this.#refused,
      cut: this.#cut,
    };
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    // Not as a URL: a target such as // is none, and reading it so throws.
    const [pathname = ''] = (request.url ?? '/').split('?', 1);
    if (!this.#isOurHost(request.headers.host)) this.#refuse(response, 403, 'not this host');
    else if (request.method !== 'GET') this.#refuse(response, 405, 'GET only');
    else if (!this.#access.allows(request.headers.authorization)) {
      response.setHeader('WWW-Authenticate', [
        `Basic realm="${viewerRealm}", charset="UTF-8"`,
        `Bearer realm="${viewerRealm}"`,
      ]);
      this.#refuse(response, 401, 'the token, please');
    } else if (pathname === '/') {
      response.setHeader(
        'Content-Security-Policy',
        "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
      );
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(page);
    } else if (pathname === '/snapshot.jpg') this.#snapshot(response);
    else if (pathname === '/stream.mjpeg') this.#stream(request, response);
    else this.#refuse(response, 404, 'there is /, /stream.mjpeg and /snapshot.jpg');
  }

  /** Without a token the name is what keeps a page elsewhere from pointing its own name here (DNS rebinding). */
  #isOurHost(host: string | undefined): boolean {
    if (!this.#access.isOpen) return true;
    const name = (host ?? '').replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    return name === 'localhost' || isIP(name) !== 0;
  }

  #snapshot(response: ServerResponse): void {
    const frame = this.#frames.latest;
    if (frame === null) {
      this.#refuse(response, 503, 'no picture: the camera has given none yet, or has gone');
      return;
    }
    response.writeHead(200, this.#partHeaders(frame));
    response.end(frame.jpeg);
    this.#sent++;
  }

  #stream(request: IncomingMessage, response: ServerResponse): void {
    if (this.#viewers >= maxViewers) {
      this.#refuse(response, 503, `${maxViewers} viewers are there`);
      return;
    }
    this.#viewers++;
    // A world may stand still for as long as it likes.
    request.socket.setTimeout(0);
    response.writeHead(200, { 'Content-Type': `multipart/x-mixed-replace; boundary=${boundary}` });
    let isBusy = false;
    let timer: NodeJS.Timeout | undefined;
    const send = (frame: CameraFrame): void => {
      const head = Object.entries(this.#partHeaders(frame));
      response.cork();
      response.write(`--${boundary}\r\n${head.map(([key, value]) => `${key}: ${value}\r\n`).join('')}\r\n`);
      response.write(frame.jpeg);
      isBusy = !response.write('\r\n');
      response.uncork();
      this.#sent++;
      if (isBusy)
        timer = setTimeout(() => {
          this.#cut++;
          response.destroy();
        }, this.#cutAfterMs);
    };
    const end = this.#frames.subscribe({
      offer: (frame) => {
        if (isBusy) this.#skipped++;
        else send(frame);
      },
    });
    response.on('drain', () => {
      clearTimeout(timer);
      isBusy = false;
    });
    response.on('error', () => {});
    response.on('close', () => {
      clearTimeout(timer);
      end();
      this.#viewers--;
    });
    const { latest } = this.#frames;
    if (latest !== null) send(latest);
  }

  #refuse(response: ServerResponse, status: number, text: string): void {
    this.#refused++;
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(`${text}\n`);
  }

  /** Wall times are this machine's; who measures latencies corrects them by the offset of its own clock. */
  #partHeaders(frame: CameraFrame): Readonly<Record<string, string>> {
    const seconds = (us: number): string => (us / 1e6).toFixed(6);
    return {
      'Content-Type': 'image/jpeg',
      'Content-Length': String(frame.jpeg.length),
      'X-Frame': String(frame.frame),
      'X-World-Time-S': frame.timestampS.toFixed(6),
      'X-Simulated-Time-S': seconds(frame.tUs),
      'X-Received-Wall-S': seconds(frame.receivedWallUs),
      'X-Ready-Wall-S': seconds(frame.readyWallUs),
      'X-Sent-Wall-S': seconds(this.#options.wallUs()),
    };
  }
}
