/**
 * The page and what feeds it, over HTTP on the loopback: the page itself, the map, states as server-sent events, camera
 * pictures one at a time as a client asks for them. Reads only; another site's page cannot ask (Host is checked).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { ViewPage } from './view-page.js';
import type { WorldWatch } from './world-watch.js';

const maxConnections = 64;
const maxViewers = 16;
const cameraWaitMs = 2000;

export interface ViewBounds {
  /** between two states */
  readonly periodMs: number;
  /** a viewer that reads slowly misses states while this much waits for it … */
  readonly maxWaitingBytes: number;
  /** … and is cut off where it stays so */
  readonly cutAfterMs: number;
}

const ordinaryBounds: ViewBounds = { periodMs: 100, maxWaitingBytes: 512 * 1024, cutAfterMs: 10_000 };

export interface ViewCounters {
  viewers: number;
  refusedViewers: number;
  /** states that a slow viewer did not get: the next one is newer */
  skippedStates: number;
  cutViewers: number;
  refusedRequests: number;
  /** camera pictures given; a viewer asks for one at a time and gets the newest */
  pictures: number;
}

interface Viewer {
  readonly response: ServerResponse;
  slowSinceMs: number | null;
}

export class ViewServer {
  readonly counters: ViewCounters = {
    viewers: 0,
    refusedViewers: 0,
    skippedStates: 0,
    cutViewers: 0,
    refusedRequests: 0,
    pictures: 0,
  };
  readonly #watch: WorldWatch;
  readonly #page: ViewPage;
  readonly #bounds: ViewBounds;
  readonly #server: Server;
  readonly #viewers = new Set<Viewer>();
  #timer: NodeJS.Timeout | null = null;
  #map: { version: number; text: string } | null = null;
  #names: ReadonlySet<string> = new Set();

  constructor(watch: WorldWatch, page: ViewPage, bounds: ViewBounds = ordinaryBounds) {
    this.#watch = watch;
    this.#page = page;
    this.#bounds = bounds;
    this.#server = createServer({ maxHeaderSize: 16_384 }, (request, response) =>
      this.#answer(request, response),
    );
    this.#server.maxConnections = maxConnections;
  }

  /** Resolves with the port; 0 takes a free one. Rejects with SIM_PORT_TAKEN. */
  listen(port: number): Promise<number> {
    const host = '127.0.0.1';
    return new Promise((resolve, reject) => {
      this.#server.once('error', (cause) =>
        reject(
          new DriveMcpError('SIM_PORT_TAKEN', `cannot listen on ${host}:${port}: ${cause.message}`, {
            cause,
          }),
        ),
      );
      this.#server.listen(port, host, () => {
        const address = this.#server.address();
        const bound = typeof address === 'object' && address !== null ? address.port : port;
        this.#names = new Set([host, 'localhost', '[::1]'].map((name) => `${name}:${bound}`));
        resolve(bound);
      });
    });
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    response.setHeader('Referrer-Policy', 'no-referrer');
    // A name that a page elsewhere made point here is not ours (DNS rebinding).
    const host = request.headers.host ?? '';
    if (!this.#names.has(host)) this.#refuse(response, 403, 'not this host');
    else if (request.method !== 'GET') this.#refuse(response, 405, 'GET only');
    else this.#give(request, response);
  }

  #give(request: IncomingMessage, response: ServerResponse): void {
    // Not as a URL: a target such as // is none, and reading it so throws.
    const [pathname = '', query = ''] = (request.url ?? '/').split('?', 2);
    if (pathname === '/') {
      response.setHeader('Content-Security-Policy', this.#page.contentSecurityPolicy);
      this.#send(response, 'text/html; charset=utf-8', this.#page.html);
    } else if (pathname === '/map') this.#send(response, 'application/json', this.#mapText());
    else if (pathname === '/state') this.#view(response);
    else if (pathname === '/camera')
      void this.#picture(response, Number(new URLSearchParams(query).get('after') ?? -1));
    else this.#refuse(response, 404, 'no such page');
  }

  #send(response: ServerResponse, type: string, text: string): void {
    response.writeHead(200, { 'Content-Type': type });
    response.end(text);
  }

  #refuse(response: ServerResponse, status: number, text: string): void {
    this.counters.refusedRequests++;
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(`${text}\n`);
  }

  /** One text for all viewers, until the map changes. */
  #mapText(): string {
    const version = this.#watch.state.map_version;
    if (this.#map?.version !== version)
      this.#map = { version, text: JSON.stringify({ map_version: version, drawing: this.#watch.drawing }) };
    return this.#map.text;
  }

  #view(response: ServerResponse): void {
    if (this.#viewers.size >= maxViewers) {
      this.counters.refusedViewers++;
      this.#refuse(response, 503, `${maxViewers} viewers are there already`);
      return;
    }
    const viewer: Viewer = { response, slowSinceMs: null };
    this.#viewers.add(viewer);
    this.counters.viewers++;
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.on('close', () => this.#viewers.delete(viewer));
    response.write(this.#event());
    this.#timer ??= setInterval(() => this.#tell(), this.#bounds.periodMs);
  }

  #event(): string {
    return `data: ${JSON.stringify(this.#watch.state)}\n\n`;
  }

  #tell(): void {
    if (this.#viewers.size === 0) return;
    const event = this.#event();
    const nowMs = performance.now();
    for (const viewer of this.#viewers) {
      if (viewer.response.writableLength <= this.#bounds.maxWaitingBytes) {
        viewer.slowSinceMs = null;
        viewer.response.write(event);
        continue;
      }
      this.counters.skippedStates++;
      viewer.slowSinceMs ??= nowMs;
      if (nowMs - viewer.slowSinceMs < this.#bounds.cutAfterMs) continue;
      this.counters.cutViewers++;
      viewer.response.destroy();
    }
  }

  /** The first picture newer than the client's, as blue, green, red, alpha; 204 with the reason where none comes. */
  async #picture(response: ServerResponse, after: number): Promise<void> {
    const untilMs = performance.now() + cameraWaitMs;
    for (;;) {
      const { image, note } = this.#watch.camera();
      if (response.destroyed) return;
      if (image !== null && image.frame !== after) {
        this.counters.pictures++;
        response.writeHead(200, {
          'Content-Type': 'application/octet-stream',
          'Content-Length': image.bgra.length,
          'X-Frame': image.frame,
          'X-Width': image.widthPx,
          'X-Height': image.heightPx,
        });
        response.end(image.bgra);
        return;
      }
      if (performance.now() > untilMs) {
        // A header holds one line of plain characters; the note quotes the server.
        response.writeHead(204, { 'X-Note': encodeURIComponent(note.slice(0, 300)) });
        response.end();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
