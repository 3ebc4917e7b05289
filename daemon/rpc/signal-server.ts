/** The daemon's signal service: read-only, local, and never in the way of a tick. */
import { join } from 'node:path';
import type { JsonObject } from '../core/tick.js';
import { signalSocketName } from './client/socket-name.js';
import { LineServer } from './lines/line-server.js';
import { type Subject, signalProtocolVersion } from './protocol.js';
import type { Scopes } from './scopes.js';
import type { SignalBoard } from './signal-board.js';
import { type PeerCounters, SignalPeer } from './signal-peer.js';

/** Clients at a time; further ones are told so. */
const peersMaxCount = 16;

export interface SignalServerParts {
  readonly board: SignalBoard;
  /** what hello is answered with, beside the version */
  readonly head: JsonObject;
  readonly monoUs: () => number;
}

export class SignalServer {
  readonly #parts: SignalServerParts;
  readonly #door: LineServer<SignalPeer>;
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
    const monoMs = (): number => parts.monoUs() / 1000;
    this.#door = new LineServer({
      peersMaxCount,
      monoMs,
      meet: (socket, closed) =>
        new SignalPeer(socket, {
          show: (subject, scopes, paths) => this.#show(subject, scopes, paths),
          greeting: () => ({ version: signalProtocolVersion, ...parts.head }),
          version: signalProtocolVersion,
          counters: this.#counters,
          monoMs,
          onClose: closed,
        }),
    });
  }

  /** Listens in the state directory, whose lock the caller holds. Rejects with what is in the way. */
  static async open(stateDir: string, parts: SignalServerParts): Promise<SignalServer> {
    const server = new SignalServer(parts);
    await server.#door.listen(join(stateDir, signalSocketName), { isFolderOurs: true });
    return server;
  }

  get path(): string {
    return this.#door.path;
  }

  /** For the status. */
  counters(): JsonObject {
    return {
      socket: this.path,
      ...this.#door.counters(),
      ...this.#counters,
      signals_dropped: this.#parts.board.dropped,
    };
  }

  close(): Promise<void> {
    return this.#door.close();
  }

  #show(subject: Subject, scopes: Scopes, paths: readonly string[] | undefined): JsonObject {
    const { board } = this.#parts;
    if (subject === 'signals') return board.signals((path) => scopes.grants(path), paths);
    return board[subject]();
  }
}
