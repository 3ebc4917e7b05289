/**
 * The local socket of the external monitor: one client of this user at a time is told every intent and answers verdicts.
 * One line of JSON each; what it says beyond its bounds is refused and counted, and never more than a lesser intent.
 */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import type { MonitorVerdict } from '../../core/act/apply-verdict.js';
import type { JsonObject } from '../../core/tick.js';
import { type LineCounters, type LineLimits, LinePeer } from '../../rpc/lines/line-peer.js';
import { LineServer } from '../../rpc/lines/line-server.js';

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

export interface MonitorListener {
  connected(isConnected: boolean): void;
  verdict(seq: number, verdict: MonitorVerdict): void;
}

class MonitorPeer {
  readonly #line: LinePeer<z.infer<typeof requestSchema>>;

  constructor(
    socket: Socket,
    counters: LineCounters,
    monoMs: () => number,
    hear: (seq: number, verdict: MonitorVerdict) => void,
    closed: (peer: MonitorPeer) => void,
  ) {
    this.#line = new LinePeer(socket, {
      schema: requestSchema,
      limits,
      counters,
      monoMs,
      onRequest: ({ seq, verdict, decel_mps2, max_ms }) => hear(seq, verdictOf(verdict, decel_mps2, max_ms)),
      onClose: () => closed(this),
    });
  }

  get isStuck(): boolean {
    return this.#line.isStuck;
  }

  /** It waits for intents for as long as there are none. */
  attend(nowMs: number): void {
    this.#line.attend(nowMs, true);
  }

  turnAway(code: string, message: string): void {
    this.#line.turnAway(code, message);
  }

  send(message: JsonObject): void {
    this.#line.send(message);
  }

  refuse(message: string, seq: number): void {
    this.#line.refuse('refused', message, seq);
  }

  close(): void {
    this.#line.close();
  }
}

export class MonitorSocket {
  readonly #door: LineServer<MonitorPeer>;
  readonly #counters: LineCounters = {
    requests: 0,
    malformed: 0,
    refused: 0,
    throttled: 0,
    dropped_slow: 0,
    dropped_idle: 0,
  };
  /** intents that a monitor which does not read was not told */
  #untold = 0;

  private constructor(listener: MonitorListener, monoMs: () => number) {
    this.#door = new LineServer<MonitorPeer>({
      peersMaxCount: 1,
      monoMs,
      // Whoever is turned away is not read any more, so what it says is no verdict.
      meet: (socket, closed) =>
        new MonitorPeer(
          socket,
          this.#counters,
          monoMs,
          (seq, verdict) => listener.verdict(seq, verdict),
          closed,
        ),
      accepted: (peer) => {
        peer.send({ act_monitor: monitorProtocolVersion });
        listener.connected(true);
      },
      left: () => listener.connected(false),
    });
  }

  /** Listens in the state directory, whose lock the caller holds. Rejects with what is in the way. */
  static async open(
    stateDir: string,
    listener: MonitorListener,
    monoMs: () => number,
  ): Promise<MonitorSocket> {
    const socket = new MonitorSocket(listener, monoMs);
    await socket.#door.listen(join(stateDir, monitorSocketName), { isFolderOurs: true });
    return socket;
  }

  get #peer(): MonitorPeer | null {
    const [peer = null] = this.#door.peers;
    return peer;
  }

  get isConnected(): boolean {
    return this.#peer !== null;
  }

  tell(message: JsonObject): void {
    const peer = this.#peer;
    if (peer === null) return;
    if (peer.isStuck) this.#untold++;
    else peer.send(message);
  }

  /** Says what was wrong with a verdict. */
  refuse(message: string, seq: number): void {
    this.#peer?.refuse(message, seq);
  }

  counters(): JsonObject {
    return {
      socket: this.#door.path,
      connected: this.isConnected,
      ...this.#door.counters(),
      untold: this.#untold,
      ...this.#counters,
    };
  }

  close(): Promise<void> {
    return this.#door.close();
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
