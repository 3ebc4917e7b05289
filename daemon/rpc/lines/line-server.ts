/**
 * The door of a local service: so many clients at a time, each looked after ten times a second, all closed together. Neither
 * the service nor a client keeps a process alive.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { listenAt, type SocketPlace } from './socket-place.js';

/** One client, as the door sees it. */
export interface ServedPeer {
  /** what is due by now: pushes, and dropping whoever does not read or speak */
  attend(nowMs: number): void;
  /** says why, and no more */
  turnAway(code: string, message: string): void;
  close(): void;
}

export interface LineServerParts<Peer extends ServedPeer> {
  /** clients at a time; further ones are told so */
  readonly peersMaxCount: number;
  readonly monoMs: () => number;
  /** a client has connected; `closed` is to be called when it has gone */
  readonly meet: (socket: Socket, closed: (peer: Peer) => void) => Peer;
  /** it was not turned away */
  readonly accepted?: (peer: Peer) => void;
  /** one that was accepted has gone */
  readonly left?: (peer: Peer) => void;
}

// A type, not an interface: it is printed as a JSON object.
export type DoorCounters = { clients: number; clients_max: number; accepted: number; turned_away: number };

const attendMs = 100;

export class LineServer<Peer extends ServedPeer> {
  readonly #parts: LineServerParts<Peer>;
  readonly #server: Server;
  readonly #peers = new Set<Peer>();
  #place: SocketPlace | null = null;
  #attending: NodeJS.Timeout | null = null;
  #accepted = 0;
  #turnedAway = 0;

  constructor(parts: LineServerParts<Peer>) {
    this.#parts = parts;
    this.#server = createServer((socket) => this.#meet(socket)).unref();
  }

  /** Rejects with what is in the way; see `listenAt`. */
  async listen(path: string, where: { readonly isFolderOurs: boolean }): Promise<void> {
    this.#place = await listenAt(this.#server, path, where);
    // An accept that fails (too many open files) must not end a run.
    this.#server.on('error', () => this.#turnedAway++);
  }

  get path(): string {
    return this.#place?.path ?? '';
  }

  get peers(): ReadonlySet<Peer> {
    return this.#peers;
  }

  counters(): DoorCounters {
    return {
      clients: this.#peers.size,
      clients_max: this.#parts.peersMaxCount,
      accepted: this.#accepted,
      turned_away: this.#turnedAway,
    };
  }

  async close(): Promise<void> {
    this.#rest();
    await this.#place?.clear();
    for (const peer of this.#peers) peer.close();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#place?.forget();
    this.#place = null;
  }

  #meet(socket: Socket): void {
    socket.unref();
    const { meet, peersMaxCount, monoMs, accepted } = this.#parts;
    const peer = meet(socket, (closed) => this.#leave(closed));
    if (this.#peers.size >= peersMaxCount) {
      this.#turnedAway++;
      peer.turnAway('busy', `there are ${peersMaxCount} clients already`);
      return;
    }
    this.#accepted++;
    this.#peers.add(peer);
    this.#attending ??= setInterval(() => {
      for (const one of this.#peers) one.attend(monoMs());
    }, attendMs).unref();
    accepted?.(peer);
  }

  #leave(peer: Peer): void {
    if (!this.#peers.delete(peer)) return;
    if (this.#peers.size === 0) this.#rest();
    this.#parts.left?.(peer);
  }

  #rest(): void {
    if (this.#attending !== null) clearInterval(this.#attending);
    this.#attending = null;
  }
}
