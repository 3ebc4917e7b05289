/**
 * Passive reassembly of SAE J1939-21 transport: broadcasts (BAM) and destination-specific messages (RTS/CTS),
 * which are observed between two others. Messages have at most 1,785 bytes, so memory is bounded by `sessions`.
 */
import { destinationOf, globalAddress, sourceOf } from './j1939-id.js';
import type { Incomplete, TransportError } from './transport-error.js';

export const pgnConnection = 0xec00;
export const pgnData = 0xeb00;

export const j1939Limits = {
  sessions: 256,
  /** longest gap between packets of a broadcast (T1), s */
  broadcastS: 0.75,
  /** of a message to one destination: T2 and T3, s */
  directedS: 1.25,
  mostBytes: 1785,
} as const;

const timeToleranceS = 2e-6;
const control = { rts: 16, cts: 17, endOfMessage: 19, broadcast: 32, abort: 255 } as const;

/** Who sends what to whom on which bus. */
export interface J1939Route {
  readonly bus: string;
  readonly busIndex: number;
  /** identifier of the frame that completed or ended the message */
  readonly id: number;
  readonly source: number;
  readonly destination: number;
  /** parameter group of the message; null where the frame belongs to none */
  readonly pgn: number | null;
}

export interface J1939Listener {
  message(route: J1939Route, tS: number, bytes: Uint8Array): void;
  failed(route: J1939Route, tS: number, error: TransportError, incomplete?: Incomplete): void;
}

interface Session {
  readonly key: number;
  readonly route: J1939Route;
  readonly bytes: Uint8Array;
  readonly packets: number;
  next: number;
  deadlineS: number;
}

export class J1939Transport {
  nextDeadlineS = Number.POSITIVE_INFINITY;
  /** sessions given up because there were too many */
  evicted = 0;
  readonly #listener: J1939Listener;
  readonly #sessions = new Map<number, Session>();

  constructor(listener: J1939Listener) {
    this.#listener = listener;
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  /** A frame of TP.CM (EC00): it opens, steers or ends a message. */
  connection(bus: string, busIndex: number, id: number, data: Uint8Array, tS: number): void {
    const route = routeOf(bus, busIndex, id, null);
    if (data.length < 8) {
      this.#listener.failed(route, tS, 'malformed');
      return;
    }
    const pgn = data[5]! | (data[6]! << 8) | (data[7]! << 16);
    switch (data[0]) {
      case control.broadcast:
      case control.rts:
        this.#open({ ...route, pgn: pgn & 0x3ffff }, data, tS);
        return;
      case control.cts:
        this.#goOn(route, data, tS);
        return;
      case control.endOfMessage:
        return;
      case control.abort:
        this.#abort(route, tS);
        return;
      default:
        this.#listener.failed(route, tS, 'malformed');
    }
  }

  /** A frame of TP.DT (EB00): sequence number and up to 7 bytes. */
  data(bus: string, busIndex: number, id: number, data: Uint8Array, tS: number): void {
    const session = this.#sessions.get(keyOf(busIndex, sourceOf(id), destinationOf(id)));
    if (session === undefined) {
      this.#listener.failed(
        routeOf(bus, busIndex, id, null),
        tS,
        data.length < 2 ? 'malformed' : 'unexpected',
      );
      return;
    }
    const at = 7 * (session.next - 1);
    const due = Math.min(7, session.bytes.length - at);
    if (data[0] !== session.next || data.length < 1 + due) {
      this.#fail(session, tS, data[0] === session.next ? 'malformed' : 'sequence', id);
      return;
    }
    session.bytes.set(data.subarray(1, 1 + due), at);
    session.next++;
    session.deadlineS = tS + waitS(session.route);
    if (session.next <= session.packets) return;
    this.#close(session);
    this.#listener.message({ ...session.route, id }, tS, session.bytes);
  }

  /** Ends the messages whose time ran out before `tS`, each with the time when it did. */
  expire(tS: number): void {
    const late = [...this.#sessions.values()].filter((each) => each.deadlineS + timeToleranceS < tS);
    late.sort((a, b) => a.deadlineS - b.deadlineS);
    for (const session of late) this.#fail(session, session.deadlineS, 'timeout', session.route.id);
    let next = Number.POSITIVE_INFINITY;
    for (const { deadlineS } of this.#sessions.values()) next = Math.min(next, deadlineS);
    this.nextDeadlineS = next;
  }

  finish(): void {
    this.expire(Number.POSITIVE_INFINITY);
  }

  #open(route: J1939Route, data: Uint8Array, tS: number): void {
    const key = keyOf(route.busIndex, route.source, route.destination);
    const old = this.#sessions.get(key);
    if (old !== undefined) this.#fail(old, tS, 'interrupted', route.id);
    const bytes = data[1]! | (data[2]! << 8);
    const packets = data[3]!;
    const isBroadcast = data[0] === control.broadcast;
    if (bytes > j1939Limits.mostBytes) {
      this.#listener.failed(route, tS, 'too_long', { receivedBytes: 0, announcedBytes: bytes });
      return;
    }
    const isGlobal = route.destination === globalAddress;
    if (bytes < 9 || packets !== Math.ceil(bytes / 7) || isBroadcast !== isGlobal) {
      this.#listener.failed(route, tS, 'malformed');
      return;
    }
    if (this.#sessions.size >= j1939Limits.sessions) {
      const [oldest] = this.#sessions.values();
      this.evicted++;
      this.#fail(oldest!, tS, 'interrupted', oldest!.route.id);
    }
    const deadlineS = tS + waitS(route);
    const session = { key, route, bytes: new Uint8Array(bytes), packets, next: 1, deadlineS };
    this.#sessions.set(key, session);
    this.nextDeadlineS = Math.min(this.nextDeadlineS, deadlineS);
  }

  /** Clear to send comes from the destination; it may ask for packets once more, and for none to hold the line. */
  #goOn(route: J1939Route, data: Uint8Array, tS: number): void {
    const session = this.#sessions.get(keyOf(route.busIndex, route.destination, route.source));
    if (session === undefined) {
      this.#listener.failed(route, tS, 'flow_control_ignored');
      return;
    }
    const next = data[2]!;
    if (data[1] !== 0 && next >= 1 && next <= session.next) session.next = next;
    session.deadlineS = tS + waitS(session.route);
  }

  /** Either side may end a connection. */
  #abort(route: J1939Route, tS: number): void {
    const session =
      this.#sessions.get(keyOf(route.busIndex, route.source, route.destination)) ??
      this.#sessions.get(keyOf(route.busIndex, route.destination, route.source));
    if (session !== undefined) this.#fail(session, tS, 'interrupted', route.id);
  }

  #fail(session: Session, tS: number, error: TransportError, id: number): void {
    this.#close(session);
    const receivedBytes = Math.min(7 * (session.next - 1), session.bytes.length);
    const incomplete = { receivedBytes, announcedBytes: session.bytes.length };
    this.#listener.failed({ ...session.route, id }, tS, error, incomplete);
  }

  #close(session: Session): void {
    this.#sessions.delete(session.key);
    if (this.#sessions.size === 0) this.nextDeadlineS = Number.POSITIVE_INFINITY;
  }
}

function routeOf(bus: string, busIndex: number, id: number, pgn: number | null): J1939Route {
  return { bus, busIndex, id, source: sourceOf(id), destination: destinationOf(id), pgn };
}

function keyOf(busIndex: number, source: number, destination: number): number {
  return busIndex * 65_536 + source * 256 + destination;
}

function waitS(route: J1939Route): number {
  return route.destination === globalAddress ? j1939Limits.broadcastS : j1939Limits.directedS;
}
