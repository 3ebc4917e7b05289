/** The daemon's signal service: read-only, local, and never in the way of a tick. */
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { JsonObject } from '../core/tick.js';
import { signalSocketName } from './client/socket-name.js';
import { listenAt, type SocketPlace } from './lines/socket-place.js';
import { type Subject, signalProtocolVersion } from './protocol.js';
import type { Scopes } from './scopes.js';
import type { SignalBoard } from './signal-board.js';
import { type PeerCounters, SignalPeer } from './signal-peer.js';

/** Clients at a time; further ones are told so. */
const peersMaxCount = 16;
const attendMs = 100;

export interface SignalServerParts {
  readonly board: SignalBoard;
  /** what hello is answered with, beside the version */
  readonly head: JsonObject;
  readonly monoUs: () => number;
}

export class SignalServer {
  readonly #parts: SignalServerParts;
  readonly #server: Server;
  readonly #peers = new Set<SignalPeer>();
  #place: SocketPlace | null = null;
  #attending: NodeJS.Timeout | null = null;
  #accepted = 0;
  #turnedAway = 0;
  readonly #counters: PeerCounters = {
    requests: 0,
    malformed: 0,
    refused: 0,
    throttled: 0,
    dropped_slow: 0,
    dropped_idle: 0,
    pushes_skipped: 0,
  };

  private constructor(parts: SignalServerParts) {
    this.#parts = parts;
    this.#server = createServer((socket) => {
      socket.unref();
      const peer = new SignalPeer(socket, {
        show: (subject, scopes, paths) => this.#show(subject, scopes, paths),
        greeting: () => ({ version: signalProtocolVersion, ...parts.head }),
        version: signalProtocolVersion,
        counters: this.#counters,
        monoMs: () => parts.monoUs() / 1000,
        onClose: (closed) => this.#left(closed),
      });
      if (this.#peers.size >= peersMaxCount) {
        this.#turnedAway++;
        peer.turnAway('busy', `there are ${peersMaxCount} clients already`);
        return;
      }
      this.#accepted++;
      this.#peers.add(peer);
      this.#attending ??= setInterval(() => this.#attend(), attendMs).unref();
    });
    this.#server.unref();
  }

  /** Listens in the state directory, whose lock the caller holds. Rejects with what is in the way. */
  static async open(stateDir: string, parts: SignalServerParts): Promise<SignalServer> {
    const server = new SignalServer(parts);
    server.#place = await listenAt(server.#server, join(stateDir, signalSocketName), { isFolderOurs: true });
    // An accept that fails (too many open files) must not end a run.
    server.#server.on('error', () => server.#turnedAway++);
    return server;
  }

  get path(): string {
    return this.#place?.path ?? '';
  }

  /** For the status. */
  counters(): JsonObject {
    return {
      socket: this.path,
      clients: this.#peers.size,
      clients_max: peersMaxCount,
      accepted: this.#accepted,
      turned_away: this.#turnedAway,
      ...this.#counters,
      signals_dropped: this.#parts.board.dropped,
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

  #left(peer: SignalPeer): void {
    this.#peers.delete(peer);
    if (this.#peers.size > 0 || this.#attending === null) return;
    clearInterval(this.#attending);
    this.#attending = null;
  }

  #attend(): void {
    const nowMs = this.#parts.monoUs() / 1000;
    for (const peer of this.#peers) peer.attend(nowMs);
  }

  #show(subject: Subject, scopes: Scopes, paths: readonly string[] | undefined): JsonObject {
    const { board } = this.#parts;
    if (subject === 'signals') return board.signals((path) => scopes.grants(path), paths);
    return board[subject]();
  }
}
