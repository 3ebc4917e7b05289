/**
 * The cockpit port on a Unix socket, for processes of the same user: a head unit, `hil cockpit`. What is set here moves
 * switches of a simulated car and nothing else.
 */
import { createServer, type Server } from 'node:net';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import type { JsonObject } from '../../../daemon/core/tick.js';
import { isAnswered, listenAt, type SocketPlace } from '../../../daemon/rpc/lines/socket-place.js';
import { type CockpitCounters, CockpitPeer } from './cockpit-peer.js';
import type { CockpitPort } from './cockpit-port.js';

/** Clients at a time; further ones are told so. */
const peersMaxCount = 8;
const attendMs = 100;

export interface CockpitServerParts {
  readonly port: CockpitPort;
  /** what hello is answered with, beside the version */
  readonly greeting: JsonObject;
  readonly monoMs: () => number;
}

export class CockpitServer {
  readonly #parts: CockpitServerParts;
  readonly #server: Server;
  readonly #peers = new Set<CockpitPeer>();
  #place: SocketPlace | null = null;
  #attending: NodeJS.Timeout | null = null;
  #accepted = 0;
  #turnedAway = 0;
  readonly #counters: CockpitCounters = {
    requests: 0,
    malformed: 0,
    refused: 0,
    throttled: 0,
    dropped_slow: 0,
    dropped_idle: 0,
    sets: 0,
    refused_sets: 0,
    values_coalesced: 0,
  };

  private constructor(parts: CockpitServerParts) {
    this.#parts = parts;
    this.#server = createServer((socket) => {
      const peer = new CockpitPeer(socket, {
        port: parts.port,
        greeting: parts.greeting,
        counters: this.#counters,
        monoMs: parts.monoMs,
        onClose: (closed) => void this.#peers.delete(closed),
      });
      if (this.#peers.size >= peersMaxCount) {
        this.#turnedAway++;
        peer.turnAway('busy', `there are ${peersMaxCount} clients already`);
        return;
      }
      this.#accepted++;
      this.#peers.add(peer);
    });
  }

  /** Listens at a path for this user alone. @throws DriveMcpError ADDRESS_UNAVAILABLE with what is in the way */
  static async open(path: string, parts: CockpitServerParts): Promise<CockpitServer> {
    const server = new CockpitServer(parts);
    try {
      if (await isAnswered(path)) throw new Error('another process listens there');
      server.#place = await listenAt(server.#server, path, { isFolderOurs: false });
    } catch (cause) {
      throw new DriveMcpError('ADDRESS_UNAVAILABLE', `no cockpit port: ${(cause as Error).message}`, {
        location: { file: path },
        cause,
        hint: 'name a path in a folder that exists and is your own',
      });
    }
    // An accept that fails (too many open files) must not end a run.
    server.#server.on('error', () => server.#turnedAway++);
    server.#attending = setInterval(() => server.#attend(), attendMs).unref();
    return server;
  }

  get path(): string {
    return this.#place?.path ?? '';
  }

  counters(): JsonObject {
    return {
      clients: this.#peers.size,
      clients_max: peersMaxCount,
      accepted: this.#accepted,
      turned_away: this.#turnedAway,
      ...this.#counters,
    };
  }

  async close(): Promise<void> {
    if (this.#attending !== null) clearInterval(this.#attending);
    await this.#place?.clear();
    for (const peer of this.#peers) peer.close();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#place?.forget();
    this.#place = null;
  }

  #attend(): void {
    const nowMs = this.#parts.monoMs();
    for (const peer of this.#peers) peer.attend(nowMs);
  }
}
