/**
 * The local socket of the external monitor: one client of this user at a time is told every intent and answers verdicts.
 * One line of JSON each; what it says beyond its bounds is refused and counted, and never more than a lesser intent.
 */
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { MonitorVerdict } from '../../core/act/apply-verdict.js';
import type { JsonObject } from '../../core/tick.js';
import { type LineCounters, type LineLimits, LinePeer } from '../../rpc/lines/line-peer.js';
import { listenAt, type SocketPlace } from '../../rpc/lines/socket-place.js';

export const monitorSocketName = 'act-monitor.sock';
export const monitorProtocolVersion = 1;

const requestSchema = z.strictObject({
  seq: z.number().int().nonnegative(),
  verdict: z.enum(['pass', 'veto', 'weaken']),
  decel_mps2: z.number().optional(),
  max_ms: z.number().optional(),
});

/** Twice what a monitor needs that judges every tick of 50 Hz. */
const limits: LineLimits = {
  lineMaxBytes: 512,
  burstMaxCount: 100,
  requestsPerS: 100,
  slowMaxMs: 1000,
  idleMaxMs: Number.POSITIVE_INFINITY,
  malformedMaxCount: 10,
};
const attendMs = 100;

export interface MonitorListener {
  connected(isConnected: boolean): void;
  verdict(seq: number, verdict: MonitorVerdict): void;
}

export class MonitorSocket {
  readonly #server: Server;
  readonly #counters: LineCounters = {
    requests: 0,
    malformed: 0,
    refused: 0,
    throttled: 0,
    dropped_slow: 0,
    dropped_idle: 0,
  };
  #peer: LinePeer<z.infer<typeof requestSchema>> | null = null;
  #place: SocketPlace | null = null;
  #attending: NodeJS.Timeout | null = null;
  #turnedAway = 0;
  #connections = 0;
  /** intents that a monitor which does not read was not told */
  #untold = 0;

  private constructor(listener: MonitorListener, monoMs: () => number) {
    this.#server = createServer((socket) => {
      socket.unref();
      const peer: LinePeer<z.infer<typeof requestSchema>> = new LinePeer(socket, {
        schema: requestSchema,
        limits,
        counters: this.#counters,
        monoMs,
        onRequest: ({ seq, verdict, decel_mps2, max_ms }) => {
          if (this.#peer === peer) listener.verdict(seq, verdictOf(verdict, decel_mps2, max_ms));
        },
        onClose: () => {
          if (this.#peer !== peer) return;
          this.#peer = null;
          listener.connected(false);
        },
      });
      if (this.#peer !== null) {
        this.#turnedAway++;
        peer.turnAway('busy', 'there is a monitor already');
        return;
      }
      this.#peer = peer;
      this.#connections++;
      peer.send({ act_monitor: monitorProtocolVersion });
      listener.connected(true);
    });
    this.#server.unref();
    this.#attending = setInterval(() => this.#peer?.attend(monoMs(), true), attendMs).unref();
  }

  /** Listens in the state directory, whose lock the caller holds. Rejects with what is in the way. */
  static async open(
    stateDir: string,
    listener: MonitorListener,
    monoMs: () => number,
  ): Promise<MonitorSocket> {
    const socket = new MonitorSocket(listener, monoMs);
    socket.#place = await listenAt(socket.#server, join(stateDir, monitorSocketName), { isFolderOurs: true });
    socket.#server.on('error', () => socket.#turnedAway++);
    return socket;
  }

  get isConnected(): boolean {
    return this.#peer !== null;
  }

  tell(message: JsonObject): void {
    if (this.#peer === null) return;
    if (this.#peer.isStuck) this.#untold++;
    else this.#peer.send(message);
  }

  /** Says what was wrong with a verdict. */
  refuse(message: string, seq: number): void {
    this.#peer?.refuse('refused', message, seq);
  }

  counters(): JsonObject {
    return {
      socket: this.#place?.path ?? '',
      connected: this.isConnected,
      connections: this.#connections,
      turned_away: this.#turnedAway,
      untold: this.#untold,
      ...this.#counters,
    };
  }

  async close(): Promise<void> {
    if (this.#attending !== null) clearInterval(this.#attending);
    await this.#place?.clear();
    this.#peer?.close();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#place?.forget();
    this.#place = null;
  }
}

function verdictOf(
  kind: MonitorVerdict['kind'],
  decelMps2: number | undefined,
  maxMs: number | undefined,
): MonitorVerdict {
  if (kind !== 'weaken') return { kind };
  return {
    kind,
    ...(decelMps2 === undefined ? {} : { decelMps2 }),
    ...(maxMs === undefined ? {} : { maxMs }),
  };
}
